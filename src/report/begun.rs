//! How a run was begun.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The command line of a run, the program's name first, and the folder in which it was typed.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct Begun {
    pub(crate) words: Vec<String>,
    pub(crate) folder: PathBuf,
}

impl Begun {
    /// A run of these words in the current folder; of one that is gone the path is empty.
    pub(crate) fn now(words: &[OsString]) -> Self {
        let words = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        Self { words, folder: std::env::current_dir().unwrap_or_default() }
    }
}
