//! Words for times, and the table at an end.

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::HumanDuration;

use super::terminal::Shown;
use mcve_reduce::event::Ending;

/// How the failure looks on a terminal with colours.
pub(super) const FAILURE: Style = AnsiColor::Red.on_default();

/// How the end of a run looks there.
pub(super) const DONE: Style = AnsiColor::Green.on_default().bold();

/// A number and its noun, of which the plural ends with `s`.
pub(crate) fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// A time for people.
pub(crate) fn time(seconds: f64) -> String {
    let whole = HumanDuration(Duration::from_secs_f64(seconds.trunc()));
    if seconds < 60.0 { format!("{seconds:.1} s") } else { whole.to_string() }
}

/// A time as clocks show it.
pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// How a search ended, in the style `done` where it is complete, and what there is to say of it, the failure in the style `failed`.
pub(super) fn table(ending: Ending, [done, failed]: [Style; 2], table: &[(&str, String)]) -> Shown {
    ended(ending, done).and(rows(failed, table))
}

/// How a search ended, in the style `done` where it is complete.
pub(super) fn ended(ending: Ending, done: Style) -> Shown {
    match ending {
        Ending::Complete => Shown::styled(done, "done"),
        Ending::Budget => Shown::plain("the budget is spent; this is the best so far"),
        Ending::Interrupted => Shown::plain("interrupted; this is the best so far"),
    }
}

/// The rows of a table, the failure in the style `failed`.
pub(super) fn rows(failed: Style, rows: &[(&str, String)]) -> Shown {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default().max(8);
    let row = |(name, value): &(&str, String)| {
        let style = if *name == "failure" { failed } else { Style::new() };
        Shown::plain(format_args!("\n  {name:width$} ")).and(Shown::styled(style, value))
    };
    rows.iter().map(row).fold(Shown::default(), Shown::and)
}
