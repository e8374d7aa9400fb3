//! What is said on standard error: what happens, the live view where there is a terminal, and the summary at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressState, ProgressStyle};

use super::gone::Gone;
use super::progress::Progress;
use super::terminal::Shown;
use super::words::FAILURE;
use super::{changes, end, general, live, pair};
use mcve_reduce::event::{Changed, Event, Observer};
use mcve_reduce::program::Size;

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

/// How often the live view is drawn at least.
const TICK: Duration = Duration::from_millis(250);

/// Tells events on standard error.
pub(crate) struct Console {
    verbosity: Verbosity,
    bar: ProgressBar,
    /// How far the run is, which the live view shows.
    progress: Arc<Mutex<Progress>>,
    /// What the program has lost since the last line about that.
    gone: Option<Gone>,
    /// What passes do, in words. The end of one may be reported after another began.
    doing: BTreeMap<&'static str, &'static str>,
    /// Checks when the last pass ended.
    checks_before: usize,
    /// The other failures that were reported.
    found: BTreeSet<String>,
}

impl Console {
    /// A console on standard error for a run that ends at `deadline`; the live view shows on a terminal only.
    pub(crate) fn new(verbosity: Verbosity, deadline: Option<Instant>) -> Self {
        let target =
            if verbosity == Verbosity::Quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target).with_finish(ProgressFinish::AndClear);
        let progress = Arc::new(Mutex::new(Progress::begin(Instant::now(), deadline)));
        let shown = Arc::clone(&progress);
        let draw = move |_: &ProgressState, out: &mut dyn Write| {
            // What fills a line makes some terminals begin another one.
            let (width, progress) = (Term::stderr().size().1.saturating_sub(1).into(), lock(&shown));
            let _ = out.write_str(&live::draw(&progress, Instant::now(), width).on_stderr());
        };
        let style = ProgressStyle::with_template("{spinner} {live}").expect("the template is well-formed");
        bar.set_style(style.with_key("live", draw));
        bar.enable_steady_tick(TICK);
        Self { verbosity, bar, progress, gone: None, doing: BTreeMap::new(), checks_before: 0, found: BTreeSet::new() }
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
}

/// What is drawn. A panic while it was changed is reported elsewhere.
fn lock(progress: &Mutex<Progress>) -> std::sync::MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Observer for Console {
    fn event(&mut self, event: &Event) {
        let (now, unit) = {
            let mut progress = lock(&self.progress);
            let now = progress.now;
            progress.follow(event, Instant::now());
            (now, progress.unit)
        };
        match event {
            Event::Baseline { failure, fingerprint, shown, size, program, .. } => {
                self.checks_before = lock(&self.progress).checks;
                self.gone = Some(Gone::since(program.clone(), *size));
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
            | Event::Proving { .. }
            | Event::Trying { .. }
            | Event::Tried { .. }
            | Event::Checked { .. }
            | Event::Fuzz(_) => {}
            Event::PassStarted { pass, doing } => _ = self.doing.insert(pass, doing),
            Event::ShortcutClosed { reason } => {
                let line = format!("without forks or executors from here on: {reason}");
                self.say_at(Verbosity::Verbose, Shown::plain(line));
            }
            Event::Covered { reached, tokens } => {
                self.say(format_args!("the run reaches {reached} of {tokens} tokens"));
            }
            Event::Gained { steps, size, program, .. } => {
                let lost = now.tokens - size.tokens.min(now.tokens);
                let line = format!("  -{lost} {unit}: {}", steps.join(", "));
                self.say_at(Verbosity::Verbose, Shown::plain(line));
                if let Some(lost) = self.gone.as_mut().and_then(|gone| gone.take(program, *size)) {
                    self.say(format_args!("- {lost}"));
                }
            }
            Event::PassEnded { pass, size: Size { tokens, lines, .. }, checks } => {
                let had_work = *checks > std::mem::replace(&mut self.checks_before, *checks);
                let doing = self.doing.get(pass).filter(|_| self.verbosity < Verbosity::Verbose);
                let name = doing.unwrap_or(pass);
                if had_work && (self.verbosity == Verbosity::Verbose || self.bar.is_hidden()) {
                    self.say(format_args!("{name}: {tokens} {unit}, {lines} lines, {checks} checks"));
                }
            }
            Event::Narrowed { tokens, checks } => {
                self.say(format_args!("the difference: {tokens} {unit}, {checks} checks"));
            }
            Event::Resumed { command, folder, known } => {
                self.say(format_args!("resumed: {command} (in {}; {known} checks are known)", folder.display()));
            }
            Event::Note { message } => self.say(message),
            Event::Warning { message } => self.say(format_args!("warning: {message}")),
            Event::Finished(summary) => {
                // The program is shown where somebody is looking, unless it is printed anyway.
                let shows_program = summary.output.is_some() && std::io::stderr().is_terminal();
                return self.finish(end::describe(summary, shows_program));
            }
            Event::PairFound(found) => return self.finish(pair::summary(found)),
            Event::Generalised(done) => return self.finish(general::summary(done)),
            Event::Changes(changed @ Changed::Found { .. }) => return self.finish(changes::describe(changed)),
            Event::Changes(changed) => {
                let is_step = matches!(changed, Changed::Commit { .. });
                let verbosity = if is_step { Verbosity::Verbose } else { Verbosity::Normal };
                self.say_at(verbosity, changes::describe(changed));
            }
        }
        self.bar.tick();
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
