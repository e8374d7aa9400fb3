//! Transforms of traits and their impls.

use crate::rule::transform::Category;

pub mod associated_types;
pub mod dependent_impls;
pub mod single_impls;
pub mod std_traits;
pub mod supertraits;
pub mod trait_functions;
pub mod trait_homes;

/// The families of this folder.
pub static CATEGORY: Category = Category {
    name: "traits",
    about: "Traits and their impls",
    families: &[
        &dependent_impls::FAMILY,
        &single_impls::FAMILY,
        &trait_functions::FAMILY,
        &std_traits::FAMILY,
        &supertraits::FAMILY,
        &associated_types::FAMILY,
        &trait_homes::FAMILY,
    ],
};
