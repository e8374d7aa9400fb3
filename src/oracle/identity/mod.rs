//! What makes a diagnostic the same question: its code, its message, what its labels say and point at, the notes that explain it,
//! and the kinds of what it suggests. Other advice does not count, and neither does what names and types shrink to that are not
//! what a sentence is about.
//!
//! A chain of requirements (*required for .. to implement ..*) may lose links, and gains none.

mod advice;
mod names;
mod sentence;

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

use mcve_transforms::{Construct, Tree};

pub use self::names::{Names, OwnNames};
use self::sentence::Sentence;
use super::diagnostics::{Diagnostic, Span};
use super::normalise;
use crate::program::Program;

/// How much of a diagnostic a candidate has to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The error code or the name of the lint; the message, where it has neither.
    Code,
    /// The words of the message, too, whatever names and types are between them.
    Message,
    /// The names in the message, the labels and what they point at, too.
    Labels,
    /// The notes that explain it and the kinds of its suggestions, too.
    #[default]
    Notes,
}

impl FromStr for Detail {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "code" => Self::Code,
            "message" => Self::Message,
            "labels" => Self::Labels,
            "notes" => Self::Notes,
            _ => return Err(format!("`{text}` is none of code, message, labels, notes")),
        })
    }
}

/// What identifies a diagnostic.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The code or the name of the lint; else the words of the message.
    name: String,
    /// The words of the message.
    words: String,
    message: Sentence,
    labels: Vec<Label>,
    notes: Vec<Note>,
    /// The kinds of what it suggests.
    suggestions: Vec<Sentence>,
}

/// What a label says, and of what.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Label {
    is_primary: bool,
    said: Sentence,
    place: Place,
}

/// What a label points at.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    /// Code of the program, or of another crate; with the trait that settles what stands there.
    Code(Construct, Option<String>),
    /// What a macro made.
    Macro(String),
}

/// A note that explains, with its labels.
#[derive(Clone, Debug)]
struct Note {
    said: Sentence,
    labels: Vec<Label>,
}

/// How the links of a chain of requirements begin.
const LINKS: [&str; 5] = ["required for", "required because", "required so that", "required by cast", "which requires"];

/// What a macro's expansion is called that rustc makes itself of a `for` or a `?`.
const DESUGARING: &str = "desugaring of";

/// How labels begin where a type is to be inferred.
const INFERENCE: &str = "cannot infer type";

impl Identity {
    /// That of a diagnostic of the program of `names`.
    #[must_use]
    pub fn of(diagnostic: &Diagnostic, names: &Names<'_>) -> Self {
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
            words: normalise::message(&diagnostic.message),
            message: Sentence::read(&diagnostic.message),
            labels: places.labels(&diagnostic.spans),
            notes: notes.collect(),
            suggestions: suggestions.map(|text| Sentence::read(text).without_code()).collect(),
        }
    }

    /// Its error code or the name of its lint, or if it has none, the words of its message.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a diagnostic of the program of `names` has the same code and message.
    #[must_use]
    pub fn has_message(&self, other: &Diagnostic, names: &Names<'_>) -> bool {
        self.name == name(other) && self.message.is_same(&Sentence::read(&other.message), names)
    }

    /// What of it a diagnostic of the program of `names` does not show; nothing where it is the same in this detail.
    #[must_use]
    pub fn missing(&self, other: &Diagnostic, names: &Names<'_>, detail: Detail) -> Option<Difference> {
        if self.name != name(other) {
            return Some(Difference::Code);
        }
        if detail < Detail::Labels {
            let is_same = detail < Detail::Message || self.words == normalise::message(&other.message);
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

/// In what two diagnostics differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// The code.
    Code,
    /// The message.
    Message,
    /// What its labels say or point at.
    Labels,
    /// Its notes.
    Notes,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Code => "another code",
            Self::Message => "another message",
            Self::Labels => "other labels",
            Self::Notes => "other notes",
        })
    }
}

/// The error code of a diagnostic or the name of its lint, or if it has none, the words of its message.
#[must_use]
pub fn name(diagnostic: &Diagnostic) -> String {
    diagnostic.code.as_ref().map_or_else(|| normalise::message(&diagnostic.message), |code| code.code.clone())
}

fn same_labels(held: &[Label], seen: &[Label], names: &Names<'_>) -> bool {
    let is_same = |held: &Label, seen: &Label| {
        let is_same_place = match (&held.place, &seen.place) {
            (Place::Code(held, of_trait), Place::Code(seen, seen_trait)) => {
                let of_trait = of_trait.as_ref().filter(|name| !names.is_own(name));
                (*held == Construct::Other || held == seen) && (of_trait.is_none() || of_trait == seen_trait.as_ref())
            }
            (Place::Macro(held), Place::Macro(seen)) => names.are_same(held, seen),
            _ => false,
        };
        held.is_primary == seen.is_primary && held.said.is_same(&seen.said, names) && is_same_place
    };
    same_sets(held, seen, is_same)
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

/// Whether each of one list has its like in the other.
fn same_sets<T>(held: &[T], seen: &[T], is_same: impl Fn(&T, &T) -> bool) -> bool {
    held.iter().all(|held| seen.iter().any(|seen| is_same(held, seen)))
        && seen.iter().all(|seen| held.iter().any(|held| is_same(held, seen)))
}

/// Where labels point in a program.
struct Places<'p> {
    program: Option<&'p Program>,
    tree: Option<&'p Tree<'p>>,
    /// What a label says that says no more than that a bound is not satisfied.
    unsatisfied: Option<&'p str>,
}

impl Places<'_> {
    /// The labels of a diagnostic or a note, and its primary spans.
    fn labels(&self, spans: &[Span]) -> Vec<Label> {
        let spans = spans.iter().filter(|span| span.is_primary || span.label.is_some());
        let labels = spans.filter(|span| !span.label.as_deref().is_some_and(advice::is_advice)).map(|span| {
            let said = span.label.as_deref().unwrap_or_default();
            let said = self.unsatisfied.filter(|_| said == advice::UNSATISFIED).unwrap_or(said);
            let place = self.place(span, said.starts_with(INFERENCE));
            Label { is_primary: span.is_primary, said: Sentence::read(said), place }
        });
        labels.collect()
    }

    /// Where a span points; where a type is to be inferred, what its value is used for.
    fn place(&self, span: &Span, is_inferred: bool) -> Place {
        let expansion = span.expansion.as_ref().filter(|expansion| !expansion.macro_decl_name.starts_with(DESUGARING));
        if let Some(expansion) = expansion {
            return Place::Macro(expansion.macro_decl_name.trim_end_matches('!').to_owned());
        }
        let Some((tree, place)) = self.tree.zip(self.range(span)) else { return Place::Code(Construct::Other, None) };
        let construct = if is_inferred { Construct::use_at(tree, &place) } else { Construct::at(tree, &place) };
        Place::Code(construct, Construct::trait_around(tree, &place).map(str::to_owned))
    }

    fn range(&self, span: &Span) -> Option<Range<usize>> {
        self.program?.range(Path::new(&span.file_name), span.byte_start..span.byte_end)
    }
}

#[cfg(test)]
mod tests;
