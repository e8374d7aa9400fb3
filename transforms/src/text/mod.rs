//! Bytes and tokens of a text, and edits of them: no syntax tree.
//! What others import most has a short path here.

pub(crate) mod edit;
pub(crate) mod format;
pub(crate) mod lex;
pub(crate) mod literal;
pub mod pieces;
pub(crate) mod splice;

pub(crate) use edit::{Edit, covers, kept_between, outermost};
pub(crate) use splice::edited;
