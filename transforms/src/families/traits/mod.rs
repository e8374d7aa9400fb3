//! Transforms of traits and their impls.

pub mod associated_types;
pub mod single_impls;
pub mod std_traits;
pub mod supertraits;
pub mod trait_functions;
pub mod trait_homes;
