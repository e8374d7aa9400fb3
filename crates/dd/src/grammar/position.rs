//! Places in a text, for messages.

use std::fmt;

/// A place in a text: the line and the column from 1 on, the latter in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl TextPosition {
    /// The place of a byte.
    ///
    /// # Panics
    /// When the byte is not the first one of a character.
    pub fn of(text: &str, byte: usize) -> Self {
        let before = &text[..byte];
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.rsplit('\n').next().map_or(0, |line| line.chars().count());
        Self { line, column }
    }
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
