//! One JSON object a line for each event, for other programs.

use std::io::Write;

use serde_json::{Value, json};

use super::changes;
use crate::dd::outcome::Outcome;
use crate::event::{Ending, Event, Observer};
use mcve_transforms::Measure;

/// Writes events as JSON lines. The field `event` names the kind.
pub struct Json<W> {
    out: W,
}

impl<W: Write> Json<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> Observer for Json<W> {
    fn event(&mut self, event: &Event) {
        // Whoever closed the pipe does not listen any more; the reduction goes on.
        let _ = writeln!(self.out, "{}", object(event)).and_then(|()| self.out.flush());
    }
}

fn object(event: &Event) -> Value {
    match event {
        Event::Changes(changed) => changes::object(changed),
        Event::Baseline { failure, shown, measure, lines } => {
            json!({ "event": "baseline", "failure": failure, "shown": shown, "size": size(*measure, *lines) })
        }
        Event::PassStarted { pass } => json!({ "event": "pass-started", "pass": pass }),
        Event::Checked { outcome, reason, wall } => json!({
            "event": "checked",
            "outcome": self::outcome(*outcome),
            "reason": reason,
            "seconds": wall.as_secs_f64(),
        }),
        Event::Screened => json!({ "event": "screened" }),
        Event::ShortcutClosed { reason } => json!({ "event": "shortcut-closed", "reason": reason }),
        Event::Gained { steps, measure, lines } => {
            json!({ "event": "gained", "steps": steps, "size": size(*measure, *lines) })
        }
        Event::PassEnded { pass, measure, lines, checks } => {
            json!({ "event": "pass-ended", "pass": pass, "size": size(*measure, *lines), "checks": checks })
        }
        Event::Narrowed { tokens, checks } => json!({ "event": "narrowed", "tokens": tokens, "checks": checks }),
        Event::Resumed { command, folder, known } => {
            json!({ "event": "resumed", "command": command, "folder": folder, "known": known })
        }
        Event::Note { message } => json!({ "event": "note", "message": message }),
        Event::Warning { message } => json!({ "event": "warning", "message": message }),
        Event::Finished(summary) => json!({
            "event": "finished",
            "ending": ending(summary.ending),
            "one_minimal": summary.one_minimal,
            "before": size(summary.before, summary.lines_before),
            "after": size(summary.after, summary.lines_after),
            "checks": summary.checks,
            "screened": summary.screened,
            "cache_hits": summary.cache_hits,
            "recalled": summary.recalled,
            "seconds": summary.wall.as_secs_f64(),
            "failure": summary.failure,
            "seen": summary.seen.map(|(times, runs)| json!({ "times": times, "runs": runs })),
            "output": summary.output,
            "command": summary.command,
            "resume": summary.resume,
        }),
        Event::Contrasted(contrasted) => json!({
            "event": "contrasted",
            "ending": ending(contrasted.ending),
            "one_minimal": contrasted.one_minimal,
            "tokens": contrasted.tokens,
            "causes": contrasted.causes,
            "fail": &*contrasted.failing.text,
            "pass": &*contrasted.passing.text,
            "checks": contrasted.checks,
            "seconds": contrasted.wall.as_secs_f64(),
            "failure": contrasted.failure,
        }),
    }
}

/// The word for an outcome.
pub(super) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Fail => "fail",
        Outcome::Pass => "pass",
        Outcome::Unresolved => "unresolved",
    }
}

/// The word for how a run ended.
pub(super) fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::Complete => "complete",
        Ending::Budget => "budget",
        Ending::Interrupted => "interrupted",
    }
}

fn size(measure: Measure, lines: usize) -> Value {
    json!({ "tokens": measure.tokens, "bytes": measure.bytes, "lines": lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line_of_json() {
        let mut out = Vec::new();
        Json::new(&mut out).event(&Event::PassStarted { pass: "items" });
        let text = String::from_utf8(out).expect("JSON is UTF-8");
        assert_eq!(text.lines().count(), 1);
        let value: Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(value["pass"], "items");
    }
}
