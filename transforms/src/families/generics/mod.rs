//! Transforms of generics: parameters, bounds, lifetimes.

pub mod bounds;
pub mod generic_lists;
pub mod instantiations;
pub mod lifetimes;
pub mod short_forms;
