//! Transforms of tokens, comments and text that does not parse, and edits from compilers and runs.

use crate::rule::transform::Category;

pub mod characters;
pub mod comments;
pub mod coverage;
pub mod lines;
pub mod observations;
pub mod suggestions;
pub mod token_trees;
pub mod token_windows;
pub mod tokens;

/// The families of this folder.
pub static CATEGORY: Category = Category {
    name: "text",
    about: "Tokens, comments and text that does not parse, and edits that are told",
    families: &[
        &lines::FAMILY,
        &tokens::FAMILY,
        &characters::FAMILY,
        &comments::FAMILY,
        &token_trees::FAMILY,
        &token_windows::FAMILY,
        &suggestions::FAMILY,
        &observations::FAMILY,
        &coverage::FAMILY,
    ],
};
