//! The families of transforms: a file each, listed in the registry.

pub mod attrs;
pub mod blocks;
pub mod bodies;
pub mod characters;
pub mod comments;
pub mod declaration_lists;
pub mod generic_lists;
pub mod items;
pub mod lines;
pub mod lists;
pub mod literals;
pub mod macro_rules;
pub mod macros;
pub mod names;
pub mod pattern_lists;
pub mod boolean;
pub mod calls;
pub mod control;
pub mod hoist;
pub mod items;
pub mod loops;
pub mod stmts;
pub mod token_trees;
pub mod tokens;
pub mod type_lists;
pub mod uses;
