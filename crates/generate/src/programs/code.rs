//! Expressions as text, with what is known of how they bind.

/// The text of an expression.
#[derive(Clone, Debug)]
pub(super) struct Code {
    text: String,
    is_atomic: bool,
}

impl Code {
    /// One after which `.method()` can stand.
    pub(super) fn atomic(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_atomic: true }
    }

    /// Any other.
    pub(super) fn loose(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_atomic: false }
    }

    /// Where a whole expression can stand.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Where an operand or a receiver can stand.
    pub(super) fn operand(&self) -> String {
        if self.is_atomic { self.text.clone() } else { format!("({})", self.text) }
    }

    /// Where a block follows, so that a brace would be taken for it.
    pub(super) fn head(&self) -> String {
        if self.text.contains('{') { format!("({})", self.text) } else { self.text.clone() }
    }

    /// The same behind `let .. =`, where an operator would be taken for one between conditions.
    pub(super) fn scrutinee(&self) -> String {
        if self.is_atomic { self.head() } else { format!("({})", self.text) }
    }
}
