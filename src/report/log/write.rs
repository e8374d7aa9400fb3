//! Writes a log.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use mcve_dd::outcome::Outcome;
use mcve_reduce::event::{Attempt, Attempts, Event, Observer, Rejection, Summary};
use mcve_reduce::program::{Program, changed};

use super::line::{End, Line, Pass, Step};
use super::{kept, read, refusals};
use crate::report::begun::Begun;
use crate::report::diff::changed_files;
use crate::report::json::escaped;

/// A program with so many times the bytes of the result is too far from it to say which part became which.
const FAR: usize = 100;

/// Writes a log, and passes all events on.
pub(crate) struct Log {
    inner: Box<dyn Observer>,
    out: BufWriter<File>,
    wants: Attempts,
    /// The page that is made of the run.
    page: Option<PathBuf>,
    start: Instant,
    /// The text of the program before the next step.
    text: String,
    pass: Pass,
    /// The time when the pass began.
    pass_began: f64,
    shown: Vec<String>,
    unit: &'static str,
    reasons: BTreeMap<String, usize>,
    /// The programs, with the changes of each, by their numbers.
    programs: Vec<(Program, Vec<(usize, Attempt)>)>,
    /// How many changes were written.
    count: usize,
    /// What was refused without a check: that is said once.
    unchecked: HashSet<[String; 4]>,
}

impl Log {
    /// Writes all changes to the file at `path`, in the place of an earlier log.
    /// Fails when the file cannot be written, or exists and is not a log.
    pub(crate) fn begin(path: &Path, words: &[OsString], inner: Box<dyn Observer>) -> io::Result<Self> {
        let is_empty = |found: std::fs::Metadata| !found.is_file() || found.len() == 0;
        if !path.metadata().map_or(true, is_empty) && !read::is_log(path)? {
            return Err(io::Error::other("the file exists, and is not a log of mcve"));
        }
        Ok(Self::new(File::create(path)?, Attempts::All, words, inner))
    }

    /// Writes the changes of the proof to a file that is kept for the result, or for its page where the result is no file.
    pub(crate) fn keep(file: File, words: &[OsString], page: Option<&Path>, inner: Box<dyn Observer>) -> Self {
        Self { page: page.map(Path::to_owned), ..Self::new(file, Attempts::Proof, words, inner) }
    }

    fn new(out: File, wants: Attempts, words: &[OsString], inner: Box<dyn Observer>) -> Self {
        let mut log = Self {
            inner,
            out: BufWriter::new(out),
            wants,
            page: None,
            start: Instant::now(),
            text: String::new(),
            pass: Pass { name: "checking that it fails".to_owned(), ..Pass::default() },
            pass_began: 0.0,
            shown: Vec::new(),
            unit: "tokens",
            reasons: BTreeMap::new(),
            programs: Vec::new(),
            count: 0,
            unchecked: HashSet::new(),
        };
        log.write(&Line::Log(env!("CARGO_PKG_VERSION").to_owned()));
        log.write(&Line::Begun(Begun::now(words)));
        log
    }

    fn write(&mut self, line: &Line) {
        let json = serde_json::to_string(line).expect("all is text and numbers");
        // What cannot be written stays in the buffer, and is an error at the end.
        let _ = writeln!(self.out, "{}", escaped(&json));
    }

    fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn write_attempt(&mut self, base: &Program, attempt: &Attempt) {
        let Attempt { transform, before, after, rejection, .. } = attempt;
        if let Some(Rejection { check: None, by, .. }) = rejection
            && !self.unchecked.insert([transform, before, after, by].map(String::to_owned))
        {
            return;
        }
        if !self.programs.last().is_some_and(|(last, _)| Arc::ptr_eq(&last.text, &base.text)) {
            self.programs.retain(|(program, _)| program.text.len() < FAR * (base.text.len() + FAR));
            self.programs.push((base.clone(), Vec::new()));
        }
        self.programs.last_mut().expect("one was added").1.push((self.count, attempt.clone()));
        self.count += 1;
        self.write(&Line::Tried(attempt.clone()));
    }

    fn write_step(&mut self, reductions: &[String], checks: usize, program: &Program) {
        let text = program.shown();
        let (gone, new) = changed(&self.text, &text);
        let (pass, at, removed, added) = (self.pass.name.clone(), gone.start, gone.len(), text[new].to_owned());
        let (seconds, reductions, size) = (self.seconds(), reductions.to_vec(), program.size());
        self.write(&Line::Step(Step { seconds, checks, pass, reductions, size, at, removed, added }));
        self.text = text;
    }

    /// Writes what was done in the pass that ends now, if anything was, and begins the next one.
    fn write_pass(&mut self, next: &str) {
        let now = self.seconds();
        let seconds = now - std::mem::replace(&mut self.pass_began, now);
        let next = Pass { name: next.to_owned(), size: self.pass.size, ..Pass::default() };
        let pass = Pass { seconds, ..std::mem::replace(&mut self.pass, next) };
        if pass.fail + pass.pass + pass.unresolved > 0 {
            self.write(&Line::Pass(pass));
        }
    }

    fn count_check(&mut self, outcome: Outcome, reason: &str) {
        match outcome {
            Outcome::Fail => self.pass.fail += 1,
            Outcome::Pass => self.pass.pass += 1,
            Outcome::Unresolved => self.pass.unresolved += 1,
        }
        let reason = if outcome == Outcome::Fail { "the failure is there" } else { general(reason) };
        *self.reasons.entry(reason.to_owned()).or_default() += 1;
    }

    fn write_end(&mut self, summary: &Summary) {
        self.write_pass("end");
        for line in refusals::lines(&summary.program, &self.programs) {
            self.write(&Line::Result(line));
        }
        let mut reasons: Vec<(String, usize)> = std::mem::take(&mut self.reasons).into_iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let change = summary.passing.iter().map(|(passing, how)| {
            let lines = changed_files(&summary.program, passing);
            (lines.iter().map(|line| format!("\n    {line}")).collect::<String>(), how.clone())
        });
        let end = End {
            ending: summary.ending,
            one_minimal: summary.one_minimal,
            before: summary.before,
            after: summary.after,
            unit: self.unit.to_owned(),
            checks: summary.checks,
            seconds: summary.seconds,
            failure: summary.failure.clone(),
            fingerprint: summary.fingerprint.clone(),
            shown: std::mem::take(&mut self.shown),
            hidden_errors: summary.hidden_errors.clone(),
            command: summary.command.clone(),
            at: summary.at,
            output: summary.output.as_ref().map(|path| path.to_string_lossy().into_owned()),
            change: change.into_iter().find(|(lines, _)| !lines.is_empty()),
            reasons,
            text: summary.program.shown(),
        };
        self.write(&Line::End(Box::new(end)));
    }
}

/// A reason without what is particular to one candidate. Which other crash it is says more than that it is one.
fn general(reason: &str) -> &str {
    let is_crash =
        ["another failure: internal", "another failure: crash"].iter().any(|crash| reason.starts_with(crash));
    if is_crash { reason } else { reason.split(": ").next().unwrap_or(reason) }
}

impl Observer for Log {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Tried { base, attempt } => self.write_attempt(base, attempt),
            Event::Baseline { shown, size, unit, program, .. } => {
                (self.unit, self.shown, self.pass.size) = (unit, shown.clone(), *size);
                self.text = program.shown();
                self.write(&Line::Input(self.text.clone()));
            }
            Event::PassStarted { doing, .. } => self.write_pass(doing),
            Event::Checked { outcome, reason, .. } => self.count_check(*outcome, reason),
            Event::Gained { steps, size, checks, program } => {
                self.pass.size = *size;
                self.write_step(steps, *checks, program);
            }
            Event::Finished(summary) => self.write_end(summary),
            _ => {}
        }
        self.inner.event(event);
        if let Event::Finished(summary) = event
            && self.wants == Attempts::Proof
            && self.out.flush().is_ok()
            && let Some(output) = summary.output.as_ref().or(self.page.as_ref())
        {
            // Of a result without a log `mcve why` asks again.
            let _ = kept::place(self.out.get_mut(), output);
        }
    }

    fn attempts(&self) -> Attempts {
        self.wants.max(self.inner.attempts())
    }

    fn close(&mut self) -> io::Result<()> {
        // Nobody asked for the log that is kept.
        let written = self.out.flush().or_else(|error| if self.wants == Attempts::Proof { Ok(()) } else { Err(error) });
        self.inner.close().and(written)
    }
}
