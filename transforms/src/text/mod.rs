//! Bytes and tokens of a text, and edits of them: no syntax tree.

pub(crate) mod edit;
pub(crate) mod format;
pub(crate) mod lex;
pub(crate) mod literal;
pub(crate) mod measure;
pub mod pieces;
pub(crate) mod splice;
