//! What others say of a program: a compiler, or a run of it.

use std::ops::Range;

use crate::text::edit::Edit;

/// A remark of a compiler, or of a run, on a part of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The name of the lint, such as `dead_code`.
    pub lint: String,
    /// The bytes that it is about.
    pub site: Range<usize>,
    /// What to change in the compiler's own opinion; nothing where it has none.
    pub edits: Vec<Edit>,
}
