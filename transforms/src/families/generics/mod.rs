//! Transforms of generics: parameters, bounds, lifetimes.

pub mod bounds;
pub mod generic_lists;
pub mod instantiations;
pub mod lifetimes;
pub mod optional_generics;
pub mod predicates;
pub mod short_forms;
