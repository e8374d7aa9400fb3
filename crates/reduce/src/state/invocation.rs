//! The command line of a run and the facts it depends on: all of them must be unchanged when the run is resumed.

use std::ffi::OsString;
use std::fmt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::exec::environment::VARIABLES;
use crate::oracle::shell::quote;
use crate::program::ContentHash;

/// The version that writes journals. Another version may search differently.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The question of a run: its command line, folder and input.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Invocation {
    /// The version of mcve.
    pub version: String,
    /// The command line, the program's name first.
    words: Vec<Text>,
    /// The folder in which the command was run.
    folder: Text,
    /// The path of the result, absolute and without links.
    result: Text,
    /// The unreduced program.
    pub input: ContentHash,
}

/// A name and its value at some time.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct Fact {
    name: String,
    value: String,
}

/// A fact that changed while a run was interrupted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    name: String,
    was: String,
    is: String,
}

/// A string of the system, readable if it is text.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Text {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<OsString> for Text {
    fn from(word: OsString) -> Self {
        word.into_string().map_or_else(|word| Self::Bytes(word.as_bytes().to_vec()), Self::Text)
    }
}

impl From<Text> for OsString {
    fn from(text: Text) -> Self {
        match text {
            Text::Text(text) => text.into(),
            Text::Bytes(bytes) => Self::from_vec(bytes),
        }
    }
}

impl Invocation {
    /// The invocation of this version by the command line `words` in `folder` on `input`, with the result at `result`.
    pub fn new(words: &[OsString], folder: PathBuf, result: PathBuf, input: ContentHash) -> Self {
        let words = words.iter().cloned().map(Text::from).collect();
        let [folder, result] = [folder, result].map(|path| path.into_os_string().into());
        Self { version: VERSION.to_owned(), words, folder, result, input }
    }

    /// What is not the same in the run that asks `now`, so that it cannot go on from this one.
    pub(super) fn change(&self, now: &Self) -> Option<String> {
        if self.version != now.version {
            return Some(format!("the last run was one of mcve {}", self.version));
        }
        (self.input != now.input).then(|| "the input has changed since the last run".to_owned())
    }

    /// The path of the result.
    pub fn result(&self) -> PathBuf {
        OsString::from(self.result.clone()).into()
    }

    /// The command line, the program's name first.
    pub fn words(&self) -> Vec<OsString> {
        self.words.iter().cloned().map(OsString::from).collect()
    }

    /// The folder in which the command was run.
    pub fn folder(&self) -> PathBuf {
        OsString::from(self.folder.clone()).into()
    }
}

/// The command line, quoted for a shell.
impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("mcve")?;
        self.words().iter().skip(1).try_for_each(|word| write!(f, " {}", quote(word)))
    }
}

impl Fact {
    pub(crate) fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into() }
    }

    /// The environment of checks, as far as it is known to matter.
    pub(crate) fn environment() -> Vec<Self> {
        let value = |name| std::env::var_os(name).map_or("not set".to_owned(), |value| format!("{value:?}"));
        VARIABLES.iter().map(|name| Self::new(format!("the variable {name}"), value(name))).collect()
    }

    pub(crate) fn first_change(were: &[Self], are: &[Self]) -> Option<Change> {
        let value = |facts: &[Self], name: &str| {
            facts.iter().find(|fact| fact.name == name).map_or("none".to_owned(), |fact| fact.value.clone())
        };
        were.iter().chain(are).find_map(|Self { name, .. }| {
            let (was, is) = (value(were, name), value(are, name));
            (was != is).then(|| Change { name: name.clone(), was, is })
        })
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} has changed: it was {}, and is {}", self.name, self.was, self.is)
    }
}

impl std::error::Error for Change {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Program;

    #[test]
    fn words_come_back_even_where_they_are_no_text() {
        let words = ["mcve".into(), "a b.rs".into(), OsString::from_vec(vec![0xff, b'a'])];
        let question = Invocation::new(&words, "/here".into(), "/r.rs".into(), Program::new("a.rs", "").hash());
        let json = serde_json::to_string(&question).expect("all of it can be written");
        let again: Invocation = serde_json::from_str(&json).expect("and read");
        assert_eq!(again, question);
        assert_eq!(again.words(), words);
        assert_eq!(again.folder(), PathBuf::from("/here"));
        assert!(json.contains("a b.rs"), "{json}");
        assert!(question.to_string().starts_with("mcve 'a b.rs' "), "{question}");
    }

    #[test]
    fn no_part_of_a_command_is_hidden() {
        let words = ["mcve", "a.rs\u{1b}[2K\r", "b\u{202e}"].map(OsString::from);
        let question = Invocation::new(&words, "/here".into(), "/r.rs".into(), Program::new("a.rs", "").hash());
        assert_eq!(question.to_string(), r#"mcve "$(printf 'a.rs\033\1332K\015')" "$(printf 'b\342\200\256')""#);
    }

    #[test]
    fn a_change_is_told_by_name_whichever_side_lacks_it() {
        let (one, two) = ([Fact::new("rustc", "1.95")], [Fact::new("rustc", "1.96")]);
        let change = |were: &[Fact], are: &[Fact]| Fact::first_change(were, are).map(|change| change.to_string());
        assert_eq!(change(&one, &one), None);
        assert_eq!(change(&one, &two).as_deref(), Some("rustc has changed: it was 1.95, and is 1.96"));
        assert_eq!(change(&one, &[]).as_deref(), Some("rustc has changed: it was 1.95, and is none"));
        assert_eq!(change(&[], &one).as_deref(), Some("rustc has changed: it was none, and is 1.95"));
    }
}
