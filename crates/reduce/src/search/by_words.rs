//! Words of a text that is not Rust: equal ones become shorter together, and a word gives way to another one of the text.
//!
//! Names stand in several places that have to agree, so no deletion in one place can shorten them. Nothing new is written: what
//! takes the place of a word is a part of it, or a word that is there.

use std::ops::Range;

use mcve_transforms::pieces::{self, Piece, names_by_text, with_word, without, words_by_text};

use super::engine::Search;
use crate::check::limits::Stop;
use crate::event::Event;
use crate::sentence::Sentences;

/// A text of more words is only shortened: trying each word for each other one would take too many checks.
const MANY: usize = 60;

/// Others that are tried for a word.
const OTHERS: usize = 4;

/// The grammar of which each candidate is a sentence, if the user gave one.
type Grammar<'g> = Option<&'g Sentences>;

/// Finds the words of a text with their places.
type Words = fn(&str) -> Vec<(&str, Vec<Range<usize>>)>;

/// Makes the best program, a text, smaller by its words; whether that succeeded.
pub(super) fn run(search: &mut Search<'_>, sentences: Grammar<'_>) -> Result<bool, Stop> {
    let before = search.measure();
    search.observer.event(&Event::PassStarted { pass: "equal words", doing: "shortening words" });
    shorten(search, sentences, names_by_text)?;
    shorten(search, sentences, words_by_text)?;
    search.end_pass("equal words")?;
    search.observer.event(&Event::PassStarted { pass: "other words", doing: "replacing words by others" });
    while words_by_text(&search.best().text).len() <= MANY
        && (merge(search, sentences)? || take_over(search, sentences)?)
    {}
    search.end_pass("other words")?;
    Ok(search.measure() != before)
}

/// Shortens each word in all places at once: to one character, or else by what can go.
fn shorten(search: &mut Search<'_>, sentences: Grammar<'_>, words: Words) -> Result<(), Stop> {
    for word in 0.. {
        let text = search.best().text.clone();
        let Some((word, places)) = words(&text).into_iter().nth(word) else { return Ok(()) };
        if places.len() < 2 || word.chars().nth(1).is_none() {
            continue;
        }
        let first = word.chars().next().map_or(0, char::len_utf8);
        let rest = Piece { ranges: places.iter().map(|at| at.start + first..at.end).collect() };
        if first_failing(search, sentences, vec![without(&text, [&rest])])? {
            continue;
        }
        let mut places = places;
        for (offset, char) in word.char_indices().rev() {
            let length = char.len_utf8();
            let piece =
                Piece { ranges: places.iter().map(|at| at.start + offset..at.start + offset + length).collect() };
            if first_failing(search, sentences, vec![without(&search.best().text, [&piece])])? {
                let shifted =
                    |(index, at): (usize, &Range<usize>)| at.start - index * length..at.end - (index + 1) * length;
                places = places.iter().enumerate().map(shifted).collect();
            }
        }
    }
    Ok(())
}

/// Writes a shorter word of the text in all places of a word.
fn merge(search: &mut Search<'_>, sentences: Grammar<'_>) -> Result<bool, Stop> {
    let text = search.best().text.clone();
    let words = words_by_text(&text);
    let mut candidates = Vec::new();
    for (word, places) in words.iter().rev() {
        let shorter = others(&words, word).into_iter().filter(|other| other.len() < word.len());
        candidates.extend(shorter.map(|other| with_word(&text, places, other)));
    }
    first_failing(search, sentences, candidates)
}

/// Deletes a piece with the first place of a word, where it is probably defined, and writes another word in the other places.
fn take_over(search: &mut Search<'_>, sentences: Grammar<'_>) -> Result<bool, Stop> {
    let text = search.best().text.clone();
    let words = words_by_text(&text);
    let mut all: Vec<Piece> = (0..3).flat_map(|depth| pieces::blocks(&text, depth)).collect();
    all.extend((0..3).flat_map(|depth| pieces::elements(&text, depth)));
    all.sort_by_key(|piece| (piece.span().start, piece.span().end));
    all.dedup();
    let mut candidates = Vec::new();
    for piece in all {
        let span = piece.span();
        let is_inside = |at: &Range<usize>| span.start <= at.start && at.end <= span.end;
        for (word, places) in &words {
            let outside: Vec<_> = places.iter().filter(|at| !is_inside(at)).cloned().collect();
            if outside.is_empty() || !is_inside(&places[0]) {
                continue;
            }
            for other in others(&words, word) {
                let shift = |at: usize| if at >= span.end { at - span.len() } else { at };
                let places: Vec<_> = outside.iter().map(|at| shift(at.start)..shift(at.end)).collect();
                candidates.push(with_word(&without(&text, [&piece]), &places, other));
            }
        }
    }
    first_failing(search, sentences, candidates)
}

/// The words that may take the place of `word`: no longer ones, the shortest first.
fn others<'w>(words: &[(&'w str, Vec<Range<usize>>)], word: &str) -> Vec<&'w str> {
    let mut others: Vec<&str> =
        words.iter().map(|(other, _)| *other).filter(|other| *other != word && other.len() <= word.len()).collect();
    others.sort_by_key(|other| other.len());
    others.truncate(OTHERS);
    others
}

/// Makes the first of these texts that is shorter and fails the best program; whether there is one.
fn first_failing(search: &mut Search<'_>, sentences: Grammar<'_>, texts: Vec<String>) -> Result<bool, Stop> {
    let best = search.best().clone();
    let programs = texts.into_iter().map(|text| best.with_text(text));
    Ok(search.take_first_shorter("words", sentences, programs)?.is_some())
}
