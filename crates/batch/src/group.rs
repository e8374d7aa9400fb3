//! Groups of inputs with the same failure.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::files::hash;
use crate::input::Input;

/// The failure of an input, if it has one.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Recognised {
    /// The key of the input, of which [`Invocation::key`](crate::invocation::Invocation::key) makes one.
    pub key: String,
    /// Its failure; none if it shows none.
    pub failure: Option<Shown>,
    /// Why it shows none, in words.
    pub why: String,
}

/// A failure.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// In words.
    pub words: String,
    /// In a form that two runs can compare, if there is one.
    pub fingerprint: Option<String>,
}

impl Shown {
    /// What all failures of a group share: the fingerprint, or else the words.
    pub fn identity(&self) -> &str {
        self.fingerprint.as_deref().unwrap_or(&self.words)
    }
}

/// Inputs with the same failure.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Group {
    /// The name of its folder.
    pub name: String,
    /// The failure of the input that is reduced first.
    pub failure: Shown,
    /// The inputs, in the order in which they would be reduced: the cheapest first.
    pub members: Vec<Input>,
}

impl Group {
    /// The inputs of different content, the cheapest first.
    pub fn distinct(&self) -> impl Iterator<Item = &Input> {
        let mut seen = BTreeSet::new();
        self.members.iter().filter(move |input| seen.insert(&input.hash))
    }
}

/// The groups of failing inputs, the cheapest first.
pub fn groups<'a>(failing: impl IntoIterator<Item = (&'a Input, &'a Shown)>) -> Vec<Group> {
    let mut by_failure: BTreeMap<&str, Vec<(&Input, &Shown)>> = BTreeMap::new();
    for (input, failure) in failing {
        by_failure.entry(failure.identity()).or_default().push((input, failure));
    }
    let mut taken = BTreeSet::new();
    let mut groups: Vec<Group> = Vec::new();
    for (identity, mut members) in by_failure {
        members.sort_by(|(one, _), (other, _)| cost(one).cmp(&cost(other)));
        let failure = members[0].1.clone();
        let own = name(identity);
        let names = std::iter::once(own.clone()).chain((2..).map(|count| format!("{own}-{count}")));
        let name = names.into_iter().find(|name| taken.insert(name.clone())).expect("some name is free");
        groups.push(Group { name, failure, members: members.into_iter().map(|(input, _)| input.clone()).collect() });
    }
    groups.sort_by(|one, other| (cost(&one.members[0]), &one.name).cmp(&(cost(&other.members[0]), &other.name)));
    groups
}

/// Inputs are reduced in this order: files before packages, small ones before large ones.
fn cost(input: &Input) -> impl Ord + use<'_> {
    (input.kind, input.bytes, &input.name)
}

/// The name of a folder for a failure: `ice-statement-894-3f2a9c` for `ice:rustc_middle/src/mir/statement.rs:894:3f2a9c`.
fn name(identity: &str) -> String {
    let short = |part: &str| part.rsplit('/').next().unwrap_or(part).trim_end_matches(".rs").to_owned();
    let parts: Vec<String> = identity.split(':').map(short).collect();
    let is_plain = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
    let name: String = parts.join("-").chars().map(|char| if is_plain(char) { char } else { '-' }).collect();
    // Words are long, and may be the same up to where they are cut.
    if name.len() > LONGEST { format!("failure-{}", &hash(identity.as_bytes())[..12]) } else { name }
}

/// The most bytes of the name of a folder.
const LONGEST: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Kind;

    fn input(name: &str, kind: Kind, bytes: u64) -> Input {
        Input { name: name.to_owned(), kind, hash: format!("{bytes}"), bytes }
    }

    #[test]
    fn inputs_of_one_failure_are_a_group_with_the_cheapest_first() {
        let inputs = [
            input("a.rs", Kind::File, 9),
            input("b.rs", Kind::File, 5),
            input("c.rs", Kind::File, 9),
            input("p", Kind::Package, 1),
            input("d.rs", Kind::File, 2),
            input("e.rs", Kind::File, 1),
        ];
        let shown = |fingerprint: &str| {
            Some(Shown { words: format!("words of {fingerprint}"), fingerprint: Some(fingerprint.to_owned()) })
        };
        let failures = [
            shown("ice:x/y.rs:1:aa"),
            shown("ice:x/y.rs:1:aa"),
            shown("ice:x/y.rs:1:aa"),
            shown("ice:x/y.rs:1:aa"),
            shown("errors:bb"),
            None,
        ];
        let failing = inputs.iter().zip(&failures).filter_map(|(input, failure)| Some((input, failure.as_ref()?)));
        let groups = groups(failing);
        let names: Vec<_> = groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["errors-bb", "ice-y-1-aa"]);
        let members: Vec<_> = groups[1].members.iter().map(|input| input.name.as_str()).collect();
        assert_eq!(members, ["b.rs", "a.rs", "c.rs", "p"]);
        // `a.rs` and `c.rs` have the same content.
        assert_eq!(groups[1].distinct().map(|input| input.name.as_str()).collect::<Vec<_>>(), ["b.rs", "a.rs", "p"]);
    }

    #[test]
    fn long_words_become_a_short_name() {
        let words = "error E0308: ".to_owned() + &"x".repeat(100);
        assert_eq!(name(&words).len(), "failure-".len() + 12);
        assert_ne!(name(&words), name(&(words.clone() + "y")));
        assert_eq!(name("test fails/with: this"), "with--this");
    }
}
