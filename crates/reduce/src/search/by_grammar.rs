//! The search over a text with a grammar, by its derivation. Each candidate is a sentence.

use super::engine::Search;
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

pub(super) type Algorithm = fn(Derivation, &Grammar, &mut TestTree<'_, Stop>) -> Result<Derivation, Stop>;

/// The passes over the derivation, from coarse to fine.
pub(super) const PASSES: &[(&str, &str, Algorithm)] = &[
    ("chains", "shortening nested parts", |tree, _, test| chains(tree, CHAIN, test)),
    ("symbols", "removing parts, symbol by symbol", by_symbol),
    ("subtrees", "removing parts", repeated_tree_reduction),
    ("expansions", "replacing parts by short ones", |tree, grammar, test| {
        GrammarReducer::new(grammar).depth_by_depth().generating().reduce(tree, test)
    }),
];

/// Runs a pass over the derivation of the best program, which is a sentence.
pub(super) fn run_pass(
    search: &mut Search<'_>,
    sentences: &Sentences,
    (name, doing, algorithm): (&'static str, &'static str, Algorithm),
) -> Result<(), Stop> {
    search.observer.event(&Event::PassStarted { pass: name, doing });
    if let Some(text) = sentences.without_ending(&search.best().text).map(str::to_owned) {
        test_text(search, name, text)?;
    }
    // Derived anew, so that a search that is resumed here does the same.
    if let Some(tree) = sentences.parse(&search.best().text) {
        algorithm(tree, &sentences.grammar, &mut |tree| {
            let text = sentences.in_place_of(&search.best().text, tree);
            test_text(search, name, text)
        })?;
    }
    search.end_pass(name)
}

/// Tests the text of a derivation. One that fails becomes the best program; one that is not shorter is not tested.
fn test_text(search: &mut Search<'_>, pass: &'static str, text: String) -> Result<Outcome, Stop> {
    let programs = std::iter::once(search.best().with_text(text));
    let found = search.take_first_shorter(pass, None, programs)?;
    Ok(if found.is_some() { Outcome::Fail } else { Outcome::Unresolved })
}
