//! Transforms of items, modules, imports and attributes.

use crate::rule::transform::Category;

pub mod attr_lists;
pub mod attrs;
pub mod closures;
pub mod import_paths;
pub mod item_forms;
pub mod merges;
pub mod modifiers;
pub mod modules;
pub mod nested_items;
pub mod uses;
pub mod whole_items;

/// The families of this folder.
pub static CATEGORY: Category = Category {
    name: "items",
    about: "Items, modules, imports and attributes",
    families: &[
        &whole_items::FAMILY,
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
