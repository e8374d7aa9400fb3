//! What happens without each part of a result, in a few words: at most two labels over each other.

use std::cmp::Reverse;

use mcve_reduce::event::Attempt;

use super::explain::reason;
use crate::report::log::{RefusedAt, ResultLine, Run};

/// A longer text is cut in a label.
const LONGEST: usize = 32;

/// A label of a part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    /// The line, by its index among those of the run.
    pub(crate) line: usize,
    /// Where the part begins and ends in the line, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// What happens without it.
    pub(crate) text: String,
}

/// A change of a part of a line that a check refused.
struct Choice<'a> {
    at: &'a RefusedAt,
    attempt: &'a Attempt,
    /// The text of the part.
    part: &'a str,
    words: String,
}

/// The labels of the result of a run, in the order of its text.
pub(crate) fn labels(run: &Run) -> Vec<Label> {
    let label = |(index, _): (usize, &ResultLine)| {
        let chosen = chosen(run, index);
        let is_inside = |own: &Choice<'_>| {
            let holds = |other: &Choice<'_>| other.at.start <= own.at.start && own.at.end <= other.at.end;
            chosen.iter().filter(|other| holds(other)).count() > 1
        };
        let mut labels: Vec<Label> = chosen.iter().map(|choice| choice.label(index, is_inside(choice))).collect();
        labels.sort_by_key(|label| (label.start, Reverse(label.end)));
        labels
    };
    run.lines.iter().enumerate().flat_map(label).collect()
}

/// The parts of a result that may be any of their kind.
pub(crate) fn general(run: &Run) -> Vec<Label> {
    let (mut labels, mut start) = (Vec::new(), 0);
    for (line, ResultLine { text, .. }) in run.lines.iter().enumerate() {
        for part in &run.general {
            // A part of several lines has its label at the first one.
            if let Some(at) = part.start.checked_sub(start).filter(|at| *at < text.len()) {
                let end = (part.end - start).min(text.len());
                labels.push(Label { line, start: at, end, text: format!("any {}", part.kind) });
            }
        }
        start += text.len() + 1;
    }
    labels
}

/// The changes that say most of a line: the largest parts of it that lie apart, and the largest parts of those.
fn chosen(run: &Run, index: usize) -> Vec<Choice<'_>> {
    let line = &run.lines[index];
    let mut all: Vec<Choice<'_>> = line.tried.iter().filter_map(|at| choice(run, index, at)).collect();
    all.sort_by_key(|choice| {
        let is_error = choice.words.starts_with("error");
        (Reverse(choice.at.end - choice.at.start), !choice.at.is_whole, !choice.is_deletion(), is_error)
    });
    let mut chosen: Vec<Choice<'_>> = Vec::new();
    for choice in all {
        let (start, end) = (choice.at.start, choice.at.end);
        let others = || chosen.iter().filter(|other| other.at.start < end && start < other.at.end);
        let is_inside = |other: &Choice<'_>| {
            other.at.start <= start && end <= other.at.end && (other.words != choice.words || !choice.is_deletion())
        };
        if others().count() < 2
            && others().all(is_inside)
            && others().all(|other| other.at.start != start || other.at.end != end)
        {
            chosen.push(choice);
        }
    }
    chosen
}

/// A change that says something of a line: one of that line alone, or one that takes away what begins in it.
fn choice<'a>(run: &'a Run, index: usize, at: &'a RefusedAt) -> Option<Choice<'a>> {
    let (line, attempt) = (&run.lines[index], run.tried.get(at.number)?);
    let part = line.text.get(at.start..at.end).filter(|part| !part.is_empty())?;
    if !at.is_whole && !begins(attempt, if line.was.is_empty() { part } else { &line.was }) {
        return None;
    }
    let rejection = attempt.rejection.as_ref().filter(|rejection| rejection.by != "meaning")?;
    let words = reason(rejection);
    // That the failure is gone goes without saying.
    let words = if words.starts_with("no ") { words.split_once("; ").map_or(words, |(_, new)| new) } else { words };
    let words = words.strip_prefix("new ").unwrap_or(words).lines().next().unwrap_or_default().to_owned();
    (!words.is_empty()).then_some(Choice { at, attempt, part, words })
}

/// Whether a change only takes away several lines, of which the first is this one.
fn begins(attempt: &Attempt, line: &str) -> bool {
    let first = attempt.before.split_once('\n').map(|(first, _)| first);
    attempt.after.is_empty() && first.is_some_and(|first| bare(first) == bare(line))
}

impl Choice<'_> {
    /// Whether the part goes, and nothing comes in its place.
    fn is_deletion(&self) -> bool {
        let Attempt { before, after, .. } = self.attempt;
        after.is_empty() || !self.at.is_whole || bare(&before.replacen(self.part, "", 1)) == bare(after)
    }

    /// The label of it; one inside of another label says what its part is.
    fn label(&self, line: usize, is_inside: bool) -> Label {
        let (Attempt { before, after, .. }, words) = (self.attempt, &self.words);
        let text = match (self.is_deletion(), bare(before) == bare(self.part)) {
            (true, _) if is_inside => format!("without `{}`: {words}", short(self.part)),
            (true, _) => format!("without it: {words}"),
            (false, true) if !is_inside => format!("`{}` instead: {words}", short(after)),
            (false, _) => format!("`{}` for `{}`: {words}", short(after), short(before)),
        };
        Label { line, start: self.at.start, end: self.at.end, text }
    }
}

/// A text without its layout.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// A text as one line that is not too long.
pub(super) fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= LONGEST { text } else { text.chars().take(LONGEST).chain(['.', '.']).collect() }
}

#[cfg(test)]
mod tests {
    use mcve_reduce::event::Rejection;

    use super::*;

    fn run(text: &str, tried: &[(&str, &str, &str, [usize; 2])]) -> Run {
        let at = |(number, (.., [start, end])): (usize, &(&str, &str, &str, [usize; 2]))| RefusedAt {
            number,
            start: *start,
            end: *end,
            is_whole: true,
        };
        let line = ResultLine {
            file: "a.rs".to_owned(),
            line: 1,
            text: text.to_owned(),
            was: String::new(),
            tried: tried.iter().enumerate().map(at).collect(),
            left: Vec::new(),
            untraced: Vec::new(),
        };
        let attempt = |(before, after, reason, _): &(&str, &str, &str, [usize; 2])| Attempt {
            place: "a.rs:1:1".to_owned(),
            transform: "t".to_owned(),
            before: (*before).to_owned(),
            after: (*after).to_owned(),
            bytes: Vec::new(),
            rejection: Some(Rejection { reason: (*reason).to_owned(), check: Some(1), ..Rejection::default() }),
        };
        Run { lines: vec![line], tried: tried.iter().map(attempt).collect(), ..Run::default() }
    }

    #[test]
    fn the_largest_parts_have_labels_and_the_largest_parts_of_those() {
        let run = run(
            "f(a + b);",
            &[
                ("f(a + b);", "", "it compiles", [0, 9]),
                ("a + b", "a", "new error E0308: mismatched types", [4, 7]),
                ("a", "1", "it compiles", [2, 3]),
                ("a + b", "0", "another failure: x", [2, 7]),
                ("b", "", "it compiles", [6, 7]),
            ],
        );
        let texts: Vec<(usize, String)> = labels(&run).into_iter().map(|label| (label.start, label.text)).collect();
        let expected =
            [(0, "without it: it compiles".to_owned()), (2, "`0` for `a + b`: another failure: x".to_owned())];
        assert_eq!(texts, expected);
    }

    #[test]
    fn what_only_loses_a_part_is_a_deletion() {
        let run = run("a + b", &[("a + b", "a", "new error E0308: mismatched types", [2, 5])]);
        assert_eq!(labels(&run)[0].text, "without it: error E0308: mismatched types");
    }
}
