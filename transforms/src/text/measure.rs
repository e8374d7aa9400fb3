//! The size of a program.

use crate::text::lex;

/// The size of a program: tokens first, bytes to tell equals apart. Every accepted step makes it smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Measure {
    /// Code tokens; comments and documentation count nothing.
    pub tokens: usize,
    /// Bytes.
    pub bytes: usize,
}

impl Measure {
    /// Measures a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self { tokens: lex::count(text), bytes: text.len() }
    }
}
