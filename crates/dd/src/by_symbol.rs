//! All nodes of one symbol at once: the blanks of a text that is laid out, the names, the numbers.

use super::outcome::Outcome;
use super::trees::TestTree;
use crate::grammar::derivation::{Derivation, Symbol};
use crate::grammar::productions::Grammar;
use crate::grammar::shorter::Nodes;

/// A symbol is tried if its nodes could lose at least one of so many characters of the text.
const PART: usize = 20;

/// A smaller derivation that still fails, if `tree` does: for each symbol, from the one that could gain the most on, all its nodes
/// become the shortest derivation at once. Those that could gain little are left to other algorithms.
///
/// Tests: at most one for each symbol that is tried.
///
/// # Errors
/// When the test fails to run.
pub fn by_symbol<E>(tree: Derivation, grammar: &Grammar, test: &mut TestTree<'_, E>) -> Result<Derivation, E> {
    let (mut tree, mut tried): (Derivation, Vec<Symbol>) = (tree, Vec::new());
    loop {
        let nodes = Nodes::of(&tree, grammar);
        let mut symbols = nodes.by_symbol();
        symbols.retain(|(symbol, gain, _)| gain * PART >= tree.length() && !tried.contains(symbol));
        // Of several, the one that comes first in the text.
        symbols.sort_by_key(|(_, gain, _)| std::cmp::Reverse(*gain));
        let Some((symbol, _, places)) = symbols.into_iter().next() else { return Ok(tree) };
        tried.push(symbol);
        let candidate = nodes.without(&places);
        if test(&candidate)? == Outcome::Fail {
            tree = candidate;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::grammar::earley::Earley;
    use crate::grammar::notation::read;

    #[test]
    fn all_blanks_go_at_once() {
        let rules = "list ::= '[' blank (item (',' blank item)*)? ']' item ::= (list | [0-9]+) blank blank ::= [ \\n]*";
        let grammar = read(rules).expect("it is a grammar");
        let tree = Earley::new(&grammar).parse("[ 1,\n  [ 20,\n    3 ],\n  4 ]").expect("it is a list").tree;
        let mut tests = Vec::new();
        let mut test = |tree: &Derivation| {
            tests.push(tree.text());
            Ok::<_, Infallible>(Outcome::fail_if(tree.text().contains('3')))
        };
        let Ok(left) = by_symbol(tree, &grammar, &mut test);
        assert_eq!(left.text(), "[1,[0,3],4]");
        assert_eq!(tests.len(), 6, "{tests:?}");
    }
}
