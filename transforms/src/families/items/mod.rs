//! Transforms of items, modules, imports and attributes.

use crate::rule::transform::Room;

pub mod attr_lists;
pub mod attrs;
pub mod closures;
pub mod import_paths;
pub mod item_forms;
pub mod merges;
pub mod modifiers;
pub mod modules;
pub mod nested_items;
pub mod plain;
pub mod uses;

/// The families of this folder.
pub static ROOM: Room = Room {
    name: "items",
    about: "Items, modules, imports and attributes",
    families: &[
        &plain::FAMILY,
        &closures::FAMILY,
        &modules::FAMILY,
        &uses::FAMILY,
        &import_paths::FAMILY,
        &nested_items::FAMILY,
        &merges::FAMILY,
        &modifiers::FAMILY,
        &attrs::FAMILY,
        &attr_lists::FAMILY,
        &item_forms::FAMILY,
    ],
};
