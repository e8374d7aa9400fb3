//! The search over a text that is not Rust: from blocks to characters, and then by its words. Nothing is added.

use std::sync::Arc;

use mcve_transforms::pieces::{self, Piece, without};

use super::engine::Search;
use super::{by_grammar, by_words};
use crate::check::limits::Stop;
use crate::event::Event;
use crate::program::Program;
use crate::sentence::Sentences;
use mcve_dd::ddmin::ddmin;
use mcve_dd::keep_list::KeepList;
use mcve_dd::one_by_one::one_by_one;
use mcve_dd::outcome::Outcome;
use mcve_dd::tester::Tester;

/// How the pieces of a pass are found.
#[derive(Clone, Copy)]
enum Pieces {
    /// At a depth of the text. The outer ones are tried first: hierarchical delta debugging (Misherghi and Su, *HDD*, 2006).
    AtDepth(fn(&str, usize) -> Vec<Piece>),
    All(fn(&str) -> Vec<Piece>),
    /// All, each of which may hold others.
    Nested(fn(&str) -> Vec<Piece>),
}

/// The passes, with what they do in words, from coarse to fine. The last one makes the result 1-minimal by characters.
const PASSES: &[(&str, &str, Pieces)] = &[
    ("blocks", "removing blocks", Pieces::AtDepth(pieces::blocks)),
    ("elements", "removing elements", Pieces::AtDepth(pieces::elements)),
    ("groups", "removing what is in brackets", Pieces::AtDepth(pieces::bracketed)),
    ("heads", "removing what is around brackets", Pieces::Nested(pieces::heads)),
    ("lines", "removing lines", Pieces::All(pieces::lines)),
    ("brackets", "removing brackets", Pieces::Nested(pieces::brackets)),
    ("words", "removing words", Pieces::All(pieces::words)),
    ("characters", "removing characters", Pieces::All(pieces::characters)),
];

/// The most characters of a text of which pieces are tried as well: each candidate is parsed as a whole.
const LONGEST: usize = 20_000;

/// Reduces the best program, a text, until no pass makes it smaller: first by its derivation, if there is a grammar.
pub(super) fn run(search: &mut Search<'_>, sentences: Option<Arc<Sentences>>) -> Result<(), Stop> {
    let (before, again) = (search.measure(), sentences.clone());
    let is_short = |search: &Search<'_>| search.measure().tokens <= LONGEST;
    search.then(move |search| {
        let sentences = again.as_deref();
        let tries_words = sentences.is_none() || is_short(search);
        let is_smaller = search.measure() != before || tries_words && by_words::run(search, sentences)?;
        if is_smaller { run(search, again.clone()) } else { Ok(()) }
    });
    for pass in PASSES.iter().rev() {
        let sentences = sentences.clone();
        search.then(move |search| match &sentences {
            Some(_) if !is_short(search) => Ok(()),
            sentences => run_pass(search, sentences.as_deref(), *pass),
        });
    }
    if let Some(sentences) = sentences {
        for pass in by_grammar::PASSES.iter().rev() {
            let sentences = Arc::clone(&sentences);
            search.then(move |search| by_grammar::run_pass(search, &sentences, *pass));
        }
    }
    Ok(())
}

fn run_pass(
    search: &mut Search<'_>,
    sentences: Option<&Sentences>,
    (name, doing, pieces): (&'static str, &'static str, Pieces),
) -> Result<(), Stop> {
    search.observer.event(&Event::PassStarted { pass: name, doing });
    match pieces {
        Pieces::AtDepth(at_depth) => {
            for depth in 0.. {
                let pieces = at_depth(&search.best().text, depth);
                if pieces.is_empty() {
                    break;
                }
                delete(&mut PieceTester::new(search, name, sentences, &pieces))?;
            }
        }
        Pieces::All(all) => {
            let pieces = all(&search.best().text);
            delete(&mut PieceTester::new(search, name, sentences, &pieces))?;
        }
        Pieces::Nested(all) => {
            let pieces = all(&search.best().text);
            let keep = KeepList::full(pieces.len());
            one_by_one(keep, &mut PieceTester::new(search, name, sentences, &pieces))?;
        }
    }
    search.end_pass(name)
}

/// Deletes as many pieces as can go.
fn delete(tester: &mut PieceTester<'_, '_>) -> Result<(), Stop> {
    let keep = ddmin(KeepList::full(tester.pieces.len()), tester)?;
    one_by_one(keep, tester).map(drop)
}

/// Deletes pieces of the program that was the best one when the tester was made. A candidate that fails becomes the best program.
struct PieceTester<'s, 'a> {
    search: &'s mut Search<'a>,
    base: Program,
    pass: &'s str,
    sentences: Option<&'s Sentences>,
    pieces: &'s [Piece],
}

impl<'s, 'a> PieceTester<'s, 'a> {
    fn new(search: &'s mut Search<'a>, pass: &'s str, sentences: Option<&'s Sentences>, pieces: &'s [Piece]) -> Self {
        Self { base: search.best().clone(), search, pass, sentences, pieces }
    }
}

impl Tester<Stop> for PieceTester<'_, '_> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Stop> {
        let found = self.first(&mut std::iter::once(keep.clone()))?;
        Ok(if found.is_some() { Outcome::Fail } else { Outcome::Unresolved })
    }

    fn first(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<Option<usize>, Stop> {
        let (base, pieces) = (&self.base, self.pieces);
        let text = |keep: KeepList| without(&base.text, keep.removed().map(|index| &pieces[index]));
        let programs = keeps.map(|keep| base.with_text(text(keep)));
        self.search.take_first_shorter(self.pass, self.sentences, programs)
    }
}
