//! How much of a diagnostic counts, and in what two differ.

use std::str::FromStr;

/// How much of a diagnostic a candidate must show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The error code or the name of the lint; the message, where it has neither.
    Code,
    /// The words of the message, too, whatever names and types are between them.
    Message,
    /// The names in the message, the labels and what they point at, too.
    Labels,
    /// The notes that explain it and the kinds of its suggestions, too.
    #[default]
    Notes,
}

impl FromStr for Detail {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "code" => Self::Code,
            "message" => Self::Message,
            "labels" => Self::Labels,
            "notes" => Self::Notes,
            _ => return Err(format!("`{text}` is none of code, message, labels, notes")),
        })
    }
}

/// In what two diagnostics differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// The code.
    Code,
    /// The message.
    Message,
    /// Its labels, or the parts at which they point.
    Labels,
    /// Its notes.
    Notes,
}
