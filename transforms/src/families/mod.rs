//! The families of transforms: a file each, listed in the registry.

pub mod attrs;
pub mod comments;
pub mod items;
pub mod literals;
pub mod macro_rules;
pub mod macros;
pub mod token_trees;
pub mod uses;
