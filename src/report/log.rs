//! Writes what became of each change that a reduction proposed, a JSON object a line, so that `mcve explain-run` can say why a part
//! is still there.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use mcve_transforms::{Document, Edit, edited};
use serde::{Deserialize, Serialize};

use super::json::escaped;
use super::words::ending;
use mcve_reduce::event::{Attempt, Event, Observer, Rejection, Summary, Tried};
use mcve_reduce::program::{ContentHash, Program};

/// A site of more bytes is shown as the lines of the first edit there.
const SHORT: usize = 120;

/// Of a text no more characters are shown.
const SHOWN: usize = 240;

/// A line of a log.
#[derive(Deserialize, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Line {
    /// The first line: the version of mcve that wrote the log.
    Log { version: String },
    /// A program, by the edits that make it of another one, or of nothing.
    Program(ProgramLine),
    /// A change that was proposed.
    Tried(Box<TriedLine>),
    /// The result, and how the run ended.
    Result { program: usize, ending: String },
}

#[derive(Deserialize, Serialize)]
pub(super) struct ProgramLine {
    pub(super) program: usize,
    /// The name of the file, or of the root of several.
    pub(super) name: String,
    /// Whether the text is that of several files.
    pub(super) is_document: bool,
    pub(super) from: Option<usize>,
    pub(super) edits: Vec<EditOf>,
}

/// The first byte that goes, the end of those that do, and what comes.
pub(super) type EditOf = (usize, usize, String);

#[derive(Clone, Deserialize, Serialize)]
pub(super) struct TriedLine {
    /// The program for which it was proposed.
    pub(super) base: usize,
    pub(super) transform: String,
    /// Its file, line and column there.
    pub(super) place: String,
    pub(super) before: String,
    pub(super) after: String,
    pub(super) edits: Vec<EditOf>,
    /// Who refused it, and why; none if it was taken.
    pub(super) by: Option<String>,
    pub(super) reason: String,
    pub(super) check: Option<usize>,
    pub(super) together: usize,
}

/// Writes a log, and passes all other events on.
pub struct Log {
    inner: Box<dyn Observer>,
    out: BufWriter<File>,
    /// Why the log is not written any more.
    error: Option<io::Error>,
    /// The numbers of the programs in the log.
    numbers: HashMap<ContentHash, usize>,
    /// The last of them.
    last: Option<(usize, Program)>,
}

impl Log {
    /// Writes to the file at `path`, in the place of an earlier log.
    ///
    /// # Errors
    /// When it cannot be written, or is there and no log.
    pub fn begin(path: &Path, inner: Box<dyn Observer>) -> io::Result<Self> {
        let is_log = || Ok::<_, io::Error>(read(path)?.next().is_some_and(|line| matches!(line, Ok(Line::Log { .. }))));
        if path.metadata().is_ok_and(|found| found.is_file() && found.len() > 0) && !is_log()? {
            return Err(io::Error::other("it is there, and no log of mcve"));
        }
        let (out, numbers) = (BufWriter::new(File::create(path)?), HashMap::new());
        let mut log = Self { inner, out, error: None, numbers, last: None };
        log.write(&Line::Log { version: env!("CARGO_PKG_VERSION").to_owned() });
        Ok(log)
    }

    fn write(&mut self, line: &Line) {
        if self.error.is_none() {
            let json = serde_json::to_string(line).map_err(io::Error::from);
            self.error = json.and_then(|json| writeln!(self.out, "{}", escaped(&json))).err();
        }
    }

    /// The number of a program, which is written if it is new: by the edits that make it of another one, or of the last one.
    fn number(&mut self, program: &Program, made_of: Option<(usize, &[Edit])>) -> usize {
        let (hash, number) = (program.hash(), self.numbers.len());
        if let Some(known) = self.numbers.get(&hash) {
            return *known;
        }
        self.numbers.insert(hash, number);
        let last = self.last.as_ref().map(|(last, before)| (Some(*last), edits_of(&[program.edit_since(before)])));
        let made_of = made_of.map(|(from, edits)| (Some(from), edits_of(edits))).or(last);
        let (from, edits) = made_of.unwrap_or_else(|| (None, vec![(0, 0, program.text.to_string())]));
        let (name, is_document) = (program.name.to_string_lossy().into_owned(), program.document().is_some());
        self.write(&Line::Program(ProgramLine { program: number, name, is_document, from, edits }));
        self.last = Some((number, program.clone()));
        number
    }

    fn tried(&mut self, Tried { base, program, edits, attempts }: &Tried) {
        let number = self.number(base, None);
        self.number(program, Some((number, edits)));
        let files = Files::of(&base.name.to_string_lossy(), &base.text, base.document().is_some());
        for Attempt { transform, site, edits, rejection } in attempts {
            let (before, after) = shown(&base.text, site, edits);
            let (file, line, column) = files.place(site.start);
            let Rejection { by, reason, check, together } = rejection.clone().unwrap_or_default();
            self.write(&Line::Tried(Box::new(TriedLine {
                base: number,
                transform: transform.clone(),
                place: format!("{file}:{line}:{column}"),
                before,
                after,
                edits: edits_of(edits),
                by: rejection.is_some().then(|| by.to_owned()),
                reason: reason.to_string(),
                check,
                together,
            })));
        }
    }

    fn finish(&mut self, Summary { program, ending: ended, .. }: &Summary) {
        let program = self.number(program, None);
        self.write(&Line::Result { program, ending: ending(*ended).to_owned() });
    }
}

impl Observer for Log {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Tried(tried) => return self.tried(tried),
            Event::Finished(summary) => self.finish(summary),
            _ => {}
        }
        self.inner.event(event);
    }

    fn wants_attempts(&self) -> bool {
        true
    }

    fn close(&mut self) -> io::Result<()> {
        let written = self.error.take().map_or_else(|| self.out.flush(), Err);
        self.inner.close().and(written)
    }
}

/// The lines of a log. One that was cut off is left out.
pub(super) fn read(path: &Path) -> io::Result<impl Iterator<Item = io::Result<Line>>> {
    let lines = BufReader::new(File::open(path)?).split(b'\n');
    Ok(lines.map(|line| Ok(serde_json::from_slice(&line?)?)))
}

fn edits_of(edits: &[Edit]) -> Vec<EditOf> {
    edits.iter().map(|Edit { range, text }| (range.start, range.end, text.clone())).collect()
}

/// What a change takes away, and what comes in its place: all of its site, or the lines of its first edit.
pub(super) fn shown(text: &str, site: &Range<usize>, edits: &[Edit]) -> (String, String) {
    let first = edits.iter().find(|edit| edit.range.start <= site.end && site.start <= edit.range.end);
    let first = first.or(edits.first()).map_or(site, |edit| &edit.range);
    let mut range = if site.len() <= SHORT { site.clone() } else { lines_around(text, first) };
    for Edit { range: own, .. } in edits {
        if own.start <= range.end && range.start <= own.end {
            range = range.start.min(own.start)..range.end.max(own.end);
        }
    }
    let cut = |text: &str| text.trim().chars().take(SHOWN).collect();
    (cut(&text[range.clone()]), cut(&edited(text, range, edits)))
}

fn lines_around(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
    start..text[range.end..].find('\n').map_or(text.len(), |newline| range.end + newline)
}

/// The files of a program with their lines.
pub(super) struct Files {
    document: Option<Document>,
    /// Their paths, texts, and where their lines begin.
    files: Vec<(String, String, Vec<usize>)>,
}

impl Files {
    pub(super) fn of(name: &str, text: &str, is_document: bool) -> Self {
        let document = is_document.then(|| Document::read(text, name)).flatten();
        let lone = || vec![(name.to_owned(), text.to_owned())];
        let files = document.as_ref().map_or_else(lone, |document| {
            let path = |at: &str| if at.is_empty() { name.to_owned() } else { at.to_owned() };
            document.files.iter().map(|file| (path(&file.at), file.text(text))).collect()
        });
        let starts = |text: &str| {
            let next = text.match_indices('\n').map(|(newline, _)| newline + 1);
            std::iter::once(0).chain(next).collect()
        };
        let files = files.into_iter().map(|(path, text)| (path, starts(&text), text));
        Self { document, files: files.map(|(path, starts, text)| (path, text, starts)).collect() }
    }

    /// The file, the line and the column of a byte of the program's text, both from 1.
    pub(super) fn place(&self, byte: usize) -> (&str, usize, usize) {
        let in_document = self.document.as_ref().and_then(|document| {
            let number = document.files.iter().position(|file| file.offset(byte).is_some())?;
            Some((number, document.files[number].offset(byte)?))
        });
        let (number, offset) = in_document.unwrap_or((0, byte));
        let (path, _, starts) = &self.files[number];
        let line = starts.partition_point(|start| *start <= offset);
        (path, line, offset - starts[line - 1] + 1)
    }

    /// The text of a line of a file.
    pub(super) fn line(&self, path: &str, line: usize) -> Option<&str> {
        let (_, text, _) = self.files.iter().find(|(own, ..)| own == path)?;
        text.lines().nth(line.checked_sub(1)?)
    }

    /// Their paths.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(path, ..)| &**path)
    }
}
