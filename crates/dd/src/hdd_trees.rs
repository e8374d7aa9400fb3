//! Hierarchical delta debugging of derivations: Misherghi and Su, *HDD: Hierarchical Delta Debugging* (2006). A removed node
//! gives way to the shortest string that the grammar permits in its place, so that every candidate is a sentence.

use super::keep_list::KeepList;
use super::tester::Tester;
use super::tree_reduction::nodes_of;
use super::trees::TestTree;
use crate::grammar::derivation::Derivation;
use crate::grammar::productions::Grammar;

/// A derivation with fewer characters that still fails, if `tree` does. From the top level down, `algorithm` chooses which
/// nodes of a level are kept; each other node becomes the shortest string of its symbol. The algorithm also gets the
/// number of characters of each node, as weights.
///
/// It never puts a node in the place of one above it; [`GrammarReducer`](super::grammar_reducer::GrammarReducer) and
/// [`tree_reduction`](super::tree_reduction::tree_reduction) do. Without a grammar, [`hdd`](super::hdd::hdd) deletes nodes.
///
/// Tests: those of `algorithm` for each level.
///
/// ```
/// use mcve_dd::grammar::earley::Earley;
/// use mcve_dd::grammar::productions::Grammar;
/// use mcve_dd::{Debugger, Outcome, ddmin, hdd_tree};
///
/// let grammar = Grammar::new(&[("<sum>", &["<value>+<sum>", "<value>"]), ("<value>", &["f(<sum>)", "10", "7"])])?;
/// let tree = Earley::new(&grammar).parse("10+f(10+f(7))+10").expect("it is a sum").tree;
/// let mut debugger = Debugger::new(tree.text(), |text: &String| Outcome::fail_if(text.contains("f(")));
/// let left = debugger.minimise_tree(&tree, |tree, test| hdd_tree(tree, &grammar, |keep, _, it| ddmin(keep, it), test))?;
/// // A value stays a value, and a sum of three a sum of three.
/// assert_eq!((left.text().as_str(), debugger.tests()), ("7+f(7)+7", 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the test fails to run.
pub fn hdd_tree<E>(
    mut tree: Derivation,
    grammar: &Grammar,
    mut algorithm: impl FnMut(KeepList, &[usize], &mut dyn Tester<E>) -> Result<KeepList, E>,
    test: &mut TestTree<'_, E>,
) -> Result<Derivation, E> {
    let mut level = 0;
    while level < tree.height() {
        // The nodes that may go, each with what takes its place.
        let replacement = |path: Vec<usize>| {
            let node = tree.at(&path);
            let shortest = grammar.shortest(node.symbol())?;
            (shortest.length() < node.length()).then_some((path, shortest))
        };
        let nodes: Vec<(Vec<usize>, Derivation)> = nodes_of(&tree, level).into_iter().filter_map(replacement).collect();
        let weights: Vec<usize> = nodes.iter().map(|(path, _)| tree.at(path).length()).collect();
        let candidate = |stay: &KeepList| {
            let goes = stay.removed().map(|node| &nodes[node]);
            goes.fold(tree.clone(), |tree, (path, shortest)| tree.with(path, shortest.clone()))
        };
        let full = KeepList::full(nodes.len());
        let stay = algorithm(full, &weights, &mut |stay: &KeepList| test(&candidate(stay)))?;
        tree = candidate(&stay);
        level += 1;
    }
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use super::super::ddmin::ddmin;
    use super::super::outcome::Outcome;
    use super::*;
    use crate::grammar::earley::Earley;
    use std::convert::Infallible;

    fn grammar() -> Grammar {
        let rules: &[(&str, &[&str])] = &[
            ("<list>", &["[<items>]"]),
            ("<items>", &["<item>,<items>", "<item>", ""]),
            ("<item>", &["<list>", "<number>"]),
            ("<number>", &["10", "2<number>", "7"]),
        ];
        Grammar::new(rules).expect("it is one")
    }

    #[test]
    fn only_sentences_are_tested() {
        let grammar = grammar();
        let parser = Earley::new(&grammar);
        let tree = parser.parse("[10,[2210,7],[[210]],10]").expect("it is a list").tree;
        let mut test = |tree: &Derivation| {
            assert!(parser.accepts(&tree.text()), "{}", tree.text());
            Ok::<_, Infallible>(Outcome::fail_if(tree.text().contains("[[")))
        };
        let mut left = tree.clone();
        for _ in 0..3 {
            Ok(left) = hdd_tree(left, &grammar, |keep, _, tester| ddmin(keep, tester), &mut test);
        }
        assert_eq!(left.text(), "[7,7,[[]],]");
    }
}
