//! *The Fuzzing Book*, chapter *Reducing Failure-Inducing Inputs*: grammar-based reduction of expressions.

use mcve_dd::debugger::Debugger;
use mcve_dd::grammar::derivation::{Derivation, Symbol};
use mcve_dd::grammar::earley::Earley;
use mcve_dd::grammar::productions::Grammar;
use mcve_dd::grammar_reducer::GrammarReducer;
use mcve_dd::iterative::even_ddmin;
use mcve_dd::outcome::Outcome;
use mcve_dd::outcome::Outcome::{Fail, Pass};
use mcve_dd::tree_reduction::repeated_tree_reduction;

use super::{check_log, has_parentheses};

const EXPRESSION: &str = "1 + (2 * 3)";

/// The chapter's long expression.
const LONG: &str = "++---((-2 / 3 / 3 - -+1 / 5 - 2) * ++6 / +8 * 4 / 9 / 2 * 8 + ++(5) * 3 / 8 * 0 + 3 * 3 + 4 / 0 / 6 \
                    + 9) * ++++(+--9 * -3 * 7 / 4 + --(4) / 3 - 0 / 3 + 5 + 0) * (1 * 6 - 1 / 9 * 5 - 9 / 0 + 7) * \
                    ++(8 - 1) * +1 * 7 * 0 + ((1 + 4) / 4 * 8 * 9 * 4 + 4 / (4) * 1 - (4) * 8 * 5 + 1 + 4) / \
                    (+(2 - 1 - 9) * 5 + 3 + 6 - 2) * +3 * (3 - 7 + 8) / 4 - -(9 * 4 - 1 * 0 + 5) / (5 / 9 * 5 + 2) \
                    * 7 + ((7 - 5 + 3) / 1 * 8 - 8 - 9) * --+1 * 4 / 4 - 4 / 7 * 4 - 3 / 6 * 1 - 2 - 7 - 8";

fn grammar() -> Grammar {
    let rules: &[(&str, &[&str])] = &[
        ("<start>", &["<expr>"]),
        ("<expr>", &["<term> + <expr>", "<term> - <expr>", "<term>"]),
        ("<term>", &["<factor> * <term>", "<factor> / <term>", "<factor>"]),
        ("<factor>", &["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"]),
        ("<integer>", &["<digit><integer>", "<digit>"]),
        ("<digit>", &["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]),
    ];
    Grammar::new(rules).expect("it is one")
}

fn tree(text: &str) -> Derivation {
    Earley::new(&grammar()).parse(text).expect("it is an expression").tree
}

/// Fails on a pair of parentheses; what is no expression is unresolved.
fn debugger(text: &str) -> Debugger<String, impl FnMut(&String) -> Outcome> {
    let parser = Earley::new(&grammar());
    let test = move |text: &String| if parser.accepts(text) { has_parentheses(text) } else { Outcome::Unresolved };
    Debugger::new(text.to_owned(), test)
}

/// Reduces with a reducer; tells what is left.
#[track_caller]
fn reduce(
    debugger: &mut Debugger<String, impl FnMut(&String) -> Outcome>,
    text: &str,
    set_up: impl Fn(GrammarReducer<'_>) -> GrammarReducer<'_>,
) -> String {
    let grammar = grammar();
    let reducer = set_up(GrammarReducer::new(&grammar));
    let left = debugger.minimise_tree(&tree(text), |tree, test| reducer.reduce(tree, test));
    left.expect("it fails").text()
}

/// The texts of what may stand for a symbol in the place of the whole expression.
fn reductions(symbol: &str, set_up: impl Fn(GrammarReducer<'_>) -> GrammarReducer<'_>) -> Vec<String> {
    let grammar = grammar();
    let reducer = set_up(GrammarReducer::new(&grammar));
    reducer.reductions(&tree(EXPRESSION), &Symbol::nonterminal(symbol), None).map(|tree| tree.text()).collect()
}

#[test]
fn the_derivation_has_25_nodes_and_is_12_high() {
    assert_eq!((tree(EXPRESSION).size(), tree(EXPRESSION).height()), (25, 12));
}

#[test]
fn the_subtrees_and_expansions_are_those_of_the_book() {
    assert_eq!(reductions("<term>", |it| it.only_subtrees()), ["1", "(2 * 3)", "2 * 3", "3"]);
    assert_eq!(reductions("<term>", |it| it.only_expansions()), ["1", "1 * 1"]);
    let all = [
        "1", "2", "3", "1 * 1", "1 * 3", "2 * 1", "2 * 3", "3 * 1", "3 * 3", "(2 * 3)", "1 * 2 * 3", "2 * 2 * 3",
        "3 * 2 * 3", "1 * (2 * 3)", "(2 * 3) * 1", "(2 * 3) * 3", "2 * (2 * 3)", "3 * (2 * 3)",
    ];
    assert_eq!(reductions("<term>", |it| it.only_expansions().all_combinations()), all);
    assert_eq!(reductions("<expr>", |it| it), ["1 + (2 * 3)", "(2 * 3)", "2 * 3", "1"]);
    assert_eq!(reductions("<term>", |it| it), ["1", "(2 * 3)", "2 * 3", "3", "1 * 1"]);
}

#[test]
fn the_grammar_reducer_takes_the_5_tests_of_the_book() {
    let mut debugger = debugger(EXPRESSION);
    assert_eq!(reduce(&mut debugger, EXPRESSION, |it| it), "(3)");
    // The first is the precondition, which the chapter does not test.
    let expected = [(EXPRESSION, Fail), ("(2 * 3)", Fail), ("2 * 3", Pass), ("3", Pass), ("2", Pass), ("(3)", Fail)];
    check_log(&debugger, &expected, 1 + 5);
}

#[test]
fn depth_by_depth_it_takes_the_3_tests_of_the_book() {
    let mut debugger = debugger(EXPRESSION);
    assert_eq!(reduce(&mut debugger, EXPRESSION, |it| it.depth_by_depth()), "(3)");
    check_log(&debugger, &[(EXPRESSION, Fail), ("(2 * 3)", Fail), ("(3)", Fail), ("3", Pass)], 1 + 3);
}

#[test]
fn a_long_expression_takes_10_tests_and_not_hundreds() {
    let mut by_depth = debugger(LONG);
    assert_eq!(reduce(&mut by_depth, LONG, |it| it.depth_by_depth()), "(9)");
    assert_eq!(by_depth.tests(), 1 + 10);
    // The chapter has replaced its first strategy by then.
    let mut at_any_depth = debugger(LONG);
    assert_eq!(reduce(&mut at_any_depth, LONG, |it| it), "(5)");
    assert_eq!(at_any_depth.tests(), 1 + 16);
    let mut by_characters = debugger(LONG);
    let left = by_characters.minimise_with(even_ddmin).expect("it fails");
    assert_eq!(left, "((2 - 1 - 2) * 8 + (5) - (4)) / ((2) * 3) * (9) / 3 / 1 - 8");
    assert_eq!(by_characters.tests(), 900);
}

#[test]
fn generalised_tree_reduction_takes_out_parts_that_are_expressions() {
    let mut debugger = debugger(LONG);
    let left = debugger.minimise_tree(&tree(LONG), |tree, test| repeated_tree_reduction(tree, &grammar(), test));
    assert_eq!(left.map(|tree| tree.text()).as_deref(), Ok("(4)"));
    assert_eq!(debugger.tests(), 1 + 11);
}

#[test]
fn every_test_of_a_derivation_is_an_expression() {
    let mut debugger = debugger(LONG);
    assert_eq!(reduce(&mut debugger, LONG, |it| it.generating()), "(5)");
    assert_eq!(reduce(&mut debugger, LONG, |it| it.depth_by_depth().generating()), "(0)");
    assert!(debugger.log().iter().all(|test| test.outcome != Outcome::Unresolved));
}
