//! All families, room by room: in this order they are listed and explained.

use crate::families::{
    data, expressions, functions, generics, items, macros, names, patterns, statements, text, traits, types,
};
use crate::rule::transform::{Family, Transform};

/// The families of each room, with the name of its folder. A transform that is not reachable from here does not exist.
pub static ROOMS: &[(&str, &[&Family])] = &[
    ("items", items::FAMILIES),
    ("functions", functions::FAMILIES),
    ("traits", traits::FAMILIES),
    ("generics", generics::FAMILIES),
    ("data", data::FAMILIES),
    ("statements", statements::FAMILIES),
    ("expressions", expressions::FAMILIES),
    ("types", types::FAMILIES),
    ("patterns", patterns::FAMILIES),
    ("names", names::FAMILIES),
    ("macros", macros::FAMILIES),
    ("text", text::FAMILIES),
];

/// Every family.
pub fn families() -> impl Iterator<Item = &'static Family> {
    ROOMS.iter().flat_map(|(_, families)| families.iter().copied())
}

/// Every transform, family by family.
pub fn transforms() -> impl Iterator<Item = &'static Transform> {
    families().flat_map(|family| family.transforms.iter().copied())
}

/// The transforms that `name` stands for: one by its own name, or all of a family.
pub fn named(name: &str) -> Vec<&'static Transform> {
    families()
        .flat_map(|family| family.transforms.iter().map(move |transform| (family, *transform)))
        .filter(|(family, transform)| family.name == name || transform.name == name)
        .map(|(_, transform)| transform)
        .collect()
}
