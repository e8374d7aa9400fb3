//! Whether a failure is one that is known.

use std::sync::LazyLock;

use mcve_reduce::oracle::FailureId;
use regex::Regex;
use serde::{Deserialize, Serialize};

/// The failure of a program.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(crate) struct Identity {
    pub(crate) words: String,
    pub(crate) fingerprint: Option<String>,
}

impl From<FailureId> for Identity {
    fn from(failure: FailureId) -> Self {
        Self { words: failure.words, fingerprint: failure.fingerprint }
    }
}

/// How alike two failures are, the most alike first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kinship {
    /// The same file of the compiler, and the same message.
    Same,
    /// The same message at another place of the compiler, or in another query.
    SameMessage,
    /// Another message at the same place.
    SamePlace,
}

impl Kinship {
    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Same => "same place and message",
            Self::SameMessage => "same message elsewhere",
            Self::SamePlace => "another message at the same place",
        }
    }
}

/// How alike two failures are; none if they are not.
pub(crate) fn kinship(one: &Identity, other: &Identity) -> Option<Kinship> {
    let [(place, message), (other_place, other_message)] = [one, other].map(|identity| parts(&identity.words));
    if is_same(one, other) {
        Some(Kinship::Same)
    } else if !message.is_empty() && message == other_message {
        Some(Kinship::SameMessage)
    } else if !place.is_empty() && place == other_place {
        Some(Kinship::SamePlace)
    } else {
        None
    }
}

/// Whether two failures are the same, also of two versions of a compiler: in these the lines of its source are others.
pub(crate) fn is_same(one: &Identity, other: &Identity) -> bool {
    static LINE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\.rs(:\d+)+").expect("it is well-formed"));
    let [words, other_words] = [one, other].map(|identity| LINE.replace_all(&identity.words, ".rs"));
    one.fingerprint.is_some() && one.fingerprint == other.fingerprint || words == other_words
}

/// The place and the message of a crash in words: `internal compiler error at FILE:LINE:COLUMN: MESSAGE (while QUERY)`.
fn parts(words: &str) -> (&str, &str) {
    let Some((_, rest)) = words.split_once(" at ") else { return ("", words) };
    let Some((place, message)) = rest.split_once(": ") else { return ("", words) };
    (place.rsplit_once(':').map_or(place, |(line, _)| line), message.split(" (while ").next().unwrap_or(message))
}

/// The address of a search for a crash on the tracker of rustc.
pub(crate) fn search_link(identity: &Identity) -> String {
    let (place, message) = parts(&identity.words);
    let file = place.rsplit('/').next().unwrap_or_default().split(':').next().unwrap_or_default();
    let words: Vec<&str> =
        message.split(|char: char| !char.is_alphanumeric()).filter(|word| word.len() > 2).take(8).collect();
    let terms: Vec<&str> =
        ["is:issue"].into_iter().chain(words).chain([file]).filter(|term| !term.is_empty()).collect();
    format!("https://github.com/rust-lang/rust/issues?q={}", terms.join("+").replace(':', "%3A"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crash(place: &str, message: &str, fingerprint: &str) -> Identity {
        let words = format!("internal compiler error at compiler/rustc_x/src/{place}: {message} (while typeck)");
        Identity { words, fingerprint: Some(fingerprint.to_owned()) }
    }

    #[test]
    fn crashes_are_alike_by_place_or_message() {
        let one = crash("a.rs:10:5", "no entry found", "ice:1");
        for (other, expected) in [
            (crash("a.rs:10:5", "no entry found", "ice:1"), Some(Kinship::Same)),
            (crash("a.rs:14:5", "no entry found", "ice:5"), Some(Kinship::Same)),
            (crash("b.rs:1:5", "no entry found", "ice:2"), Some(Kinship::SameMessage)),
            (crash("a.rs:10:9", "index out of bounds", "ice:3"), Some(Kinship::SamePlace)),
            (crash("c.rs:10:5", "index out of bounds", "ice:4"), None),
        ] {
            assert_eq!(kinship(&one, &other), expected, "{other:?}");
        }
    }

    #[test]
    fn a_search_has_the_words_of_the_message_and_the_file() {
        let link = search_link(&crash("a.rs:10:5", "no entry found for `DefId(0:3)`", "ice:1"));
        assert_eq!(link, "https://github.com/rust-lang/rust/issues?q=is%3Aissue+entry+found+for+DefId+a.rs");
    }
}
