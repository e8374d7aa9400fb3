//! Reads a log.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use mcve_reduce::event::{Attempt, Ending};

use super::{Begun, End, Line, Pass, ResultLine, Step, kept};

/// A log that was read: a run.
#[derive(Default)]
pub(crate) struct Run {
    /// The version of mcve.
    pub(crate) version: String,
    pub(crate) begun: Begun,
    /// The text of the program that was reduced.
    pub(crate) input: String,
    pub(crate) steps: Vec<Step>,
    pub(crate) passes: Vec<Pass>,
    /// The changes that were proposed.
    pub(crate) tried: Vec<Attempt>,
    /// The lines of the result.
    pub(crate) lines: Vec<ResultLine>,
    /// How it ended; none where the log was cut off.
    pub(crate) end: Option<End>,
}

impl Run {
    /// Reads a log.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a log.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        let mut lines = lines(path)?;
        let Some(Line::Log(version)) = lines.next() else {
            return Err(io::Error::other("it is not a log: `mcve --log FILE` writes one"));
        };
        let mut run = Self { version, ..Self::default() };
        for line in lines {
            match line {
                Line::Log(_) => {}
                Line::Begun(begun) => run.begun = begun,
                Line::Input(text) => run.input = text,
                Line::Step(step) => run.steps.push(step),
                Line::Pass(pass) => run.passes.push(pass),
                Line::Tried(attempt) => run.tried.push(attempt),
                Line::Result(line) => run.lines.push(line),
                Line::End(end) => run.end = Some(*end),
            }
        }
        Ok(run)
    }

    /// The run that made the result at `result`; none where nothing is kept of it.
    pub(crate) fn of_result(result: &Path) -> Option<Self> {
        Self::read(&kept::path(result)?).ok()
    }

    /// Whether the run came to its end: all was tried.
    pub(crate) fn is_complete(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.ending == Ending::Complete)
    }

    /// The text of the program before the first step, and after each.
    pub(crate) fn texts(&self) -> impl Iterator<Item = String> {
        let mut steps = self.steps.iter();
        std::iter::successors(Some(self.input.clone()), move |text| {
            let Step { at, removed, added, .. } = steps.next()?;
            // None where the log was changed by hand.
            text.get(*at..at + removed)?;
            let mut text = text.clone();
            text.replace_range(*at..at + removed, added);
            Some(text)
        })
    }
}

/// Whether the file at `path` is a log.
pub(super) fn is_log(path: &Path) -> io::Result<bool> {
    Ok(matches!(lines(path)?.next(), Some(Line::Log(_))))
}

/// The lines of a log, up to one that was cut off.
fn lines(path: &Path) -> io::Result<impl Iterator<Item = Line>> {
    let lines = BufReader::new(File::open(path)?).split(b'\n').map_while(Result::ok);
    Ok(lines.map_while(|line| serde_json::from_slice(&line).ok()))
}
