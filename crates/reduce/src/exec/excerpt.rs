//! The first lines of what a process printed.

use super::job::{End, JobResult};

const SHOWN: usize = 20;

/// The number of characters of a line that are shown.
const LONGEST: usize = 200;

impl JobResult {
    /// The first lines of the output, indented.
    pub(crate) fn excerpt(&self) -> String {
        let text = [&self.stdout[..], &self.stderr[..]].map(String::from_utf8_lossy).concat();
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let mut shown: Vec<String> = lines.by_ref().take(SHOWN).map(|line| format!("  {}", shorten(line))).collect();
        match lines.count() {
            0 if shown.is_empty() => shown.push("  (it printed nothing)".to_owned()),
            0 => {}
            more => shown.push(format!("  .. and {more} more lines")),
        }
        if self.end == End::TimedOut {
            shown.push("  (it did not end in time)".to_owned());
        }
        shown.join("\n")
    }
}

fn shorten(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ..", &line[..end]),
        None => line.to_owned(),
    }
}
