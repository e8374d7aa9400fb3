//! A changed part of a file.

use std::ops::Range;

/// A changed part of a file: some bytes replace others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The removed bytes of the old text.
    pub old: Range<usize>,
    /// The added bytes of the new text.
    pub new: Range<usize>,
    /// The position of the piece that contains these bytes, which is before this one, if there is one. They are added
    /// if this piece is applied, which applies the outer one too, and no old bytes are removed for them.
    pub inside: Option<usize>,
}

impl Piece {
    /// A piece that is not inside another one.
    pub(super) fn top(old: Range<usize>, new: Range<usize>) -> Self {
        Self { old, new, inside: None }
    }
}
