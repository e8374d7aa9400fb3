//! The tree algorithms over Rust's own syntax, where the test is that the program parses and has a call.

use mcve_dd::debugger::Debugger;
use mcve_dd::grammar::derivation::Derivation;
use mcve_dd::grammar::productions::Grammar;
use mcve_dd::grammar::rust::derivation;
use mcve_dd::grammar_reducer::GrammarReducer;
use mcve_dd::outcome::Outcome;
use mcve_dd::tree_reduction::repeated_tree_reduction;
use mcve_dd::trees::TestTree;
use mcve_transforms::{Source, Tree};

use super::fails_if;

const PROGRAM: &str = "fn f(a: u8, b: u8) -> u8 { let c = g(a + 1, b); if a > (c + 2) { a } else { h(c) } }";

/// Reduces the program to a call of `h`.
#[track_caller]
fn check(
    algorithm: impl Fn(Derivation, &mut TestTree<'_, std::convert::Infallible>) -> Derivation,
    expected: &str,
    tests: usize,
) {
    let source = Source::parse(PROGRAM);
    let tree = derivation(&Tree::new(&source)).expect("it parses");
    let test = |text: &String| if Source::is_valid(text) { fails_if(text.contains("h(")) } else { Outcome::Unresolved };
    let mut debugger = Debugger::new(PROGRAM.to_owned(), test);
    let left = debugger.minimise_tree(&tree, |tree, test| Ok(algorithm(tree, test))).expect("it fails");
    assert_eq!((left.text().as_str(), debugger.tests()), (expected, tests));
}

#[test]
fn expressions_take_the_places_of_expressions() {
    let reduce = |tree, test: &mut TestTree<'_, _>| {
        let Ok(left) = GrammarReducer::new(&Grammar::unknown()).reduce(tree, test);
        left
    };
    check(reduce, "fn f(a: u8, b: u8) -> u8 { h(c) }", 5);
}

#[test]
fn trees_are_deleted_and_substituted() {
    let reduce = |tree, test: &mut TestTree<'_, _>| {
        let Ok(left) = repeated_tree_reduction(tree, &Grammar::unknown(), test);
        left
    };
    check(reduce, "fn f( )  { h() }", 23);
}
