//! What is being reduced.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use mcve_transforms::Measure;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// A program: the name of its file and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The file's own name, kept in every check: some failures depend on it.
    pub name: PathBuf,
    /// The text.
    pub text: Arc<str>,
}

/// A hash of a program's content, equal for equal texts and for practical purposes only then.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContentHash(u128);

/// As hexadecimal digits.
impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> Self {
        format!("{:032x}", hash.0)
    }
}

impl ContentHash {
    /// The hash of what a file holds.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes))
    }
}

/// A hash that was made piece by piece.
impl From<u128> for ContentHash {
    fn from(hash: u128) -> Self {
        Self(hash)
    }
}

impl TryFrom<String> for ContentHash {
    type Error = std::num::ParseIntError;

    fn try_from(digits: String) -> Result<Self, Self::Error> {
        u128::from_str_radix(&digits, 16).map(Self)
    }
}

impl Program {
    /// A program of one file.
    #[must_use]
    pub fn new(name: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// The same file with another text.
    #[must_use]
    pub fn with_text(&self, text: impl Into<Arc<str>>) -> Self {
        Self { name: self.name.clone(), text: text.into() }
    }

    /// The hash of the content.
    #[must_use]
    pub fn hash(&self) -> ContentHash {
        ContentHash::of(self.text.as_bytes())
    }

    /// The bytes that it replaced of the program `before`, and those that it has in their place.
    #[must_use]
    pub fn changed_since(&self, before: &Self) -> (Range<usize>, Range<usize>) {
        let (before, now) = (before.text.as_bytes(), self.text.as_bytes());
        let same = |pair: &(&u8, &u8)| pair.0 == pair.1;
        let start = before.iter().zip(now).take_while(same).count();
        let most = before.len().min(now.len()) - start;
        let end = before.iter().rev().zip(now.iter().rev()).take(most).take_while(same).count();
        (start..before.len() - end, start..now.len() - end)
    }

    /// The size.
    #[must_use]
    pub fn measure(&self) -> Measure {
        Measure::of(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(before: &str, now: &str) -> (Range<usize>, Range<usize>) {
        Program::new("a.rs", now).changed_since(&Program::new("a.rs", before))
    }

    #[test]
    fn the_changed_bytes_are_what_is_not_shared_at_the_ends() {
        assert_eq!(changed("abcd", "abxd"), (2..3, 2..3));
        assert_eq!(changed("aa", "aaa"), (2..2, 2..3));
        assert_eq!(changed("aaa", "aa"), (2..3, 2..2));
        assert_eq!(changed("ab", "ab"), (2..2, 2..2));
        assert_eq!(changed("é", "è"), (1..2, 1..2));
    }
}
