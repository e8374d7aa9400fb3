//! The numbers of a page: checks by outcome and by reason, and the time by pass.

use std::collections::BTreeMap;

use super::steps::start;
use crate::report::log::Run;
use crate::report::words::time;

/// So many passes have a colour of their own. The others share one.
const COLOURS: usize = 5;

/// So many passes, and so many reasons, have a row of their own.
const ROWS: usize = 10;

/// How a reason begins that names another crash.
const CRASHES: [&str; 2] = ["another failure: internal compiler error", "another failure: crash of the compiler"];

/// The colours of passes: those that made the program smaller by most.
pub(super) struct Colours(Vec<String>);

impl Colours {
    pub(super) fn new(run: &Run) -> Self {
        let mut removed: Vec<(&String, usize)> = Vec::new();
        for (pass, less) in removed_by(run) {
            match removed.iter_mut().find(|(name, _)| *name == pass) {
                Some((_, all)) => *all += less,
                None => removed.push((pass, less)),
            }
        }
        removed.sort_by_key(|(_, less)| std::cmp::Reverse(*less));
        Self(removed.into_iter().take(COLOURS).map(|(pass, _)| pass.clone()).collect())
    }

    pub(super) fn of(&self, pass: &str) -> usize {
        self.0.iter().position(|named| named == pass).unwrap_or(COLOURS)
    }

    pub(super) fn legend(&self) -> Vec<(usize, String)> {
        let mut legend: Vec<(usize, String)> = self.0.iter().cloned().enumerate().collect();
        legend.push((COLOURS, "others".to_owned()));
        legend
    }
}

/// By how much each step made the program smaller, with its pass.
fn removed_by(run: &Run) -> impl Iterator<Item = (&String, usize)> {
    let before = std::iter::once(start(run).tokens).chain(run.steps.iter().map(|step| step.size.tokens));
    run.steps.iter().zip(before).map(|(step, before)| (&step.pass, before.saturating_sub(step.size.tokens)))
}

/// A row of the table of passes.
pub(super) struct PassRow {
    pub(super) name: String,
    pub(super) colour: usize,
    /// Its share of the longest time, of 100.
    pub(super) share: f64,
    pub(super) time: String,
    pub(super) checks: String,
    pub(super) removed: String,
}

/// The passes of a run, each once, the longest first.
pub(super) fn passes(run: &Run, colours: &Colours) -> Vec<PassRow> {
    let mut all: BTreeMap<&str, (f64, usize, usize)> = BTreeMap::new();
    for pass in &run.passes {
        let (seconds, checks, _) = all.entry(&pass.name).or_default();
        *seconds += pass.seconds;
        *checks += pass.fail + pass.pass + pass.unresolved;
    }
    for (pass, less) in removed_by(run) {
        all.entry(pass).or_default().2 += less;
    }
    let mut all: Vec<(String, (f64, usize, usize))> =
        all.into_iter().map(|(name, row)| (name.to_owned(), row)).collect();
    all.sort_by(|(_, one), (_, other)| other.0.total_cmp(&one.0));
    if all.len() > ROWS {
        // Those with a colour, and the longest of the others.
        let mut room = ROWS - 1 - colours.0.len();
        let is_shown = |(name, _): &(String, _)| {
            let is_one = colours.0.contains(name) || room > 0;
            room -= usize::from(is_one && !colours.0.contains(name));
            is_one
        };
        let (shown, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(is_shown);
        all = shown;
        let sum = |sum: (f64, usize, usize), (_, row): &(String, (f64, usize, usize))| {
            (sum.0 + row.0, sum.1 + row.1, sum.2 + row.2)
        };
        all.push((format!("{} others", rest.len()), rest.iter().fold((0.0, 0, 0), sum)));
    }
    let longest = all.iter().map(|(_, row)| row.0).fold(0.001, f64::max);
    let row = |(name, (seconds, checks, removed)): (String, (f64, usize, usize))| PassRow {
        colour: colours.of(&name),
        name,
        share: (1000.0 * seconds / longest).round() / 10.0,
        time: time(seconds),
        checks: number(checks),
        removed: number(removed),
    };
    all.into_iter().map(row).collect()
}

/// The checks by their outcomes: the class of a colour, how many, and what that means.
pub(super) fn outcomes(run: &Run) -> [(&'static str, usize, &'static str); 3] {
    let sum = |count: fn(&crate::report::log::Pass) -> usize| run.passes.iter().map(count).sum();
    [
        ("p1", sum(|pass| pass.fail), "showed the failure"),
        ("p2", sum(|pass| pass.pass), "passed"),
        ("p5", sum(|pass| pass.unresolved), "did neither"),
    ]
}

/// The shares of these outcomes: the class of a colour, where it begins and how wide it is, of 100.
pub(super) fn shares(outcomes: &[(&'static str, usize, &'static str)]) -> Vec<(&'static str, f64, f64)> {
    let all: usize = outcomes.iter().map(|(_, count, _)| count).sum();
    let share = |count: usize| (1000.0 * count as f64 / all.max(1) as f64).round() / 10.0;
    let before = |index: usize| outcomes[..index].iter().map(|(_, count, _)| count).sum();
    let shown = outcomes.iter().enumerate().filter(|(_, (_, count, _))| *count > 0);
    shown.map(|(index, (class, count, _))| (*class, share(before(index)), share(*count))).collect()
}

/// The reasons of checks with how many had them, and the other crashes that they name.
pub(super) fn reasons(all: &[(String, usize)]) -> (Vec<(String, String)>, Vec<String>) {
    let is_crash = |reason: &str| CRASHES.iter().any(|crash| reason.starts_with(crash));
    let (crashes, mut others): (Vec<_>, Vec<_>) = all.iter().cloned().partition(|(reason, _)| is_crash(reason));
    if others.len() > ROWS {
        let rest = others.split_off(ROWS - 1);
        others.push((format!("{} other reasons", rest.len()), rest.iter().map(|(_, count)| count).sum()));
    }
    let crash = |(reason, count): (String, usize)| {
        let times = if count == 1 { "once".to_owned() } else { format!("{} times", number(count)) };
        format!("{} ({times})", reason.trim_start_matches("another failure: "))
    };
    let others = others.into_iter().map(|(reason, count)| (reason, number(count))).collect();
    (others, crashes.into_iter().map(crash).collect())
}

/// A number with its thousands apart.
pub(super) fn number(number: usize) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A difference with its sign.
pub(super) fn signed(difference: i64) -> String {
    let sign = if difference > 0 {
        "+"
    } else if difference < 0 {
        "\u{2212}"
    } else {
        "\u{b1}"
    };
    format!("{sign}{}", number(difference.unsigned_abs() as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_for_people() {
        assert_eq!([0, 999, 1000, 1234567].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([-1234, 5, 0].map(signed), ["\u{2212}1,234", "+5", "\u{b1}0"]);
    }

    #[test]
    fn crashes_are_told_from_other_reasons() {
        let all = [("it compiles", 3), ("another failure: internal compiler error at x.rs:1: y", 2)];
        let (others, crashes) = reasons(&all.map(|(reason, count)| (reason.to_owned(), count)));
        assert_eq!(others, [("it compiles".to_owned(), "3".to_owned())]);
        assert_eq!(crashes, ["internal compiler error at x.rs:1: y (2 times)"]);
        let many: Vec<(String, usize)> = (0..30).map(|at| (at.to_string(), 2)).collect();
        assert_eq!(reasons(&many).0.last(), Some(&("21 other reasons".to_owned(), "42".to_owned())));
    }

    #[test]
    fn shares_add_up() {
        let outcomes = [("a", 1, ""), ("b", 0, ""), ("c", 3, "")];
        assert_eq!(shares(&outcomes), [("a", 0.0, 25.0), ("c", 25.0, 75.0)]);
    }
}
