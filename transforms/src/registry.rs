//! All families, room by room: in this order they are listed and explained.

use crate::families::{
    data, expressions, functions, generics, items, macros, names, patterns, program, statements, text, traits, types,
};
use crate::rule::pass::PassName;
use crate::rule::transform::{Family, Room, Transform};

/// Every room. A transform that is not reachable from here does not exist.
pub static ROOMS: &[&Room] = &[
    &program::ROOM,
    &items::ROOM,
    &functions::ROOM,
    &traits::ROOM,
    &generics::ROOM,
    &data::ROOM,
    &statements::ROOM,
    &expressions::ROOM,
    &types::ROOM,
    &patterns::ROOM,
    &names::ROOM,
    &macros::ROOM,
    &text::ROOM,
];

/// Every family.
pub fn families() -> impl Iterator<Item = &'static Family> {
    ROOMS.iter().flat_map(|room| room.families.iter().copied())
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

impl PassName {
    /// The transforms that it tries, in this order.
    #[must_use]
    pub fn transforms(self) -> Vec<&'static Transform> {
        let is_tried = |transform: &&Transform| transform.passes.contains(&self);
        let mut tried: Vec<&Transform> = self.order().iter().flat_map(|name| named(name)).filter(is_tried).collect();
        for transform in transforms().filter(is_tried) {
            if !tried.contains(&transform) {
                tried.push(transform);
            }
        }
        tried
    }

    /// The names of what it tries: families, or transforms of those that it does not try all of.
    #[must_use]
    pub fn tries(self) -> Vec<&'static str> {
        let tried = self.transforms();
        let mut names: Vec<&str> = Vec::new();
        for transform in &tried {
            let whole = families().find(|family| {
                family.transforms.contains(transform) && family.transforms.iter().all(|other| tried.contains(other))
            });
            let name = whole.map_or(transform.name, |family| family.name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}
