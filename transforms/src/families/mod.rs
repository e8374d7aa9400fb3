//! The families of transforms: a file each, listed in the registry.

pub mod attr_lists;
pub mod attrs;
pub mod characters;
pub mod comments;
pub mod items;
pub mod lines;
pub mod literals;
pub mod macro_repetitions;
pub mod macro_rules;
pub mod macros;
pub mod names;
pub mod token_trees;
pub mod tokens;
pub mod uses;
