//! One JSON object a line for each event, for other programs.

use std::io::{self, ErrorKind, Write};

use serde_json::{Value, json};

use super::changes;
use super::words::outcome;
use mcve_reduce::event::{Event, Observer};
use mcve_reduce::visible::is_hidden;
use mcve_transforms::Measure;

/// Writes events as JSON lines. The field `event` names the kind.
pub(crate) struct Json<W> {
    out: W,
    /// Why events are not written any more.
    error: Option<io::Error>,
}

impl<W: Write> Json<W> {
    /// Writes to `out`, first which version of mcve this is.
    pub(crate) fn begin(out: W) -> io::Result<Self> {
        let mut json = Self { out, error: None };
        json.write(&json!({ "event": "started", "version": env!("CARGO_PKG_VERSION") }));
        json.close().map(|()| json)
    }

    fn write(&mut self, object: &Value) {
        if self.error.is_none() {
            let written = writeln!(self.out, "{}", escaped(&object.to_string()));
            self.error = written.and_then(|()| self.out.flush()).err();
        }
    }
}

impl<W: Write> Observer for Json<W> {
    fn event(&mut self, event: &Event) {
        let object = object(event);
        if !object.is_null() {
            self.write(&object);
        }
    }

    fn close(&mut self) -> io::Result<()> {
        // Whoever closed the pipe does not listen any more; the reduction goes on.
        match self.error.take_if(|error| error.kind() != ErrorKind::BrokenPipe) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// JSON in which strings have escapes for what a terminal would obey or hide.
pub(super) fn escaped(json: &str) -> String {
    let unit = |unit: &mut u16| format!("\\u{unit:04x}");
    let shown =
        |c: char| if is_hidden(c) { c.encode_utf16(&mut [0; 2]).iter_mut().map(unit).collect() } else { c.to_string() };
    json.chars().map(shown).collect()
}

fn object(event: &Event) -> Value {
    match event {
        Event::Changes(changed) => changes::object(changed),
        Event::Baseline { failure, fingerprint, shown, measure, lines, .. } => json!({
            "event": "baseline",
            "failure": failure,
            "fingerprint": fingerprint,
            "shown": shown,
            "size": size(*measure, *lines),
        }),
        Event::StageStarted { stage, dependencies } => {
            json!({ "event": "stage-started", "stage": stage, "dependencies": dependencies })
        }
        Event::StageEnded { stage, is_taken } => {
            json!({ "event": "stage-ended", "stage": stage, "taken": is_taken })
        }
        Event::PassStarted { pass } => json!({ "event": "pass-started", "pass": pass }),
        Event::Checked { outcome, reason, wall } => json!({
            "event": "checked",
            "outcome": self::outcome(*outcome),
            "reason": reason,
            "seconds": wall.as_secs_f64(),
        }),
        // A log has it, or words only.
        Event::Tried { .. } | Event::Fuzz(_) => Value::Null,
        Event::Found(find) => json!({
            "event": "found",
            "failure": find.failure,
            "fingerprint": find.fingerprint,
            "output": find.path,
            "command": find.command,
            "tokens": find.program.measure().tokens,
        }),
        Event::ShortcutClosed { reason } => json!({ "event": "shortcut-closed", "reason": reason }),
        Event::Covered { reached, tokens } => json!({ "event": "covered", "reached": reached, "tokens": tokens }),
        Event::Gained { steps, checks, measure, lines } => {
            json!({ "event": "gained", "steps": steps, "size": size(*measure, *lines), "checks": checks })
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
            "ending": summary.ending,
            "one_minimal": summary.one_minimal,
            "before": size(summary.before, summary.lines_before),
            "after": size(summary.after, summary.lines_after),
            "checks": summary.checks,
            "cache_hits": summary.cache_hits,
            "recalled": summary.recalled,
            "seconds": summary.wall.as_secs_f64(),
            "failure": summary.failure,
            "fingerprint": summary.fingerprint,
            "finds": summary.finds.as_ref().map(|(count, folder)| json!({ "count": count, "folder": folder })),
            "messages": summary.messages.as_ref().map(|(before, after)| json!({ "before": before, "after": after })),
            "difference": summary.difference,
            "seen": summary.seen.map(|(times, runs)| json!({ "times": times, "runs": runs })),
            "flaky": summary.flaky.map(|((times, runs), all)| json!({ "times": times, "runs": runs, "all_runs": all })),
            "output": summary.output,
            "command": summary.command,
            "pass": summary.passing.as_ref().map(|(passing, _)| passing.shown()),
            "resume": summary.resume,
        }),
        Event::Generalised(done) => json!({
            "event": "generalised",
            "ending": done.ending,
            "parts": done.general.iter().map(|part| json!({
                "text": &done.program.text[part.range.clone()],
                "start": part.range.start,
                "end": part.range.end,
                "kind": part.kind,
                "samples": part.samples,
                "together": part.together,
            })).collect::<Vec<_>>(),
            "checks": done.checks,
            "seconds": done.wall.as_secs_f64(),
            "failure": done.failure,
        }),
        Event::PairFound(found) => json!({
            "event": "contrasted",
            "ending": found.ending,
            "one_minimal": found.one_minimal,
            "tokens": found.tokens,
            "causes": found.causes,
            "breaks": found.breaks,
            "others": found.others,
            "fail": &*found.failing.text,
            "pass": &*found.passing.text,
            "checks": found.checks,
            "seconds": found.wall.as_secs_f64(),
            "failure": found.failure,
        }),
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
        Json::begin(&mut out).expect("it can be written").event(&Event::PassStarted { pass: "items" });
        let text = String::from_utf8(out).expect("JSON is UTF-8");
        let values: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
        assert_eq!(values.len(), 2, "{text}");
        assert_eq!((&values[0]["event"], &values[1]["pass"]), (&json!("started"), &json!("items")));
    }

    #[test]
    fn events_that_cannot_be_written_are_an_error_unless_nobody_listens() {
        /// Takes so many bytes.
        struct Room(usize, ErrorKind);
        impl Write for Room {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0 = self.0.checked_sub(bytes.len()).ok_or(self.1)?;
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for (kind, is_error) in [(ErrorKind::StorageFull, true), (ErrorKind::BrokenPipe, false)] {
            assert_eq!(Json::begin(Room(9, kind)).is_err(), is_error);
            let mut json = Json::begin(Room(60, kind)).unwrap_or_else(|_| unreachable!("there is room"));
            json.event(&Event::PassStarted { pass: "items" });
            assert_eq!(json.close().is_err(), is_error);
        }
    }
}
