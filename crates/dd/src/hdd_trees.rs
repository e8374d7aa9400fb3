//! Hierarchical delta debugging of derivations: Misherghi and Su, *HDD: Hierarchical Delta Debugging* (2006). A removed node
//! gives way to the shortest string that the grammar permits in its place, so that every candidate is a sentence.

use std::collections::HashMap;
use std::sync::Arc;

use super::keep_list::KeepList;
use super::outcome::Outcome;
use super::tester::Tester;
use super::tree_reduction::nodes_of;
use super::trees::TestTree;
use crate::grammar::derivation::{Derivation, Symbol};
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
    tree: Derivation,
    grammar: &Grammar,
    mut algorithm: impl FnMut(KeepList, &[usize], &mut dyn Tester<E>) -> Result<KeepList, E>,
    test: &mut TestTree<'_, E>,
) -> Result<Derivation, E> {
    let shortest = shortest(grammar);
    let mut tree = tree;
    let mut level = 0;
    while level < tree.height() {
        let replacement = |path: &Vec<usize>| {
            let node = tree.at(path);
            let Symbol::Nonterminal(name) = node.symbol() else { return None };
            let shortest = shortest.get(name)?;
            (shortest.text().chars().count() < node.text().chars().count()).then(|| (path.clone(), shortest.clone()))
        };
        let nodes: Vec<(Vec<usize>, Derivation)> = nodes_of(&tree, level).iter().filter_map(replacement).collect();
        let weights: Vec<usize> = nodes.iter().map(|(path, _)| tree.at(path).text().chars().count()).collect();
        let mut replacing = Replacing { tree: &tree, nodes: &nodes, test };
        let stay = algorithm(KeepList::full(nodes.len()), &weights, &mut replacing)?;
        tree = replacing.candidate(&stay);
        level += 1;
    }
    Ok(tree)
}

/// Repeats [`hdd_tree`] until nothing changes: the paper's HDD*. It finds nodes that become removable after a removal below
/// them.
///
/// Tests: those of [`hdd_tree`] for each round.
///
/// # Errors
/// When the test fails to run.
pub fn repeated_hdd_tree<E>(
    tree: Derivation,
    grammar: &Grammar,
    mut algorithm: impl FnMut(KeepList, &[usize], &mut dyn Tester<E>) -> Result<KeepList, E>,
    test: &mut TestTree<'_, E>,
) -> Result<Derivation, E> {
    let mut tree = tree;
    loop {
        let before = tree.text();
        tree = hdd_tree(tree, grammar, &mut algorithm, test)?;
        if tree.text() == before {
            return Ok(tree);
        }
    }
}

/// Tests which nodes of a level are kept.
struct Replacing<'a, 't, E> {
    tree: &'a Derivation,
    /// The nodes that may go, each with what takes its place.
    nodes: &'a [(Vec<usize>, Derivation)],
    test: &'a mut TestTree<'t, E>,
}

impl<E> Replacing<'_, '_, E> {
    fn candidate(&self, stay: &KeepList) -> Derivation {
        let goes = stay.removed().map(|node| &self.nodes[node]);
        goes.fold(self.tree.clone(), |tree, (path, shortest)| tree.with(path, shortest.clone()))
    }
}

impl<E> Tester<E> for Replacing<'_, '_, E> {
    fn test(&mut self, stay: &KeepList) -> Result<Outcome, E> {
        let candidate = self.candidate(stay);
        (self.test)(&candidate)
    }
}

/// The derivation of each symbol with the fewest characters, by rounds until none gets shorter.
fn shortest(grammar: &Grammar) -> HashMap<Arc<str>, Derivation> {
    let mut found: HashMap<Arc<str>, (usize, Derivation)> = HashMap::new();
    loop {
        let mut changed = false;
        for name in grammar.names() {
            let symbol = Symbol::Nonterminal(Arc::clone(name));
            for expansion in grammar.alternatives(&symbol) {
                let children = expansion.iter().map(|symbol| match symbol {
                    Symbol::Terminal(text) => Some((text.chars().count(), Derivation::terminal(text))),
                    Symbol::Nonterminal(name) => found.get(name).cloned(),
                });
                let Some(children) = children.collect::<Option<Vec<_>>>() else { continue };
                let length = children.iter().map(|(length, _)| length).sum();
                if found.get(name).is_none_or(|(known, _)| length < *known) {
                    let children = children.into_iter().map(|(_, child)| child).collect();
                    found.insert(Arc::clone(name), (length, Derivation::new(symbol.clone(), children)));
                    changed = true;
                }
            }
        }
        if !changed {
            return found.into_iter().map(|(name, (_, tree))| (name, tree)).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ddmin::ddmin;
    use super::super::weighted::weighted_ddmin;
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
    fn the_shortest_string_has_the_fewest_characters() {
        let shortest = shortest(&grammar());
        let texts = ["<list>", "<items>", "<item>", "<number>"].map(|name| shortest[name].text());
        assert_eq!(texts, ["[]", "", "7", "7"]);
    }

    #[test]
    fn only_sentences_are_tested() {
        let grammar = grammar();
        let parser = Earley::new(&grammar);
        let tree = parser.parse("[10,[2210,7],[[210]],10]").expect("it is a list").tree;
        for weighted in [false, true] {
            let mut test = |tree: &Derivation| {
                assert!(parser.accepts(&tree.text()), "{}", tree.text());
                Ok::<_, Infallible>(Outcome::fail_if(tree.text().contains("[[")))
            };
            let algorithm = |keep: KeepList, weights: &[usize], tester: &mut dyn Tester<Infallible>| match weighted {
                true => weighted_ddmin(keep, &|element| weights[element], tester),
                false => ddmin(keep, tester),
            };
            let Ok(left) = repeated_hdd_tree(tree.clone(), &grammar, algorithm, &mut test);
            assert_eq!(left.text(), "[7,7,[[]],]");
        }
    }
}
