//! What makes a diagnostic the same question: its code, its message, what its labels say and point at, the notes that explain
//! it, and the kinds of its suggestions. Other advice does not count, and neither do names and types that a sentence is not
//! about.
//!
//! A chain of requirements (*required for .. to implement ..*) may lose links, and gains none.

use mcve_transforms::Tree;

use super::advice;
use super::detail::{Detail, Difference};
use super::label::{Label, Places, odd_label, odd_one, same_labels};
use super::names::Names;
use super::sentence::Sentence;
use crate::oracle::output::diagnostics::Diagnostic;
use crate::oracle::output::normalise;

#[derive(Clone, Debug)]
pub(crate) struct Identity {
    /// The code or the name of the lint; else the words of the message.
    name: String,
    words: String,
    message: Sentence,
    labels: Vec<Label>,
    notes: Vec<Note>,
    /// The words of its suggestions, without code.
    suggestions: Vec<Sentence>,
}

/// A note that explains, with its labels.
#[derive(Clone, Debug)]
struct Note {
    said: Sentence,
    labels: Vec<Label>,
    /// What it says, as it was written.
    text: String,
}

/// The begin of the links of a chain of requirements.
const LINKS: [&str; 5] = ["required for", "required because", "required so that", "required by cast", "which requires"];

impl Identity {
    pub(crate) fn of(diagnostic: &Diagnostic, names: &Names<'_>) -> Self {
        let tree = names.source().map(Tree::new);
        let unsatisfied = advice::unsatisfied(diagnostic);
        let places = Places { program: names.program, tree: tree.as_ref(), unsatisfied };
        let notes = diagnostic.children.iter().filter_map(|child| {
            let is_of_program = child.spans.iter().any(|span| places.range(span).is_some());
            let text = advice::explanation(child, is_of_program)?;
            let rest = unsatisfied.and_then(|said| text.strip_prefix(said)).unwrap_or(&text);
            let labels = if rest.len() < text.len() { Vec::new() } else { places.labels(&child.spans) };
            (!rest.is_empty()).then(|| Note { said: Sentence::read(rest), labels, text: rest.to_owned() })
        });
        let suggestions = diagnostic.children.iter().filter_map(advice::suggestion);
        Self {
            name: name(diagnostic),
            words: normalise::message(&diagnostic.said()),
            message: Sentence::read(&diagnostic.message),
            labels: places.labels(&diagnostic.spans),
            notes: notes.collect(),
            suggestions: suggestions.map(|text| Sentence::read(text).without_code()).collect(),
        }
    }

    /// Its error code or the name of its lint, or if it has none, the words of its message.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether a diagnostic of the program of `names` has the same code and message.
    pub(crate) fn has_message(&self, other: &Diagnostic, names: &Names<'_>) -> bool {
        self.name == name(other) && self.message.is_same(&Sentence::read(&other.message), names)
    }

    /// In what a diagnostic of the program of `names` differs; none if it is the same in this detail.
    pub(crate) fn missing(&self, other: &Diagnostic, names: &Names<'_>, detail: Detail) -> Option<Difference> {
        if self.name != name(other) {
            return Some(Difference::Code);
        }
        if detail < Detail::Labels {
            let is_same = detail < Detail::Message || self.words == normalise::message(&other.said());
            return (!is_same).then_some(Difference::Message);
        }
        if !self.has_message(other, names) {
            return Some(Difference::Message);
        }
        let other = Self::of(other, names);
        if !same_labels(&self.labels, &other.labels, names) {
            return Some(Difference::Labels);
        }
        let odd_advice = || odd_one(&self.suggestions, &other.suggestions, |own, seen| own.is_same(seen, names));
        let differs = || odd_note(&self.notes, &other.notes, names).is_some() || odd_advice().is_some();
        (detail >= Detail::Notes && differs()).then_some(Difference::Notes)
    }

    /// In what a diagnostic differs, in words.
    pub(crate) fn difference(&self, other: &Diagnostic, names: &Names<'_>, difference: Difference) -> String {
        let first_line = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        let odd = |what: &str, text: &str, is_lost: bool| {
            format!("{} {what}: {}", if is_lost { "no" } else { "a new" }, first_line(text))
        };
        let seen = Self::of(other, names);
        match difference {
            Difference::Code => format!("no {}", self.name),
            Difference::Message => format!("another message: {}", first_line(&other.said())),
            Difference::Labels => match odd_label(&self.labels, &seen.labels, names) {
                Some((label, _)) if label.text.is_empty() => "it points at another part".to_owned(),
                Some((lost, true)) if seen.labels.iter().any(|label| label.said.is_same(&lost.said, names)) => {
                    format!("another part has the label: {}", lost.text)
                }
                Some((label, is_lost)) => odd("label", &label.text, is_lost),
                None => "other labels".to_owned(),
            },
            Difference::Notes => match odd_note(&self.notes, &seen.notes, names) {
                Some((note, is_lost)) => odd("note", &note.text, is_lost),
                None => "other suggestions".to_owned(),
            },
        }
    }
}

/// The error code of a diagnostic or the name of its lint, or if it has none, the words of its message.
pub fn name(diagnostic: &Diagnostic) -> String {
    diagnostic.code_or_lint().map_or_else(|| normalise::message(&diagnostic.said()), str::to_owned)
}

/// The first note that only one of two diagnostics has, and whether it is the first one.
fn odd_note<'n>(held: &'n [Note], seen: &'n [Note], names: &Names<'_>) -> Option<(&'n Note, bool)> {
    let link = |note: &Note| LINKS.into_iter().find(|link| note.said.begins_with(link));
    let is_same = |held: &&Note, seen: &&Note| {
        held.said.is_same(&seen.said, names) && same_labels(&held.labels, &seen.labels, names)
    };
    let (held_links, held): (Vec<&Note>, Vec<&Note>) = held.iter().partition(|note| link(note).is_some());
    let (seen_links, seen): (Vec<&Note>, Vec<&Note>) = seen.iter().partition(|note| link(note).is_some());
    let is_known = |seen: &&&Note| held_links.iter().any(|held| held.said.is_same(&seen.said, names));
    let is_left = |held: &&&Note| seen_links.iter().any(|seen| link(seen) == link(held));
    let new = seen_links.iter().find(|seen| !is_known(seen)).map(|new| (*new, false));
    let lost = || held_links.iter().find(|held| !is_left(held)).map(|lost| (*lost, true));
    new.or_else(lost).or_else(|| odd_one(&held, &seen, is_same).map(|(note, is_lost)| (*note, is_lost)))
}
