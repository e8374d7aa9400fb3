//! Transforms of names and what stands in their place.

use crate::rule::transform::Family;

pub mod aliases;
pub mod bindings;
pub mod plain;
pub mod qualifiers;
pub mod std_modules;
pub mod substitutions;
pub mod unifications;
pub mod variables;

/// Its families.
pub static FAMILIES: &[&Family] = &[
    &plain::FAMILY,
    &aliases::FAMILY,
    &bindings::FAMILY,
    &variables::FAMILY,
    &qualifiers::FAMILY,
    &unifications::FAMILY,
    &substitutions::FAMILY,
    &std_modules::FAMILY,
];
