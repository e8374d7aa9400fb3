//! Two versions of a program, one that fails and one that passes, in words.

use super::diff::painted;
use super::terminal::Shown;
use super::words::{DONE, FAILURE, table, time};
use mcve_reduce::event::PairFound;

/// How the search ended.
pub(super) fn summary(found: &PairFound) -> Shown {
    let minimal = if found.one_minimal { "1-minimal" } else { "not shown to be 1-minimal" };
    let rows = [
        ("differ", format!("{} {} ({minimal})", found.tokens, found.failing.language.unit())),
        ("checks", found.checks.to_string()),
        ("time", time(found.seconds)),
        ("failure", found.failure.clone()),
    ];
    table(found.ending, [DONE, FAILURE], &rows)
}

/// What the two versions differ in, behind `what` that is, and `patch`, which is between them.
pub(crate) fn difference(what: &str, found: &PairFound, patch: &str) -> Shown {
    let list = |all: &[String]| all.iter().map(|one| format!("  {one}\n")).collect::<String>();
    let causes = match &found.causes[..] {
        [cause] => format!("{what}: {cause}\n"),
        causes => format!("{what}:\n{}", list(causes)),
    };
    let breaks = match &found.breaks[..] {
        [] => String::new(),
        [test] => format!("breaks 1 other test: `{test}`\n"),
        tests => format!("breaks {} other tests: `{}`\n", tests.len(), tests.join("`, `")),
    };
    let others = match &found.others[..] {
        [] => String::new(),
        others => format!("it also passes with:\n{}", list(others)),
    };
    Shown::plain(causes + &breaks).and(painted(patch)).and(Shown::plain(others))
}
