//! Transforms of generics: parameters, bounds, lifetimes.

use crate::rule::transform::Category;

pub mod bounds;
pub mod generic_lists;
pub mod impl_generics;
pub mod instantiations;
pub mod lifetimes;
pub mod optional_generics;
pub mod predicates;
pub mod short_forms;

/// The families of this folder.
pub static CATEGORY: Category = Category {
    name: "generics",
    about: "Generics: parameters, bounds, lifetimes",
    families: &[
        &instantiations::FAMILY,
        &bounds::FAMILY,
        &predicates::FAMILY,
        &short_forms::FAMILY,
        &impl_generics::FAMILY,
        &lifetimes::FAMILY,
        &generic_lists::FAMILY,
        &optional_generics::FAMILY,
    ],
};
