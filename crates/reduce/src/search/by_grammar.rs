//! The search over a text with a grammar: by its derivation first, then by its pieces. Each candidate is a sentence.

use std::sync::Arc;

use super::by_text::{self, Sweep};
use super::by_words;
use super::engine::{Next, Search};
use super::shorter::first_failing;
use crate::check::limits::Stop;
use crate::event::Event;
use crate::sentence::Sentences;
use mcve_dd::by_symbol::by_symbol;
use mcve_dd::chains::chains;
use mcve_dd::grammar::derivation::Derivation;
use mcve_dd::grammar::productions::Grammar;
use mcve_dd::grammar_reducer::GrammarReducer;
use mcve_dd::outcome::Outcome;
use mcve_dd::tree_reduction::repeated_tree_reduction;
use mcve_dd::trees::TestTree;

/// The shortest chain of nested symbols that is divided as one.
const CHAIN: usize = 4;

/// The most characters of a text of which also the pieces are tried. Each such candidate is parsed, which takes as long as the
/// text is.
const LONGEST: usize = 20_000;

type Algorithm = fn(Derivation, &Grammar, &mut TestTree<'_, Stop>) -> Result<Derivation, Stop>;

/// The passes over the derivation, from coarse to fine.
const PASSES: &[(&str, Algorithm)] = &[
    ("chains", |tree, _, test| chains(tree, CHAIN, test)),
    ("symbols", by_symbol),
    ("subtrees", repeated_tree_reduction),
    ("expansions", |tree, grammar, test| GrammarReducer::new(grammar).depth_by_depth().generating().reduce(tree, test)),
];

/// Reduces the best program, a sentence, until no pass makes it smaller.
pub(super) fn run(search: &mut Search<'_>, sentences: &Arc<Sentences>) -> Result<(), Stop> {
    loop {
        let before = search.measure();
        go_on(search, sentences, 0)?;
        let is_short = search.measure().tokens <= LONGEST;
        if search.measure() == before && !(is_short && by_words::run(search, Some(sentences))?) {
            return Ok(());
        }
    }
}

/// Runs the passes from this one on.
fn go_on(search: &mut Search<'_>, sentences: &Arc<Sentences>, first: usize) -> Result<(), Stop> {
    for (number, (name, algorithm)) in PASSES.iter().enumerate().skip(first) {
        search.observer.event(&Event::PassStarted { pass: name });
        search.set_continuation(|| {
            let sentences = Arc::clone(sentences);
            Box::new(move |search| {
                go_on(search, &sentences, number)?;
                run(search, &sentences)
            })
        });
        if let Some(text) = sentences.without_ending(&search.best().text).map(str::to_owned) {
            test_text(search, name, text)?;
        }
        // Derived anew, so that a search that is resumed here does the same.
        if let Some(tree) = sentences.parse(&search.best().text) {
            algorithm(tree, sentences.grammar(), &mut |tree| test(search, sentences, name, tree))?;
        }
        search.end_pass(name)?;
    }
    if search.measure().tokens > LONGEST {
        return Ok(());
    }
    let again = Arc::clone(sentences);
    let again: Arc<Next> = Arc::new(move |search| run(search, &again));
    by_text::sweep(search, &Sweep { sentences: Some(Arc::clone(sentences)), again }, 0)
}

/// Tests a derivation. One that fails becomes the best program; one whose text is not shorter is not tested.
fn test(
    search: &mut Search<'_>,
    sentences: &Sentences,
    pass: &'static str,
    tree: &Derivation,
) -> Result<Outcome, Stop> {
    let text = sentences.in_place_of(&search.best().text, tree);
    test_text(search, pass, text)
}

fn test_text(search: &mut Search<'_>, pass: &'static str, text: String) -> Result<Outcome, Stop> {
    let programs = std::iter::once(search.best().with_text(text));
    let found = first_failing(search, pass, None, programs)?;
    Ok(if found.is_some() { Outcome::Fail } else { Outcome::Unresolved })
}
