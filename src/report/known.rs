//! Whether a failure is one that is known.

use std::sync::LazyLock;

use mcve_reduce::oracle::FailureId;
use regex::Regex;

/// The beginning of a message says what it is about if it has so many bytes.
const SHORTEST: usize = 8;

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
pub(crate) fn kinship(one: &FailureId, other: &FailureId) -> Option<Kinship> {
    let [(place, message), (other_place, other_message)] = [one, other].map(|failure| parts(&failure.words));
    if is_same(one, other) {
        Some(Kinship::Same)
    } else if !message.is_empty() && masked(message) == masked(other_message) {
        Some(Kinship::SameMessage)
    } else if !place.is_empty() && place == other_place {
        Some(Kinship::SamePlace)
    } else {
        None
    }
}

/// Whether two failures are the same, also where they come from two versions of the compiler: then numbers, and what a message quotes of
/// the compiler's data, may differ.
pub(crate) fn is_same(one: &FailureId, other: &FailureId) -> bool {
    let [own, others] = [one, other].map(|failure| comparable(&failure.words));
    one.fingerprint.is_some() && one.fingerprint == other.fingerprint || own == others
}

/// A text without what differs from one compiler or run to the next: numbers, addresses and hashes.
pub(crate) fn masked(text: &str) -> String {
    static VARIES: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"0x[0-9a-f]+|\[[0-9a-f]{4,}\]|(:?\b\d+\b)+").expect("it is well-formed"));
    VARIES.replace_all(text, "_").into_owned()
}

/// The words of a failure without what may differ. Of a crash these are the place, the query, and the message up to what it quotes.
fn comparable(words: &str) -> String {
    let (place, message) = parts(words);
    let quoted = message.find(['`', '(', '{', '[', '"']).unwrap_or(message.len());
    let query = words.rsplit_once(" (while ").map_or("", |(_, query)| query);
    if place.is_empty() || quoted < SHORTEST {
        return masked(words);
    }
    masked(&format!("{place}: {} {query}", &message[..quoted]))
}

/// The place of a crash in words, without the column; none if it names none.
pub(crate) fn place(words: &str) -> Option<String> {
    Some(parts(words).0.to_owned()).filter(|place| !place.is_empty())
}

/// The message of a crash in words, without what differs from one run to the next; none of what is no crash.
pub(crate) fn message(words: &str) -> Option<String> {
    let (place, message) = parts(words);
    (!place.is_empty() && message.len() >= SHORTEST).then(|| masked(message))
}

/// The place and the message of a crash in words: `internal compiler error at FILE:LINE:COLUMN: MESSAGE (while QUERY)`.
fn parts(words: &str) -> (&str, &str) {
    let Some((_, rest)) = words.split_once(" at ") else { return ("", words) };
    let Some((place, message)) = rest.split_once(": ") else { return ("", words) };
    (place.rsplit_once(':').map_or(place, |(line, _)| line), message.split(" (while ").next().unwrap_or(message))
}

/// The address of a search for a crash on the tracker of this repository of rust-lang.
pub(crate) fn search_link(failure: &FailureId, repository: &str) -> String {
    let (place, message) = parts(&failure.words);
    let file = place.rsplit('/').next().unwrap_or_default().split(':').next().unwrap_or_default();
    let message = masked(message);
    let words: Vec<&str> =
        message.split(|char: char| !char.is_alphanumeric()).filter(|word| word.len() > 2).take(8).collect();
    let terms: Vec<&str> =
        ["is:issue"].into_iter().chain(words).chain([file]).filter(|term| !term.is_empty()).collect();
    format!("https://github.com/rust-lang/{repository}/issues?q={}", terms.join("+").replace(':', "%3A"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crash(place: &str, message: &str, fingerprint: &str) -> FailureId {
        let words = format!("internal compiler error at compiler/rustc_x/src/{place}: {message} (while typeck)");
        FailureId { words, fingerprint: Some(fingerprint.to_owned()) }
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
            (crash("a.rs:9:5", "no entry found: `X`", "ice:6"), None),
        ] {
            assert_eq!(kinship(&one, &other), expected, "{other:?}");
        }
    }

    #[test]
    fn a_crash_is_the_same_where_its_compiler_counts_and_quotes_otherwise() {
        let one = crash("a.rs:10:5", "missing value for DefId(2:257 ~ core[c1f1]::x)", "ice:1");
        for (other, expected) in [
            (crash("a.rs:33:9", "missing value for DefId(2:99 ~ core[ab12]::x)", "ice:2"), true),
            (crash("a.rs:33:9", "missing value for Def { id: 1 }", "ice:2"), false),
            (crash("b.rs:10:5", "missing value for DefId(2:257 ~ core[c1f1]::x)", "ice:2"), false),
        ] {
            assert_eq!(is_same(&one, &other), expected, "{other:?}");
        }
        let error = |words: &str| FailureId { words: words.to_owned(), fingerprint: None };
        assert!(is_same(
            &error("LLVM ERROR: Cannot select: 0x7f10: i8"),
            &error("LLVM ERROR: Cannot select: 0x5560: i8")
        ));
        assert!(!is_same(&error("error E0599 at (a)"), &error("error E0599 at (b)")));
    }

    #[test]
    fn a_search_has_the_words_of_the_message_and_the_file() {
        let link = search_link(&crash("a.rs:10:5", "no entry found for `DefId(0:3)`", "ice:1"), "rust");
        assert_eq!(link, "https://github.com/rust-lang/rust/issues?q=is%3Aissue+entry+found+for+DefId+a.rs");
    }
}
