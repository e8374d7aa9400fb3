//! What is being reduced.

use std::path::PathBuf;
use std::sync::Arc;

use mcve_transforms::Measure;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(u128);

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
        ContentHash(xxh3_128(self.text.as_bytes()))
    }

    /// The size.
    #[must_use]
    pub fn measure(&self) -> Measure {
        Measure::of(&self.text)
    }
}
