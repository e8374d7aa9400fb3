//! Why a part of a result is still there: the attempts at it, from the log of the run.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::report::log::{ResultLine, Run};
use mcve_reduce::event::{Attempt, Rejection};

/// What is said of a run that ended early.
pub(super) const NOT_ALL: &str = "The run did not come to its end: not all was tried. `mcve resume` goes on.";

/// So many changes of a line are shown.
const SHOWN: usize = 30;

impl Run {
    /// Whether a transform or a pass of this name proposed something.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.tried.iter().any(|attempt| attempt.transform == name)
    }

    /// The index of the one line that is named so: `N` or `FILE:N`.
    pub(crate) fn line(&self, place: &str) -> Option<usize> {
        let is_it = |line: &ResultLine| {
            let own = format!("/{}:{}", line.file, line.line);
            own.ends_with(&format!("/{place}")) || own.ends_with(&format!(":{place}"))
        };
        let mut found = (0..self.lines.len()).filter(|index| is_it(&self.lines[*index]));
        found.next().filter(|_| found.next().is_none())
    }

    /// Why a line, as `N` or `FILE:N`, is as it is, or what transforms or passes of these names tried there or anywhere.
    pub(crate) fn explain(&self, place: Option<&str>, only: &[&str]) -> Result<String, String> {
        let mut words = String::new();
        if !self.is_complete() {
            let _ = writeln!(words, "{NOT_ALL}\n");
        }
        let mut line = None;
        let tried: Vec<&Attempt> = match place {
            None => self.tried.iter().collect(),
            Some(place) if self.lines.is_empty() => {
                let place = if place.contains(':') { format!("{place}:") } else { format!(":{place}:") };
                let is_there = |attempt: &&Attempt| attempt.place.contains(&place);
                self.tried.iter().filter(is_there).collect()
            }
            Some(place) => {
                let Some(index) = self.line(place) else {
                    return Err(format!("{place} is no line of the result, or of several of its files: try FILE:N"));
                };
                let found = &self.lines[index];
                let _ = writeln!(words, "{}:{}: {}\n", found.file, found.line, found.text.trim());
                if !found.was.is_empty() {
                    let _ = writeln!(words, "When it was tried to change this, it was: {}\n", found.was);
                }
                line = Some(found);
                found.tried.iter().filter_map(|refused| self.tried.get(refused.number)).collect()
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

pub(super) fn reason(rejection: &Rejection) -> &str {
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
