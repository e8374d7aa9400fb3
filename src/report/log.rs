//! Writes what became of each change that a reduction proposed, a JSON object a line, and at the end which of them were about each
//! line of the result.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use mcve_transforms::{Kind, tokens};
use serde::{Deserialize, Serialize};

use super::json::escaped;
use mcve_reduce::event::{Attempt, Attempts, Ending, Event, Observer, Rejection};
use mcve_reduce::program::Program;

/// A program with so many times the bytes of the result is too far from it to say which part became which.
const FAR: usize = 100;

/// So many changes of more than a line are named for it, and so many that no check refused.
const OTHERS: usize = 5;

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Line {
    /// The first line: the version of mcve.
    Log(String),
    /// A change that was proposed.
    Tried(Attempt),
    Result(ResultLine),
    /// How the run ended.
    Ending(Ending),
}

#[derive(Deserialize, Serialize)]
pub(super) struct ResultLine {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) text: String,
    /// What it was when most was tried, with other names or in another order; else empty.
    pub(super) was: String,
    /// The changes of it that were refused, by their numbers, the most telling first.
    pub(super) tried: Vec<usize>,
    /// The parts that none of them changes.
    pub(super) left: Vec<String>,
    /// The parts whose place before the last steps is not known: moved, renamed or laid out.
    pub(super) untraced: Vec<String>,
}

/// Writes a log, and passes all other events on.
pub(crate) struct Log {
    inner: Box<dyn Observer>,
    out: BufWriter<File>,
    /// The programs, with the changes of each, by their numbers.
    programs: Vec<(Program, Vec<(usize, Attempt)>)>,
    /// How many changes were written.
    count: usize,
    /// What was refused without a check: that is said once.
    unchecked: HashSet<[String; 4]>,
}

/// A change that was refused.
struct Refused {
    number: usize,
    says: (bool, Reverse<usize>),
    /// The tokens of the result that would have changed.
    tokens: Vec<usize>,
    /// The bytes that would have gone.
    bytes: usize,
}

impl Log {
    /// Writes to the file at `path`, in the place of an earlier log.
    ///
    /// # Errors
    /// When the file cannot be written, or exists and is not a log.
    pub(crate) fn begin(path: &Path, inner: Box<dyn Observer>) -> io::Result<Self> {
        let is_empty = |found: std::fs::Metadata| !found.is_file() || found.len() == 0;
        if !path.metadata().map_or(true, is_empty) && !matches!(read(path)?.next(), Some(Line::Log(_))) {
            return Err(io::Error::other("the file exists, and is not a log of mcve"));
        }
        let (out, programs, unchecked) = (BufWriter::new(File::create(path)?), Vec::new(), HashSet::new());
        let mut log = Self { inner, out, programs, count: 0, unchecked };
        log.write(&Line::Log(env!("CARGO_PKG_VERSION").to_owned()));
        Ok(log)
    }

    fn write(&mut self, line: &Line) {
        let json = serde_json::to_string(line).expect("all is text and numbers");
        // What cannot be written stays in the buffer, and is an error at the end.
        let _ = writeln!(self.out, "{}", escaped(&json));
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

    /// The changes of these tokens of the result that were refused, each once, as it was proposed last or says most.
    fn refused(&self, result: &Program, tokens: &[Range<usize>]) -> Vec<Refused> {
        let (mut all, mut known): (Vec<Refused>, HashMap<_, usize>) = Default::default();
        for (program, tried) in self.programs.iter().rev() {
            let now = Program::new("", &*program.text).traced().with_text(&*result.text);
            let place = |(index, token): (usize, &Range<usize>)| Some((now.origin_of(token.start)?, index));
            let mut places: Vec<(Range<usize>, usize)> = tokens.iter().enumerate().filter_map(place).collect();
            places.sort_by_key(|(place, _)| place.start);
            for (number, attempt) in tried {
                let Some(rejection) = &attempt.rejection else { continue };
                let touched = |gone: &Range<usize>| {
                    let first = places.partition_point(|(place, _)| place.end <= gone.start);
                    let end = places.partition_point(|(place, _)| place.start < gone.end);
                    places[first..end.max(first)].iter().map(|(_, index)| *index)
                };
                let changed: BTreeSet<usize> = attempt.bytes.iter().flat_map(touched).collect();
                let changed = Vec::from_iter(changed);
                if changed.is_empty() {
                    continue;
                }
                let len =
                    |gone: &Range<usize>| program.text[gone.clone()].split_whitespace().map(str::len).sum::<usize>();
                let (says, bytes) = (says(rejection), attempt.bytes.iter().map(len).sum());
                let key = (&attempt.transform, &attempt.after, changed.clone());
                let at = *known.entry(key).or_insert(all.len());
                match all.get_mut(at) {
                    Some(same) if says <= same.says => {}
                    Some(same) => (same.number, same.says) = (*number, says),
                    None => all.push(Refused { number: *number, says, tokens: changed, bytes }),
                }
            }
        }
        all
    }

    fn write_result(&mut self, result: &Program) {
        let code = tokens(&result.text).into_iter().filter(|token| token.kind == Kind::Code);
        let tokens: Vec<Range<usize>> = code.map(|token| token.range).collect();
        // The last steps, such as the layout, try a whole program each.
        let tried = self.programs.iter().rev().find(|(_, tried)| tried.len() > OTHERS).or(self.programs.last());
        let before = Arc::clone(&tried.map_or(result, |(program, _)| program).text);
        let last = Program::new("", Arc::clone(&before)).traced().with_text(&*result.text);
        let refused = self.refused(result, &tokens);
        let (explained, document, mut start) = (Explained { tokens, before, last, refused }, result.document(), 0);
        for text in result.text.split_inclusive('\n') {
            if document.as_ref().is_none_or(|document| document.place(start).is_some()) {
                let (file, above) = result.place(start);
                let (file, number) = (file.to_string_lossy().into_owned(), above.matches('\n').count() + 1);
                self.write(&Line::Result(explained.line(file, number, start..start + text.len())));
            }
            start += text.len();
        }
    }
}

/// A result with the changes of it that were refused.
struct Explained {
    /// Its tokens, without comments.
    tokens: Vec<Range<usize>>,
    /// The last program for which many changes were tried.
    before: Arc<str>,
    /// The result, traced to that program.
    last: Program,
    refused: Vec<Refused>,
}

impl Explained {
    /// The line at these bytes.
    fn line(&self, file: String, line: usize, range: Range<usize>) -> ResultLine {
        let text = &self.last.text[range.clone()];
        let own = self.tokens.partition_point(|token| token.start < range.start)
            ..self.tokens.partition_point(|token| token.start < range.end);
        let mut tried = self.tried(own.clone());
        let is_traced = |token: &usize| self.last.origin_of(self.tokens[*token].start).is_some();
        let is_tried = |token: &usize| tried.iter().any(|(_, one)| one.tokens.binary_search(token).is_ok());
        let left = self.parts(own.clone(), |token| is_traced(token) && !is_tried(token));
        let (untraced, was) = (self.parts(own.clone(), |token| !is_traced(token)), self.was(text, own));
        let mut counts = [0; 4];
        tried.retain(|(kind, _)| {
            counts[*kind] += 1;
            *kind == 0 || counts[*kind] <= OTHERS
        });
        let tried = tried.iter().map(|(_, one)| one.number).collect();
        ResultLine { file, line, text: text.trim().to_owned(), was, tried, left, untraced }
    }

    /// The changes of these tokens, the most telling first, each with its kind: 0 of these tokens alone and refused by a check, 1 by
    /// a filter, 2 and 3 the same of more.
    fn tried(&self, own: Range<usize>) -> Vec<(usize, &Refused)> {
        let inside = |one: &Refused| {
            let [first, end] = [own.start, own.end].map(|at| one.tokens.partition_point(|token| *token < at));
            one.tokens[first..end].iter().map(|token| self.tokens[*token].len()).sum::<usize>()
        };
        let beyond = |one: &Refused| one.bytes.saturating_sub(inside(one));
        let kind = |one: &Refused| 2 * usize::from(beyond(one) > 0) + usize::from(!one.says.0);
        let mut tried: Vec<(usize, &Refused)> =
            self.refused.iter().filter(|one| inside(one) > 0).map(|one| (kind(one), one)).collect();
        tried.sort_by_key(|(kind, one)| (*kind, beyond(one), one.bytes, Reverse(one.number)));
        tried
    }

    /// The parts of these tokens that are as `is_part` says.
    fn parts(&self, own: Range<usize>, is_part: impl Fn(&usize) -> bool) -> Vec<String> {
        let found: Vec<usize> = own.filter(is_part).collect();
        let runs = found.chunk_by(|one, next| one + 1 == *next);
        let range = |run: &[usize]| self.tokens[run[0]].start..self.tokens[run[run.len() - 1]].end;
        runs.map(|run| self.last.text[range(run)].to_owned()).collect()
    }

    /// What the line was when its changes were tried; empty if it was the same but for its layout.
    fn was(&self, text: &str, own: Range<usize>) -> String {
        let mut places: Vec<_> = self.tokens[own].iter().filter_map(|at| self.last.origin_of(at.start)).collect();
        places.sort_by_key(|place| place.start);
        let was = places.first().zip(places.last()).map_or("", |(first, last)| &self.before[first.start..last.end]);
        let is_other = !bare(was).eq(bare(text)) && was.len() < 2 * text.len();
        if is_other { was.split_whitespace().collect::<Vec<_>>().join(" ") } else { String::new() }
    }
}

/// A text without its layout: a last comma or semicolon is a part of it.
fn bare(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|char| !char.is_whitespace() && !",;{}".contains(*char))
}

/// How much a rejection says: a check says more than a filter, and one of few changes more than one of many.
fn says(rejection: &Rejection) -> (bool, Reverse<usize>) {
    (rejection.check.is_some() || rejection.by == "cache", Reverse(rejection.others))
}

impl Observer for Log {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Tried { base, attempt } => return self.write_attempt(base, attempt),
            Event::Finished(summary) => {
                self.write_result(&summary.program);
                self.write(&Line::Ending(summary.ending));
            }
            _ => {}
        }
        self.inner.event(event);
    }

    fn attempts(&self) -> Attempts {
        Attempts::All
    }

    fn close(&mut self) -> io::Result<()> {
        let written = self.out.flush();
        self.inner.close().and(written)
    }
}

/// The lines of a log, up to one that was cut off.
pub(super) fn read(path: &Path) -> io::Result<impl Iterator<Item = Line>> {
    let lines = BufReader::new(File::open(path)?).split(b'\n').map_while(Result::ok);
    Ok(lines.map_while(|line| serde_json::from_slice(&line).ok()))
}
