//! Reads a log.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use mcve_reduce::event::{Attempt, Ending, General};

use super::kept;
use super::line::{End, Line, Pass, ResultLine, Step};
use crate::report::begun::Begun;

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
    /// The parts of the result that may be any of their kind, if that was asked.
    pub(crate) general: Vec<General>,
}

impl Run {
    /// Reads a log. Fails when the file cannot be read, or is not a log.
    fn read(path: &Path) -> io::Result<Self> {
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
                Line::General(parts) => run.general = parts,
            }
        }
        Ok(run)
    }

    /// The run whose log is at `path`; none where no log is.
    pub(crate) fn of_log(path: &Path) -> Option<Self> {
        if path.is_file() { Self::read(path).ok() } else { None }
    }

    /// The run that made the result at `result`; none where nothing is kept of it.
    pub(crate) fn of_result(result: &Path) -> Option<Self> {
        Self::read(&kept::path(result).ok()?).ok()
    }

    /// As [`of_result`](Self::of_result), of a result that goes: what is kept of it goes too.
    pub(crate) fn take(result: &Path) -> Option<Self> {
        let path = kept::path(result).ok()?;
        let run = Self::read(&path).ok();
        // The next run for this path replaces it.
        let _ = std::fs::remove_file(path);
        run
    }

    /// Adds the parts that may be any of their kind, also to what is kept of the result at `result`.
    pub(crate) fn add_general(&mut self, parts: Vec<General>, result: &Path) {
        let line = serde_json::to_string(&Line::General(parts.clone())).expect("all is text and numbers");
        let log = kept::path(result).and_then(|path| OpenOptions::new().append(true).open(path));
        // What is not kept is asked once more.
        let _ = log.and_then(|mut log| writeln!(log, "{line}"));
        self.general = parts;
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
