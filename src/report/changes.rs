//! What happens while the change is looked for that made a program fail, in words.

use anstyle::Style;

use super::terminal::Shown;
use super::words::{plural, table, time};
use mcve_dd::outcome::Outcome;
use mcve_reduce::event::{Changed, Lines};

pub(super) fn describe(event: &Changed) -> Shown {
    let text = match event {
        Changed::Baseline { failure } => format!("failure: {failure}"),
        Changed::History { commits } => format!("history: {}", plural(*commits, "commit")),
        Changed::Commit { commit, outcome, reason, left } => {
            let said = match outcome {
                Outcome::Fail => "bad",
                Outcome::Pass => "good",
                Outcome::Unresolved => "skipped",
            };
            format!("  {said} ({reason}), of {}: {commit}", plural(*left, "commit"))
        }
        Changed::FirstBad { commit, good, untestable, checks } => {
            let before = plural(*untestable, "commit");
            let other = format!("\n  or one of {before} before it that cannot be tested");
            let other = if *untestable > 0 { &*other } else { "" };
            format!("first bad commit: {commit}, {checks} checks\n  compared with: {good}{other}")
        }
        Changed::Narrowed { grain, from, to, checks } => format!("{grain}: {from} -> {to}, {checks} checks"),
        Changed::Found {
            failure, before, after, applies, ending, checks, cache_hits, seconds, output, others, ..
        } => {
            let lines = |lines: &Lines| format!("+{} -{}", lines.added, lines.removed);
            let mut rows = vec![
                ("lines", format!("{} -> {}", lines(before), lines(after))),
                ("checks", format!("{checks} ({cache_hits} more were known)")),
                ("time", time(*seconds)),
                ("failure", failure.clone()),
                ("patch", output.as_ref().map_or("standard output".to_owned(), |path| path.display().to_string())),
                ("applies", applies.clone()),
            ];
            if !others.is_empty() {
                rows.push(("causes", format!("{}: each makes it fail without the ones before", others.len() + 1)));
            }
            return table(*ending, [Style::new(); 2], &rows);
        }
    };
    Shown::plain(text)
}
