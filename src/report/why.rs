//! Why a part of a result is still there: the attempts at it, from the log of the run.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::io;
use std::path::Path;

use super::log::{Line, ResultLine, read};
use mcve_reduce::event::{Attempt, Ending, Rejection};

/// So many changes of a line are shown, or reasons listed.
const SHOWN: usize = 30;

/// A log that was read.
pub(crate) struct Run {
    tried: Vec<Attempt>,
    /// The lines of the result; none where the log was cut off.
    lines: Vec<ResultLine>,
    is_complete: bool,
}

impl Run {
    /// Reads a log.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a log.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        let mut lines = read(path)?;
        if !matches!(lines.next(), Some(Line::Log(_))) {
            return Err(io::Error::other("it is not a log: `mcve --log FILE` writes one"));
        }
        let mut run = Self { tried: Vec::new(), lines: Vec::new(), is_complete: false };
        for line in lines {
            match line {
                Line::Tried(attempt) => run.tried.push(attempt),
                Line::Result(line) => run.lines.push(line),
                Line::Ending(ending) => run.is_complete = ending == Ending::Complete,
                Line::Log(_) => {}
            }
        }
        Ok(run)
    }

    /// Whether a transform or a pass of this name proposed something.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.tried.iter().any(|attempt| attempt.transform == name)
    }

    /// Why a line, as `N` or `FILE:N`, is as it is, or what transforms or passes of these names tried there or anywhere; without
    /// both, numbers.
    pub(crate) fn explain(&self, place: Option<&str>, only: &[&str]) -> Result<String, String> {
        let mut words = String::new();
        if !self.is_complete {
            words.push_str("The run did not come to its end: not all was tried.\n\n");
        }
        let mut line = None;
        let tried: Vec<&Attempt> = match place {
            None if only.is_empty() => return Ok(words + &self.numbers()),
            None => self.tried.iter().collect(),
            Some(place) if self.lines.is_empty() => {
                let place = if place.contains(':') { format!("{place}:") } else { format!(":{place}:") };
                let is_there = |attempt: &&Attempt| attempt.place.contains(&place);
                self.tried.iter().filter(is_there).collect()
            }
            Some(place) => {
                let names = |line: &&ResultLine| {
                    let own = format!("/{}:{}", line.file, line.line);
                    own.ends_with(&format!("/{place}")) || own.ends_with(&format!(":{place}"))
                };
                let [found] = self.lines.iter().filter(names).collect::<Vec<_>>()[..] else {
                    return Err(format!("{place} is no line of the result, or of several of its files: try FILE:N"));
                };
                let _ = writeln!(words, "{}:{}: {}\n", found.file, found.line, found.text);
                if !found.was.is_empty() {
                    let _ = writeln!(words, "When it was tried to change this, it was: {}\n", found.was);
                }
                line = Some(found);
                found.tried.iter().filter_map(|number| self.tried.get(*number)).collect()
            }
        };
        let tried = tried.into_iter().filter(|attempt| only.is_empty() || only.contains(&&*attempt.transform));
        let mut seen = BTreeSet::new();
        let all: Vec<String> = tried.filter_map(refusal).filter(|words| seen.insert(words.clone())).collect();
        let shown = if only.is_empty() { SHOWN } else { all.len() };
        words.extend(all.iter().take(shown).cloned());
        if all.len() > shown {
            let _ = writeln!(words, ".. and {} more: --transform NAME shows all of one transform", all.len() - shown);
        }
        let parts = |parts: &[String]| format!("`{}`", parts.join("`, `"));
        if let Some(line) = line.filter(|line| !line.untraced.is_empty()) {
            let _ = writeln!(
                words,
                "Moved, renamed or laid out by the last steps, so that the attempts at it are not known: {}. \
                 `--transform NAME` without a line shows all attempts of one transform",
                parts(&line.untraced)
            );
        }
        if let Some(line) = line.filter(|line| only.is_empty() && !line.left.is_empty()) {
            let _ = writeln!(words, "No transform proposed to change: {}", parts(&line.left));
        }
        let is_traced = line.is_none_or(|line| line.untraced.is_empty());
        if all.is_empty() && is_traced {
            words.push_str("Nothing of that kind was proposed here and refused.\n");
        } else if line.is_some() && is_traced && only.is_empty() && all.len() <= SHOWN {
            // A log has all changes of one line that a check refused, and only some of the others.
            words.push_str(
                "No check refused another change of this line alone: `mcve list --search WORD` finds transforms.\n",
            );
        }
        Ok(words)
    }

    /// How many changes were tried, who refused them, and why.
    fn numbers(&self) -> String {
        let refused = || self.tried.iter().filter_map(|attempt| attempt.rejection.as_ref());
        let (all, taken) = (self.tried.len(), self.tried.len() - refused().count());
        let mut words = format!("{all} changes were proposed, and {taken} of them taken.\n");
        let head = |rejection: &Rejection| reason(rejection).split([':', ';']).next().unwrap_or_default().to_owned();
        list(&mut words, "refused by", refused().map(|rejection| rejection.by.clone()));
        list(&mut words, "because", refused().map(head));
        list(&mut words, "proposed by", self.tried.iter().map(|attempt| attempt.transform.clone()));
        words
    }
}

/// Adds a list of what there is most of.
fn list(words: &mut String, what: &str, all: impl Iterator<Item = String>) {
    let mut counts = BTreeMap::new();
    all.for_each(|one| *counts.entry(one).or_insert(0) += 1);
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| Reverse(*count));
    let _ = writeln!(words, "\n{what}");
    for (one, count) in counts.iter().take(SHOWN) {
        let _ = writeln!(words, "{count:7}  {one}");
    }
}

/// What would have been there, who refused it, and why; none if it was taken.
fn refusal(attempt: &Attempt) -> Option<String> {
    let Attempt { transform, before, after, rejection, .. } = attempt;
    let rejection = rejection.as_ref()?;
    let [before, after] = [before, after].map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let change = if after.is_empty() { format!("without `{before}`") } else { format!("`{after}` for `{before}`") };
    let who = match (rejection.check, &*rejection.by) {
        (Some(check), _) => format!("check {check}"),
        (None, "cache") => "an earlier check".to_owned(),
        (None, by) => format!("not checked, {by}"),
    };
    let others = if rejection.others > 0 { format!(", with {} more", rejection.others) } else { String::new() };
    Some(format!("{change} ({transform})\n    {who}{others}: {}\n", reason(rejection)))
}

fn reason(rejection: &Rejection) -> &str {
    match &*rejection.by {
        "document" => "a file would lose its name",
        "kept" => "it has to stay as it is",
        "likely-errors" => "the compiler would most likely refuse it, and the failure does not survive that",
        "rejected-before" => "a change that looks the same was refused before",
        "smaller" => "the program would not be smaller",
        "switches" => "the run does not fail without it",
        "trial" => "the program grew, and did not become smaller than it was",
        _ => &rejection.reason,
    }
}
