//! Transforms of items, modules, imports and attributes.

pub mod attrs;
pub mod import_paths;
pub mod item_forms;
pub mod merges;
pub mod modifiers;
pub mod modules;
pub mod nested_items;
pub mod uses;
pub mod versions;
pub mod whole_items;
