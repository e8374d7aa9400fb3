//! Transforms of tokens, comments and text that does not parse, and edits that are told.

use crate::rule::transform::Family;

pub mod characters;
pub mod comments;
pub mod lines;
pub mod observations;
pub mod suggestions;
pub mod token_trees;
pub mod token_windows;
pub mod tokens;

/// Its families.
pub static FAMILIES: &[&Family] = &[
    &lines::FAMILY,
    &tokens::FAMILY,
    &characters::FAMILY,
    &comments::FAMILY,
    &token_trees::FAMILY,
    &token_windows::FAMILY,
    &suggestions::FAMILY,
    &observations::FAMILY,
];
