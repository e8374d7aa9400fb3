//! Which changes of a result were refused, for each of its lines.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use mcve_reduce::event::{Attempt, Rejection};
use mcve_reduce::program::Program;
use mcve_transforms::{Kind, tokens};

use super::line::{RefusedAt, ResultLine};

/// So many changes of more than a line are named for it, and so many that no check refused.
pub(super) const OTHERS: usize = 5;

/// The changes that were tried, with their numbers, for each program that they were tried of.
pub(super) type Tried = [(Program, Vec<(usize, Attempt)>)];

/// The lines of `result`, each with the changes of it that were refused.
pub(super) fn lines(result: &Program, programs: &Tried) -> Vec<ResultLine> {
    let code = tokens(&result.text).into_iter().filter(|token| token.kind == Kind::Code);
    let tokens: Vec<Range<usize>> = code.map(|token| token.range).collect();
    // The last steps, such as the layout, try a whole program each.
    let tried = programs.iter().rev().find(|(_, tried)| tried.len() > OTHERS).or(programs.last());
    let before = Arc::clone(&tried.map_or(result, |(program, _)| program).text);
    let last = Program::new("", Arc::clone(&before)).traced().with_text(&*result.text);
    let refused = refused(programs, result, &tokens);
    let (explained, document, mut start) = (Explained { tokens, before, last, refused }, result.document(), 0);
    let mut lines = Vec::new();
    for text in result.text.split_inclusive('\n') {
        if document.as_ref().is_none_or(|document| document.place(start).is_some()) {
            let (file, above) = result.place(start);
            let (file, number) = (file.to_string_lossy().into_owned(), above.matches('\n').count() + 1);
            lines.push(explained.line(file, number, start..start + text.len()));
        }
        start += text.len();
    }
    lines
}

/// The changes of these tokens of the result that were refused, each once, as it was proposed last or says most.
fn refused(programs: &Tried, result: &Program, tokens: &[Range<usize>]) -> Vec<Refused> {
    let (mut all, mut known): (Vec<Refused>, HashMap<_, usize>) = Default::default();
    for (program, tried) in programs.iter().rev() {
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
            let len = |gone: &Range<usize>| program.text[gone.clone()].split_whitespace().map(str::len).sum::<usize>();
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

/// A change that was refused.
struct Refused {
    number: usize,
    says: (bool, Reverse<usize>),
    /// The tokens of the result that would have changed.
    tokens: Vec<usize>,
    /// The bytes that would have gone.
    bytes: usize,
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
        let (untraced, was) = (self.parts(own.clone(), |token| !is_traced(token)), self.was(text, own.clone()));
        let mut counts = [0; 4];
        tried.retain(|(kind, _)| {
            counts[*kind] += 1;
            *kind == 0 || counts[*kind] <= OTHERS
        });
        let at = |(_, one): &(usize, &Refused)| self.place(one, &own, range.start);
        let tried = tried.iter().map(at).collect();
        ResultLine { file, line, text: text.trim_end().to_owned(), was, tried, left, untraced }
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

    /// Where a change is among these tokens of a line that begins at the byte `start`.
    fn place(&self, one: &Refused, own: &Range<usize>, start: usize) -> RefusedAt {
        let inside = one.tokens.iter().filter(|token| own.contains(token));
        let ranges = || inside.clone().map(|token| &self.tokens[*token]);
        let [first, end] = [ranges().map(|at| at.start).min(), ranges().map(|at| at.end).max()];
        let column = |byte: Option<usize>| byte.unwrap_or(start) - start;
        let (start, end) = (column(first), column(end));
        RefusedAt { number: one.number, start, end, is_whole: one.tokens.iter().all(|token| own.contains(token)) }
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
