//! The size of a program, with its lines.

use std::ops::AddAssign;

use mcve_transforms::Measure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The size of a program. Tokens count first, bytes and lines tell equals apart.
#[derive(Clone, Copy, Debug, Default, JsonSchema, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Size {
    /// Code tokens, without comments; characters or bytes of what is not Rust.
    pub tokens: usize,
    /// Bytes.
    pub bytes: usize,
    /// Lines.
    pub lines: usize,
}

impl Size {
    /// The size of a text that has this measure.
    pub(super) fn new(Measure { tokens, bytes }: Measure, text: &str) -> Self {
        Self { tokens, bytes, lines: text.lines().count() }
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, more: Self) {
        self.tokens += more.tokens;
        self.bytes += more.bytes;
        self.lines += more.lines;
    }
}
