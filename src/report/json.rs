//! One JSON object a line for each event, for other programs.

use std::io::{self, ErrorKind, Write};

use mcve_reduce::event::{Event, FORM, Observer};
use mcve_reduce::visible::is_hidden;

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
        json.event(&Event::Started { version: env!("CARGO_PKG_VERSION"), form: FORM });
        json.close().map(|()| json)
    }
}

impl<W: Write> Observer for Json<W> {
    fn event(&mut self, event: &Event) {
        if let Some(json) = event.json().filter(|_| self.error.is_none()) {
            let written = writeln!(self.out, "{}", escaped(&json));
            self.error = written.and_then(|()| self.out.flush()).err();
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::PathBuf;

    #[test]
    fn an_event_is_one_line_of_json() {
        let mut out = Vec::new();
        Json::begin(&mut out)
            .expect("it can be written")
            .event(&Event::PassStarted { pass: "items", doing: "removing items" });
        let text = String::from_utf8(out).expect("JSON is UTF-8");
        let values: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
        assert_eq!(values.len(), 2, "{text}");
        assert_eq!((&values[0]["event"], &values[1]["pass"]), (&json!("started"), &json!("items")));
    }

    #[test]
    fn odd_paths_and_control_characters_are_json() {
        let folder = PathBuf::from(OsStr::from_bytes(b"odd\xff\x1b[31m"));
        let event = Event::Resumed { command: "a\n\u{202e}\u{e0001}".to_owned(), folder, known: 1 };
        let mut out = Vec::new();
        Json::begin(&mut out).expect("it can be written").event(&event);
        let text = String::from_utf8(out).expect("JSON is UTF-8");
        let line = text.lines().last().expect("there is one");
        assert!(line.chars().all(|c| !is_hidden(c)), "{line}");
        let expected = json!({
            "event": "resumed", "command": "a\n\u{202e}\u{e0001}", "folder": "odd\u{fffd}\u{1b}[31m", "known": 1,
        });
        assert_eq!(serde_json::from_str::<Value>(line).expect("it is JSON"), expected);
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
            json.event(&Event::PassStarted { pass: "items", doing: "removing items" });
            assert_eq!(json.close().is_err(), is_error);
        }
    }
}
