//! Transforms of tokens, comments and text that does not parse, and edits from compilers and runs.

pub mod characters;
pub mod comments;
pub mod coverage;
pub mod lines;
pub mod observations;
pub mod suggestions;
pub mod token_trees;
pub mod token_windows;
pub mod tokens;
