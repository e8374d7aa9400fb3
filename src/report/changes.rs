//! What happens while the change is looked for that made a program fail, in words and as JSON.

use anstyle::Style;
use serde_json::{Value, json};

use super::terminal::Shown;
use super::words::{outcome, table, time};
use mcve_dd::outcome::Outcome;
use mcve_reduce::event::Changed;

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
        Changed::Found { failure, before, after, applies, ending, checks, known, wall, output, others, .. } => {
            let lines = |lines: &(usize, usize)| format!("+{} -{}", lines.0, lines.1);
            let mut rows = vec![
                ("lines", format!("{} -> {}", lines(before), lines(after))),
                ("checks", format!("{checks} ({known} more were known)")),
                ("time", time(*wall)),
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

fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

pub(super) fn object(event: &Changed) -> Value {
    let lines = |lines: &(usize, usize)| json!({ "added": lines.0, "removed": lines.1 });
    match event {
        Changed::Baseline { failure } => json!({ "event": "changes-baseline", "failure": failure }),
        Changed::History { commits } => json!({ "event": "history", "commits": commits }),
        Changed::Commit { commit, outcome: said, reason, left } => {
            json!({ "event": "commit", "commit": commit, "outcome": outcome(*said), "reason": reason, "left": left })
        }
        Changed::FirstBad { commit, good, untestable, checks } => json!({
            "event": "first-bad-commit",
            "commit": commit,
            "good": good,
            "untestable": untestable,
            "checks": checks,
        }),
        Changed::Narrowed { grain, from, to, checks } => {
            json!({ "event": "narrowed", "grain": grain, "from": from, "to": to, "checks": checks })
        }
        Changed::Found { failure, before, after, applies, ending, checks, known, wall, patch, output, others } => {
            json!({
                "event": "found",
                "ending": ending,
                "before": lines(before),
                "after": lines(after),
                "applies": applies,
                "checks": checks,
                "cache_hits": known,
                "seconds": wall.as_secs_f64(),
                "failure": failure,
                "patch": patch,
                "output": output,
                "others": others,
            })
        }
    }
}
