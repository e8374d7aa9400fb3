//! Transforms of generics: parameters, bounds, lifetimes.

use crate::rule::transform::Family;

pub mod bounds;
pub mod generic_lists;
pub mod higher_ranked;
pub mod impl_generics;
pub mod instantiations;
pub mod lifetimes;
pub mod optional_generics;
pub mod plain;
pub mod predicates;

/// Its families.
pub static FAMILIES: &[&Family] = &[
    &instantiations::FAMILY,
    &plain::FAMILY,
    &generic_lists::FAMILY,
    &optional_generics::FAMILY,
    &bounds::FAMILY,
    &predicates::FAMILY,
    &impl_generics::FAMILY,
    &lifetimes::FAMILY,
    &higher_ranked::FAMILY,
];
