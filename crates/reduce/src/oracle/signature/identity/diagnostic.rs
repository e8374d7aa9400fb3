//! What makes a diagnostic the same question: its code, its message, what its labels say and point at, the notes that explain
//! it, and the kinds of its suggestions. Other advice does not count, and neither do names and types that a sentence is not
//! about.
//!
//! A chain of requirements (*required for .. to implement ..*) may lose links, and gains none.

use mcve_transforms::Tree;

use super::advice;
use super::detail::{Detail, Difference};
use super::label::{Label, Places, same_labels, same_sets};
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
            (!rest.is_empty()).then(|| Note { said: Sentence::read(rest), labels })
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
        let is_same_advice =
            || same_sets(&self.suggestions, &other.suggestions, |held, seen| held.is_same(seen, names));
        let differs = detail >= Detail::Notes && !(same_notes(&self.notes, &other.notes, names) && is_same_advice());
        differs.then_some(Difference::Notes)
    }
}

/// The error code of a diagnostic or the name of its lint, or if it has none, the words of its message.
#[must_use]
pub fn name(diagnostic: &Diagnostic) -> String {
    diagnostic.code.as_ref().map_or_else(|| normalise::message(&diagnostic.said()), |code| code.code.clone())
}

fn same_notes(held: &[Note], seen: &[Note], names: &Names<'_>) -> bool {
    let link = |note: &Note| LINKS.into_iter().find(|link| note.said.begins_with(link));
    let is_same = |held: &Note, seen: &Note| {
        held.said.is_same(&seen.said, names) && same_labels(&held.labels, &seen.labels, names)
    };
    let (held_links, held): (Vec<&Note>, Vec<&Note>) = held.iter().partition(|note| link(note).is_some());
    let (seen_links, seen): (Vec<&Note>, Vec<&Note>) = seen.iter().partition(|note| link(note).is_some());
    let is_known = |seen: &&Note| held_links.iter().any(|held| held.said.is_same(&seen.said, names));
    let is_left = |held: &&Note| seen_links.iter().any(|seen| link(seen) == link(held));
    seen_links.iter().all(is_known)
        && held_links.iter().all(is_left)
        && same_sets(&held, &seen, |held, seen| is_same(held, seen))
}
