//! What a terminal shows of a run under way: a few lines that fit.

use std::time::Instant;

use anstyle::AnsiColor;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::progress::Progress;
use super::terminal::Shown;
use super::words::clock;
use mcve_reduce::visible::visible_line;

/// The columns of the bar, at least and at most.
const BAR: [usize; 2] = [10, 30];

/// The columns that the caller fills in front of the first line.
pub(crate) const SPINNER: usize = 2;

/// What is done and how long that takes; how far it is; and the check that runs, if it takes long. No line has more than `width`
/// columns.
pub(crate) fn draw(progress: &Progress, now: Instant, width: usize) -> Shown {
    let left = progress.left(now).map(|left| format!(", {} left", clock(left))).unwrap_or_default();
    let first = beside(&progress.doing(), &(clock(progress.elapsed(now)) + &left), width.saturating_sub(SPINNER));
    let waiting = progress.waiting(now).map(|(what, since)| {
        let since = clock(since);
        let room = width.saturating_sub(SPINNER + 2 + since.len());
        Shown::plain(format_args!("\n  {}, {since}", cut(&what, room)))
    });
    Shown::plain(first).and(numbers(progress, now, width)).and(waiting.unwrap_or_default())
}

/// The line with the bar; empty before the first check has ended.
fn numbers(progress: &Progress, now: Instant, width: usize) -> Shown {
    if progress.checks == 0 {
        return Shown::default();
    }
    let rate = progress.rate(now);
    let rate = if rate < 10.0 { format!("{rate:.1}/s") } else { format!("{rate:.0}/s") };
    let mut fields = Vec::new();
    if progress.before.bytes > 0 {
        fields.push(format!("{} -> {} {}", progress.before.tokens, progress.now.tokens, progress.unit));
    }
    let checks = if progress.checks == 1 { "check" } else { "checks" };
    fields.extend([format!("{} {checks}", progress.checks), rate]);
    let share = progress.share().unwrap_or_default();
    let has_bar = !share.is_empty();
    let least = if has_bar { BAR[0] + 2 + share.len() } else { 0 };
    let mut text = String::new();
    for field in fields {
        let gap = if text.is_empty() && !has_bar { "" } else { "  " };
        if SPINNER + least + text.len() + gap.len() + field.len() <= width {
            text = text + gap + &field;
        }
    }
    if !has_bar {
        return Shown::plain(format_args!("\n  {text}"));
    }
    let columns = (width.saturating_sub(SPINNER + 2 + share.len() + text.len())).clamp(BAR[0], BAR[1]);
    let full = (progress.reached() * columns as f64) as usize;
    Shown::plain("\n  ")
        .and(Shown::styled(AnsiColor::Green.on_default(), "━".repeat(full)))
        .and(Shown::plain(format_args!("{}  {share}{text}", "─".repeat(columns - full))))
}

/// Two texts at the two ends of a line, the first one cut where there is no room.
fn beside(left: &str, right: &str, width: usize) -> String {
    let room = width.saturating_sub(right.len() + 2);
    let left = cut(left, room);
    let gap = room.saturating_sub(left.width()) + 2;
    format!("{left}{}{right}", " ".repeat(gap))
}

/// A text in one line of at most so many columns.
fn cut(text: &str, width: usize) -> String {
    let text = visible_line(text);
    if text.width() <= width {
        return text;
    }
    let mut left = width.saturating_sub(2);
    let fits = |c: &char| {
        let columns = c.width().unwrap_or(0);
        let fits = columns <= left;
        left = if fits { left - columns } else { 0 };
        fits
    };
    text.chars().take_while(fits).collect::<String>() + ".."
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use mcve_dd::outcome::Outcome;
    use mcve_reduce::event::Event;
    use mcve_reduce::program::{Program, Size};

    /// A run at its second check, which has taken 75 seconds, and now.
    fn run(name: &str, tokens: [usize; 2]) -> (Progress, Instant) {
        let begun = Instant::now();
        let mut progress = Progress::begin(begun, Some(begun + Duration::from_secs(3700)));
        let program = Program::new(name, "fn f() {}\n");
        let size = |tokens| Size { tokens, bytes: 9, lines: 1 };
        let [before, now] = tokens.map(size);
        let (failure, shown) = ("x".to_owned(), Vec::new());
        let doing = "proving that nothing more can go";
        for event in [
            Event::Baseline {
                failure,
                fingerprint: None,
                shown,
                size: before,
                unit: "tokens",
                program: program.clone(),
            },
            Event::Checked { outcome: Outcome::Pass, reason: String::new(), seconds: 0.1 },
            Event::Gained { steps: Vec::new(), size: now, checks: 1, program: program.clone() },
            Event::PassStarted { pass: "proof", doing },
            Event::Proving { done: 41, all: 130 },
            Event::Trying { base: program, start: 3, changes: 12 },
        ] {
            progress.follow(&event, begun);
        }
        (progress, begun + Duration::from_secs(75))
    }

    #[track_caller]
    fn check(width: usize, expected: &[&str]) {
        let (progress, now) = run("a.rs", [3089, 117]);
        let drawn = anstream::adapter::strip_str(draw(&progress, now, width).as_str()).to_string();
        assert_eq!(drawn.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_wide_terminal_and_a_narrow_one_show_what_fits() {
        let full = |columns: usize, all: usize| "━".repeat(columns) + &"─".repeat(all - columns);
        let wait = "  a check of 12 changes from a.rs:1 on runs, 1:15";
        let doing = "proving that nothing more can go, 41 of 130";
        let gap = |columns| " ".repeat(columns);
        let first = |columns| format!("{doing}{}1:15, 1:00:25 left", gap(columns));
        let bar = |columns, all| format!("  {}  ~93 %  3089 -> 117 tokens  1 check  0.0/s", full(columns, all));
        check(160, &[&first(97), &bar(27, 30), wait]);
        check(80, &[&first(17), &bar(27, 30), wait]);
        check(60, &["proving that nothing more can go, 41..  1:15, 1:00:25 left", &bar(13, 15), wait]);
    }

    #[test]
    fn no_line_is_too_long_whatever_there_is_to_tell() {
        let names = ["a.rs", "a/very/long/path/to/a/file/of/a/program/whose/name/is/long.rs", "\u{1b}[2J世界\n世界.rs"];
        for (name, width) in names.into_iter().flat_map(|name| (40..170).map(move |width| (name, width))) {
            let (progress, now) = run(name, [123_456_789, 98_765_432]);
            let drawn = draw(&progress, now, width);
            let drawn = anstream::adapter::strip_str(drawn.as_str()).to_string();
            assert_eq!(drawn.lines().count(), 3, "{drawn}");
            for (line, before) in drawn.lines().zip([SPINNER, 0, 0]) {
                assert!(before + line.width() <= width, "{width}: {line}");
                assert!(!line.contains(char::is_control), "{line:?}");
            }
        }
    }

    #[test]
    fn a_run_without_a_program_has_no_bar() {
        let begun = Instant::now();
        let mut progress = Progress::begin(begun, None);
        assert_eq!(
            draw(&progress, begun, 40),
            Shown::plain(format_args!("checking that it fails{}0:00", " ".repeat(12)))
        );
        progress.follow(&Event::Checked { outcome: Outcome::Pass, reason: String::new(), seconds: 0.1 }, begun);
        assert!(draw(&progress, begun, 40).as_str().ends_with("\n  1 check  1.0/s"));
    }
}
