//! A part of a file that changed.

use std::ops::Range;

/// A part of a file that changed: some bytes take the place of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The bytes of the old text that go.
    pub old: Range<usize>,
    /// The bytes of the new text that come in their place.
    pub new: Range<usize>,
    /// Where these are part of what another piece brings: its position, before this one's. They come along if this piece is
    /// applied, which brings the other one with it, and nothing goes for them.
    pub inside: Option<usize>,
}

impl Piece {
    /// A piece that is not inside of another one.
    #[must_use]
    pub(super) fn top(old: Range<usize>, new: Range<usize>) -> Self {
        Self { old, new, inside: None }
    }
}
