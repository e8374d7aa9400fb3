//! Hints about a program from a compiler or from a run.

use std::ops::Range;

use crate::text::Edit;

/// A remark of a compiler, or of a run, on a part of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The name of the lint, such as `dead_code`.
    pub lint: String,
    /// The bytes that it is about.
    pub site: Range<usize>,
    /// The changes that the compiler suggests; empty if it suggests none.
    pub edits: Vec<Edit>,
}
