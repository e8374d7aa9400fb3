//! The terminal: a progress bar, or a line a pass where there is no terminal, and the summary at the end.

use std::collections::BTreeSet;
use std::fmt::{Display, Write};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::diff::changed_files;
use super::terminal::Shown;
use super::words::{DONE, FAILURE, table, time};
use super::{changes, general, pair};
use mcve_reduce::event::{Changed, Event, Finds, Flaky, Messages, Observer, Rate, Summary};
use mcve_reduce::oracle::shell::quote;
use mcve_reduce::program::{Language, Size};

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Errors only.
    Quiet,
    /// The failure, progress, the summary.
    Normal,
    /// Each gain as well.
    Verbose,
}

/// A result of fewer lines is shown on a terminal.
const SHOWN: usize = 40;

/// A result with a longer line is not.
const WIDEST: usize = 400;

/// How often a terminal shows that something is under way.
const TICK: Duration = Duration::from_millis(500);

/// Tells events on standard error.
pub(crate) struct Console {
    verbosity: Verbosity,
    bar: ProgressBar,
    start: Instant,
    checks: usize,
    before: Size,
    now: Size,
    pass: &'static str,
    /// What sizes count.
    unit: &'static str,
    /// Checks when the last pass ended.
    checks_before: usize,
    /// The other failures that were reported.
    found: BTreeSet<String>,
}

impl Console {
    /// A console on standard error; the bar shows on a terminal only.
    pub(crate) fn new(verbosity: Verbosity) -> Self {
        let target =
            if verbosity == Verbosity::Quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{spinner} {wide_msg}").expect("the template is well-formed");
        bar.set_style(style);
        // The first check of a large program takes a while, and so may any other.
        bar.set_message("the first check runs");
        bar.enable_steady_tick(TICK);
        let (start, pass, checks, checks_before) = (Instant::now(), "baseline", 0, 0);
        let (before, now, found) = (Size::default(), Size::default(), BTreeSet::new());
        Self { verbosity, bar, start, checks, before, now, pass, unit: "tokens", checks_before, found }
    }

    fn say(&self, line: impl Display) {
        self.say_at(Verbosity::Normal, Shown::plain(line));
    }

    fn say_at(&self, verbosity: Verbosity, text: Shown) {
        if self.verbosity >= verbosity {
            self.bar.suspend(|| text.say());
        }
    }

    /// Says how the run ended, in the place of its progress.
    fn finish(&self, summary: Shown) {
        self.bar.finish_and_clear();
        self.say_at(Verbosity::Normal, summary);
    }

    /// Shows a result that is short, where somebody is looking and the result is not printed anyway.
    fn show(&self, summary: &Summary) {
        let text = summary.program.shown();
        let is_short = summary.after.lines < SHOWN && text.lines().all(|line| line.chars().count() < WIDEST);
        if summary.output.is_some() && is_short && std::io::stderr().is_terminal() {
            self.say(format_args!("\n{}", text.trim_end()));
        }
    }

    fn tick(&self) {
        let rate = self.checks as f64 / self.start.elapsed().as_secs_f64().max(0.1);
        if self.before.bytes == 0 {
            // No program is reduced, or none yet.
            let checks = format!(": {} checks, {rate:.0}/s", HumanCount(self.checks as u64));
            let checks = if self.checks > 0 { &*checks } else { "" };
            self.bar.set_message(format!("{}{checks}", self.pass));
            self.bar.tick();
            return;
        }
        self.bar.set_message(format!(
            "{}: {} of {} {}, {} lines, {} checks, {rate:.0}/s",
            self.pass,
            HumanCount(self.now.tokens as u64),
            HumanCount(self.before.tokens as u64),
            self.unit,
            HumanCount(self.now.lines as u64),
            HumanCount(self.checks as u64),
        ));
        self.bar.tick();
    }
}

impl Observer for Console {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Baseline { failure, fingerprint, shown, size, unit, .. } => {
                self.unit = unit;
                (self.before, self.now) = (*size, *size);
                self.checks_before = self.checks;
                self.say_at(Verbosity::Normal, Shown::plain("failure: ").and(Shown::styled(FAILURE, failure)));
                if let Some(fingerprint) = fingerprint {
                    self.say(format_args!("fingerprint: {fingerprint}"));
                }
                if shown.len() > 1 {
                    self.say(list(shown));
                }
                self.say(format_args!("start: {} {unit}, {} lines", size.tokens, size.lines));
            }
            Event::Found(find) => {
                if self.found.insert(find.fingerprint.clone()) {
                    self.say(format_args!("find: {}, kept as {}", find.failure, find.path.display()));
                }
            }
            // A note says the same in words, a log has it, or another console.
            Event::Started { .. }
            | Event::StageStarted { .. }
            | Event::StageEnded { .. }
            | Event::Tried { .. }
            | Event::Fuzz(_) => {}
            Event::PassStarted { pass } => self.pass = pass,
            Event::Checked { .. } => self.checks += 1,
            Event::ShortcutClosed { reason } => {
                let line = format!("without the fork server from here on: {reason}");
                self.say_at(Verbosity::Verbose, Shown::plain(line));
            }
            Event::Covered { reached, tokens } => {
                self.say(format_args!("the run reaches {reached} of {tokens} tokens"));
            }
            Event::Gained { steps, size, .. } => {
                let lost = self.now.tokens - size.tokens.min(self.now.tokens);
                // To merge files takes some tokens.
                if size.tokens <= self.now.tokens {
                    self.now = *size;
                }
                let line = format!("  -{lost} {}: {}", self.unit, steps.join(", "));
                self.say_at(Verbosity::Verbose, Shown::plain(line));
            }
            Event::PassEnded { pass, size: Size { tokens, lines, .. }, checks } => {
                let had_work = *checks > std::mem::replace(&mut self.checks_before, *checks);
                if had_work && (self.verbosity == Verbosity::Verbose || self.bar.is_hidden()) {
                    self.say(format_args!("{pass}: {tokens} {}, {lines} lines, {checks} checks", self.unit));
                }
            }
            Event::Narrowed { tokens, checks } => {
                self.say(format_args!("the difference: {tokens} {}, {checks} checks", self.unit));
            }
            Event::Resumed { command, folder, known } => {
                self.say(format_args!("resumed: {command} (in {}; {known} checks are known)", folder.display()));
            }
            Event::Note { message } => self.say(message),
            Event::Warning { message } => self.say(format_args!("warning: {message}")),
            Event::Finished(summary) => {
                self.finish(describe(summary));
                self.show(summary);
                return;
            }
            Event::PairFound(found) => return self.finish(pair::summary(found)),
            Event::Generalised(done) => return self.finish(general::summary(done)),
            Event::Changes(changed @ Changed::Found { .. }) => return self.finish(changes::describe(changed)),
            Event::Changes(changed) => {
                let is_step = matches!(changed, Changed::Commit { .. });
                let verbosity = if is_step { Verbosity::Verbose } else { Verbosity::Normal };
                self.say_at(verbosity, changes::describe(changed));
                self.pass = if is_step || matches!(changed, Changed::History { .. }) { "history" } else { "changes" };
            }
        }
        self.tick();
    }
}

/// So many failures of one program are listed.
const LISTED: usize = 20;

/// Failures, a line each.
fn list(shown: &[String]) -> String {
    let mut text = format!("of {} that it shows:", shown.len());
    for failure in shown.iter().take(LISTED) {
        // Writing to a string never fails.
        let _ = write!(text, "\n  {failure}");
    }
    if shown.len() > LISTED {
        let _ = write!(text, "\n  .. and {} more", shown.len() - LISTED);
    }
    text
}

pub(crate) fn describe(summary: &Summary) -> Shown {
    let share = summary.after.tokens as f64 * 100.0 / summary.before.tokens.max(1) as f64;
    let minimal =
        if summary.one_minimal { "1-minimal: no single step makes it smaller" } else { "not shown to be 1-minimal" };
    let before = if summary.recalled > 0 { format!(", {} from before", summary.recalled) } else { String::new() };
    let runs = summary.flaky.map_or_else(String::new, |flaky| format!(", {} runs", flaky.all_runs));
    let mut rows = vec![
        (
            summary.program.language.unit(),
            format!("{} -> {} ({share:.1} %)", summary.before.tokens, summary.after.tokens),
        ),
        ("lines", format!("{} -> {}", summary.before.lines, summary.after.lines)),
        ("bytes", format!("{} -> {}", summary.before.bytes, summary.after.bytes)),
        ("checks", format!("{} ({} more were known{before}){runs}", summary.checks, summary.cache_hits)),
        ("time", time(summary.seconds)),
        ("result", minimal.to_owned()),
        ("failure", summary.failure.clone()),
    ];
    if summary.program.language == Language::Bytes {
        // The first row says it.
        rows.remove(2);
    }
    if let Some(Messages { before, after }) = &summary.messages {
        rows.push(("message", format!("{after} (the input: {before})")));
    }
    if summary.is_unexplained {
        rows.push(("cause", "not shown: no change is known that repairs just this".to_owned()));
    }
    rows.extend([
        ("file", summary.output.as_ref().map_or("standard output".to_owned(), |path| path.display().to_string())),
        ("see it", summary.command.clone()),
    ]);
    if let Some(Finds { count, folder }) = &summary.finds {
        rows.push(("finds", format!("{count} in {}", folder.display())));
    }
    if let Some(Rate { times, runs }) = summary.seen {
        if let Some(Flaky { input, .. }) = summary.flaky {
            rows.push(("fails", format!("{times} of {runs} runs (the input: {} of {})", input.times, input.runs)));
        } else if times < runs {
            rows.push(("warning", format!("the result shows the failure in {times} of {runs} runs only")));
        }
    }
    rows.extend(summary.resume.iter().map(|place| ("go on", format!("mcve resume {}", quote(place.as_os_str())))));
    let change = summary.passing.iter().map(|(passing, how)| (how, changed_files(&summary.program, passing)));
    let change = change.filter(|(_, lines)| !lines.is_empty());
    let difference = summary.difference.iter().map(|difference| {
        let lines = difference.lines().map(|line| format!("\n    {line}"));
        format!("\n  they print:{}", lines.collect::<String>())
    });
    let change = change.map(|(how, lines)| format!("\n  with this change {how}:{lines}"));
    table(summary.ending, [DONE, FAILURE], &rows).and(Shown::plain(difference.chain(change).collect::<String>()))
}
