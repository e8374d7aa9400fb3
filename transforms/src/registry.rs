//! The one table of all families, in the order in which they are listed and explained.

use crate::families;
use crate::transform::{Family, Transform};

/// Every family there is. A transform that is not reachable from here does not exist.
pub static FAMILIES: &[&Family] = &[
    &families::items::FAMILY,
    &families::bodies::FAMILY,
    &families::stmts::FAMILY,
    &families::blocks::FAMILY,
    &families::control::FAMILY,
    &families::loops::FAMILY,
    &families::boolean::FAMILY,
    &families::calls::FAMILY,
    &families::hoist::FAMILY,
    &families::values::FAMILY,
    &families::alternates::FAMILY,
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
