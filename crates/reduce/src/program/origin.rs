//! Where each token of a program comes from: which token of the program that a reduction began with.
//!
//! Edits know it: what they copy is what it was. Of what they write, and of a text that somebody else made of a program (a
//! formatter), the tokens are aligned with those that they took the place of: equal words in order, and a new word for another
//! where both stand alone between equal ones, as after a rename; then what moved. A word that was there already is what it was there.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use mcve_transforms::{Kind, Segment, tokens};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Where the tokens of one text come from. Computed when it is first asked for.
#[derive(Debug)]
pub(super) struct Origin {
    /// The text that the reduction began with.
    input: Arc<str>,
    tokens: OnceLock<Vec<Traced>>,
    /// The input for computing the tokens; none once they are computed, and for the input itself.
    made_of: Mutex<Option<MadeOf>>,
}

/// So many tokens in a row that are elsewhere were moved.
const MOVED: usize = 3;

#[derive(Clone, Debug)]
pub(super) struct Traced {
    pub(super) at: Range<usize>,
    /// The bytes of the token of the input that it was; none where it is new.
    pub(super) from: Option<Range<usize>>,
}

/// The text that another one was made of.
#[derive(Debug)]
struct MadeOf {
    base: Arc<Origin>,
    text: Arc<str>,
    /// The segments that edits left; none if the text was written anew.
    segments: Option<Vec<Segment>>,
}

impl Origin {
    /// That of the text that a reduction begins with.
    pub(super) fn of_input(text: Arc<str>) -> Self {
        let own: Vec<Traced> = code(&text).map(|at| Traced { from: Some(at.clone()), at }).collect();
        Self { input: text, tokens: OnceLock::from(own), made_of: Mutex::new(None) }
    }

    /// That of a text that was made of `text`, by edits if there are `segments`.
    pub(super) fn made_of(base: &Arc<Self>, text: &Arc<str>, segments: Option<Vec<Segment>>) -> Self {
        let (base, text) = (Arc::clone(base), Arc::clone(text));
        let input = Arc::clone(&base.input);
        Self { input, tokens: OnceLock::new(), made_of: Mutex::new(Some(MadeOf { base, text, segments })) }
    }

    /// The words of the input that the tokens of `text` that read `word` come from. `text` is the text that this is of.
    pub(super) fn words_behind(&self, text: &str, word: &str) -> HashSet<&str> {
        let of_word = self.tokens(text).iter().filter(|token| text[token.at.clone()] == *word);
        of_word.filter_map(|token| self.input.get(token.from.clone()?)).collect()
    }

    /// The word of the input `word` as it stands in `text` now; none if it is gone, or was never there.
    pub(super) fn word_now<'a>(&self, text: &'a str, word: &str) -> Option<&'a str> {
        let is_it = |token: &&Traced| token.from.clone().and_then(|from| self.input.get(from)) == Some(word);
        self.tokens(text).iter().find(is_it).map(|token| &text[token.at.clone()])
    }

    /// The tokens of `text`, which this is of. Once they are computed, the text that they are computed from is let go.
    pub(super) fn tokens(&self, text: &str) -> &[Traced] {
        self.tokens.get_or_init(|| {
            let made_of = self.made_of.lock().unwrap_or_else(PoisonError::into_inner).take();
            made_of.map_or_else(Vec::new, |made_of| made_of.trace(text))
        })
    }
}

impl MadeOf {
    fn trace(&self, text: &str) -> Vec<Traced> {
        let base = self.base.tokens(&self.text);
        let mut traced: Vec<Traced> = code(text).map(|at| Traced { at, from: None }).collect();
        let known = self.first_of_each_word(base);
        let Some(segments) = &self.segments else {
            self.align(base, text, &mut traced, &known);
            return traced;
        };
        for segment in segments {
            let first = traced.partition_point(|token| token.at.start < segment.at.start);
            let end = traced.partition_point(|token| token.at.start < segment.at.end);
            if segment.is_copy {
                for token in &mut traced[first..end] {
                    let byte = segment.from.start + (token.at.start - segment.at.start);
                    token.from = token_at(base, byte).and_then(|token| token.from.clone());
                }
            } else {
                let replaced = base.partition_point(|token| token.at.end <= segment.from.start)
                    ..base.partition_point(|token| token.at.start < segment.from.end);
                self.align(&base[replaced], text, &mut traced[first..end], &known);
            }
        }
        let new = traced.iter_mut().filter(|token| token.from.is_none());
        new.for_each(|token| token.from = known.get(&text[token.at.clone()]).cloned());
        traced
    }

    /// Aligns tokens that were written with those that they took the place of, and runs of what is left with those that moved.
    fn align(&self, replaced: &[Traced], text: &str, written: &mut [Traced], known: &HashMap<&str, Range<usize>>) {
        let (mut old, mut new) = (Vec::from_iter(0..replaced.len()), Vec::from_iter(0..written.len()));
        for least in [1].into_iter().chain(std::iter::repeat(MOVED)) {
            let before = new.len();
            let old_words: Vec<&str> = old.iter().map(|at| &self.text[replaced[*at].at.clone()]).collect();
            let new_words: Vec<&str> = new.iter().map(|at| &text[written[*at].at.clone()]).collect();
            let (mut old_done, mut new_done) = (HashSet::new(), HashSet::new());
            for op in capture_diff_slices(Algorithm::Myers, &old_words, &new_words) {
                let (old_index, new_index, len) = match op {
                    DiffOp::Equal { old_index, new_index, len } if len >= least => (old_index, new_index, len),
                    DiffOp::Replace { old_index, old_len: 1, new_index, new_len: 1 }
                        if least == 1 && !known.contains_key(new_words[new_index]) =>
                    {
                        (old_index, new_index, 1)
                    }
                    _ => continue,
                };
                for (from, to) in (old_index..).zip(new_index..new_index + len) {
                    written[new[to]].from = replaced[old[from]].from.clone();
                    old_done.insert(old[from]);
                    new_done.insert(new[to]);
                }
            }
            old.retain(|at| !old_done.contains(at));
            new.retain(|at| !new_done.contains(at));
            if old.is_empty() || new.len() == before || new.is_empty() {
                break;
            }
        }
    }

    /// For what was moved: where a name that is written elsewhere stood first.
    fn first_of_each_word(&self, base: &[Traced]) -> HashMap<&str, Range<usize>> {
        let mut first = HashMap::new();
        for token in base {
            let word = &self.text[token.at.clone()];
            if let Some(from) = token.from.clone().filter(|_| is_name(word)) {
                first.entry(word).or_insert(from);
            }
        }
        first
    }
}

/// The bytes of the code tokens of a text.
pub(super) fn code(text: &str) -> impl Iterator<Item = Range<usize>> {
    tokens(text).into_iter().filter(|token| token.kind == Kind::Code).map(|token| token.range)
}

fn token_at(tokens: &[Traced], byte: usize) -> Option<&Traced> {
    let next = tokens.partition_point(|token| token.at.start <= byte);
    tokens[..next].last().filter(|token| byte < token.at.end)
}

pub(super) fn is_name(word: &str) -> bool {
    word.strip_prefix('\'').unwrap_or(word).starts_with(|c: char| c == '_' || c.is_alphabetic())
}
