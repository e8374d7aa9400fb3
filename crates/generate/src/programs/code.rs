//! Expressions as text, with their precedence.

/// The text of an expression.
#[derive(Clone, Debug)]
pub(super) struct Code {
    text: String,
    is_atomic: bool,
}

impl Code {
    /// An expression that can precede `.method()`.
    pub(super) fn atomic(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_atomic: true }
    }

    /// Any other expression.
    pub(super) fn loose(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_atomic: false }
    }

    /// The text for the place of a whole expression.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text for the place of an operand or a receiver.
    pub(super) fn operand(&self) -> String {
        if self.is_atomic { self.text.clone() } else { format!("({})", self.text) }
    }

    /// The text for the place before a block, where a brace would open the block.
    pub(super) fn head(&self) -> String {
        if self.text.contains('{') { format!("({})", self.text) } else { self.text.clone() }
    }

    /// The text for the place after `let .. =`, where an operator could join conditions.
    pub(super) fn scrutinee(&self) -> String {
        if self.is_atomic { self.head() } else { format!("({})", self.text) }
    }
}
