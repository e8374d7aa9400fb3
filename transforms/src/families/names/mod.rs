//! Transforms of names and what stands in their place.

use crate::rule::transform::Category;

pub mod aliases;
pub mod bindings;
pub mod qualifiers;
pub mod shortening;
pub mod substitutions;
pub mod unifications;

/// The families of this folder.
pub static CATEGORY: Category = Category {
    name: "names",
    about: "Names and what stands in their place",
    families: &[
        &shortening::FAMILY,
        &aliases::FAMILY,
        &bindings::FAMILY,
        &qualifiers::FAMILY,
        &unifications::FAMILY,
        &substitutions::FAMILY,
    ],
};
