//! What can go wrong.

use std::fmt;

/// Why there is no way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A character of the map is no height.
    Character { line: usize, column: usize, found: char },
    /// The lines of the map are not of one length.
    Ragged { line: usize, length: usize, expected: usize },
    /// There is nothing in the map.
    Empty,
    /// The goal cannot be reached.
    NoWay,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character { line, column, found } => write!(f, "{line}:{column}: `{found}` is no height"),
            Self::Ragged { line, length, expected } => {
                write!(f, "line {line} has {length} characters and not {expected}")
            }
            Self::Empty => f.write_str("the map is empty"),
            Self::NoWay => f.write_str("there is no way"),
        }
    }
}

impl std::error::Error for Error {}
