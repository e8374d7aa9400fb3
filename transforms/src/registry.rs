//! The one table of all families, in the order in which they are listed and explained.

use crate::families;
use crate::transform::{Family, Transform};

/// Every family there is. A transform that is not reachable from here does not exist.
pub static FAMILIES: &[&Family] = &[
    &families::items::FAMILY,
    &families::uses::FAMILY,
    &families::attrs::FAMILY,
    &families::attr_lists::FAMILY,
    &families::macro_rules::FAMILY,
    &families::macro_repetitions::FAMILY,
    &families::macros::FAMILY,
    &families::token_trees::FAMILY,
    &families::literals::FAMILY,
    &families::names::FAMILY,
    &families::comments::FAMILY,
    &families::lines::FAMILY,
    &families::tokens::FAMILY,
    &families::characters::FAMILY,
];

/// Every transform, family by family.
pub fn transforms() -> impl Iterator<Item = &'static Transform> {
    FAMILIES.iter().flat_map(|family| family.transforms.iter().copied())
}

/// The transforms that `name` stands for: one by its own name, or all of a family.
pub fn named(name: &str) -> Vec<&'static Transform> {
    FAMILIES
        .iter()
        .flat_map(|family| family.transforms.iter().map(move |transform| (family, *transform)))
        .filter(|(family, transform)| family.name == name || transform.name == name)
        .map(|(_, transform)| transform)
        .collect()
}
