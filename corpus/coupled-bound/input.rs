//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! Spans of time that report themselves when they end, for the log of a build server.

use std::fmt::{self, Debug, Display};
use std::time::{Duration, Instant};

pub struct Step {
    number: u32,
    of: u32,
}

impl Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A span of time with a label; it is reported when it is dropped.
pub struct Span<L: Display> {
    label: L,
    begin: Instant,
    quiet: bool,
}

impl<L: Display> Span<L> {
    pub fn quiet(mut self) -> Self {
        self.quiet = true;
        self
    }

    pub fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }
}

impl<L: Display> Drop for Span<L> {
    fn drop(&mut self) {
        if !self.quiet {
            eprintln!("{:>20} {}", self.label, Pretty(self.begin.elapsed()));
        }
    }
}

impl<L: Display> Debug for Span<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Span({})", self.label)
    }
}

struct Pretty(Duration);

impl Display for Pretty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        if seconds >= 60 {
            write!(f, "{} min {} s", seconds / 60, seconds % 60)
        } else {
            write!(f, "{}.{:03} s", seconds, self.0.subsec_millis())
        }
    }
}

pub struct Job {
    name: String,
    commands: Vec<String>,
}

impl Job {
    pub fn steps(&self) -> impl Iterator<Item = (Step, &str)> {
        let of = self.commands.len() as u32;
        self.commands.iter().zip(1..).map(move |(command, number)| (Step { number, of }, command.as_str()))
    }
}

/// Runs all commands of a job, each in a span of its own, within one for the job.
pub fn run(job: &Job, mut execute: impl FnMut(&str) -> bool) -> bool {
    let whole;
    let title = format!("{} ({} steps)", job.name, job.commands.len());
    whole = Span { label: &title, begin: Instant::now(), quiet: false };
    for (step, command) in job.steps() {
        let _span = Span { label: step, begin: Instant::now(), quiet: true };
        if !execute(command) {
            return false;
        }
    }
    whole.elapsed() < Duration::from_secs(3600)
}

pub fn widest<L: Display>(spans: &[Span<L>]) -> usize {
    spans.iter().map(|span| span.label.to_string().chars().count()).max().unwrap_or(0)
}
