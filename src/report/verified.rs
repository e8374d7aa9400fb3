//! What holds of a result, a line each.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use mcve_reduce::event::Ending;

use super::log::End;
use super::terminal::Shown;

/// A result that was checked.
pub(crate) struct Verified {
    /// The failure of the run that made it, if that is known.
    pub(crate) first: Option<String>,
    /// Whether it is the same now.
    pub(crate) is_same: Option<bool>,
    /// How many changes were tried.
    pub(crate) tried: usize,
    /// The number of its files; none of a package.
    pub(crate) files: Option<usize>,
    /// How the result was reduced once more.
    pub(crate) now: End,
}

/// Whether something holds; none if nobody knows.
type Holds = Option<bool>;

impl Verified {
    /// Whether all of it holds.
    pub(crate) fn holds(&self) -> bool {
        self.rows().iter().all(|(_, holds, _)| *holds != Some(false))
    }

    fn rows(&self) -> Vec<(&'static str, Holds, String)> {
        let End { before, after, unit, failure, command, change, shown, hidden_errors, .. } = &self.now;
        let same = match (self.is_same, &self.first) {
            (Some(false), Some(first)) => format!("{failure}; before it was: {first}"),
            (None, _) => format!("{failure} (nothing is kept to compare it with)"),
            _ => failure.clone(),
        };
        let minimal = match (after.tokens < before.tokens, self.now.ending == Ending::Complete) {
            (true, _) => format!("mcve makes {} of its {} {unit}", after.tokens, before.tokens),
            (false, true) => format!("{} changes were tried, and none keeps the failure", self.tried),
            (false, false) => "not all was tried".to_owned(),
        };
        let is_minimal = (after.tokens == before.tokens && self.now.one_minimal).then_some(true);
        let alone = match self.files {
            Some(1) => format!("one file, in an empty folder: {command}"),
            Some(files) => format!("its {files} files, in an empty folder: {command}"),
            None => format!("the package, in an empty folder: {command}"),
        };
        let change_row = match change {
            Some((lines, how)) => (Some(true), format!("{how}:{lines}")),
            None => (None, "no change is known with which it does".to_owned()),
        };
        let others: Vec<&str> =
            shown.iter().filter(|other| !other.starts_with(failure)).chain(hidden_errors).map(String::as_str).collect();
        let only = if others.is_empty() { "nothing else is reported".to_owned() } else { others.join("; ") };
        vec![
            ("fails in the same way", self.is_same.or(Some(true)), same),
            ("is 1-minimal", is_minimal.or(Some(false)), minimal),
            ("stands alone", Some(true), alone),
            ("passes with a change", change_row.0, change_row.1),
            ("shows only this failure", Some(others.is_empty()), only),
        ]
    }
}

/// The lines of it.
pub(crate) fn verified(file: &Path, checked: &Verified) -> Shown {
    let row = |(what, holds, words): (&str, Holds, String)| {
        let (style, holds) = match holds {
            Some(true) => (AnsiColor::Green.on_default(), "yes"),
            Some(false) => (AnsiColor::Red.on_default().bold(), "no"),
            None => (Style::new(), "-"),
        };
        Shown::plain(format_args!("  {what:24} "))
            .and(Shown::styled(style, format_args!("{holds:3}")))
            .and(Shown::plain(format_args!("  {words}\n")))
    };
    let head = Shown::plain(format_args!("{}\n", file.display()));
    checked.rows().into_iter().map(row).fold(head, Shown::and)
}
