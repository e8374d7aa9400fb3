//! Generalised tree reduction: Herfert, Patra and Pradel, *Automatically Reducing Tree-Structured Test Inputs* (2017).
//!
//! The paper filters the candidates of its templates by the trees of a corpus. Here a known grammar
//! filters them. In derivations, chains of symbols separate a tree from the next of its kind, so a tree is replaced
//! by the nearest nodes below it with the same symbol, where the paper takes its children.

use std::collections::HashSet;

use super::ddmin::ddmin;
use super::keep_list::KeepList;
use super::outcome::Outcome;
use super::trees::TestTree;
use crate::grammar::derivation::{Derivation, Symbol};
use crate::grammar::productions::{Grammar, Repetition};

/// A smaller derivation that still fails, if `tree` does. From the top level down, it applies two templates to the
/// nodes of each level: deletion, by [`ddmin`] over the removable nodes, and substitution by the smallest of the nearest
/// nodes of the same symbol with which the whole fails.
///
/// With a known `grammar`, a node is removed only if the rest of the parent is one of its expansions, possibly without
/// neighbouring terminals (the ` + ` of a summand). An item of a list goes with its separator. With an [unknown](Grammar::unknown) one, any node may be removed.
///
/// Tests: those of ddmin for each level, and one for each nearest node of the same symbol; `O(n)` to `O(n²)` for `n` nodes,
/// and usually few, as large parts are removed at the top.
///
/// # Errors
/// When the test fails to run.
pub fn tree_reduction<E>(mut tree: Derivation, grammar: &Grammar, test: &mut TestTree<'_, E>) -> Result<Derivation, E> {
    let mut level = 1;
    while level < tree.height() {
        tree = delete(tree, level, grammar, test)?;
        tree = substitute(tree, level, test)?;
        level += 1;
    }
    Ok(tree)
}

/// Repeats [`tree_reduction`] until nothing changes: the paper's GTR*. It finds nodes that become removable after a
/// removal below them.
///
/// Tests: those of [`tree_reduction`] for each round.
///
/// # Errors
/// When the test fails to run.
pub fn repeated_tree_reduction<E>(
    mut tree: Derivation,
    grammar: &Grammar,
    test: &mut TestTree<'_, E>,
) -> Result<Derivation, E> {
    loop {
        let before = tree.size();
        tree = tree_reduction(tree, grammar, test)?;
        if tree.size() == before {
            return Ok(tree);
        }
    }
}

/// The paths to the nonterminals of a level.
pub(super) fn nodes_of(tree: &Derivation, level: usize) -> Vec<Vec<usize>> {
    let (mut found, mut waiting) = (Vec::new(), vec![(tree, Vec::new())]);
    while let Some((node, path)) = waiting.pop() {
        if path.len() < level {
            // What is not high enough has no nodes there.
            let is_high = |child: &&Derivation| path.len() + child.height() >= level;
            let children = node.children().iter().enumerate().rev().filter(|(_, child)| is_high(child));
            waiting.extend(children.map(|(position, child)| (child, [&path[..], &[position]].concat())));
        } else if matches!(node.symbol(), Symbol::Nonterminal(_)) {
            found.push(path);
        }
    }
    found
}

/// Deletes as many nodes of the level as possible.
fn delete<E>(tree: Derivation, level: usize, grammar: &Grammar, test: &mut TestTree<'_, E>) -> Result<Derivation, E> {
    let mut nodes = nodes_of(&tree, level);
    nodes.retain(|path| can_go(&tree, path, grammar));
    let candidate = |stay: &KeepList| {
        let goes: Vec<Vec<usize>> = stay.removed().map(|node| nodes[node].clone()).collect();
        without(&tree, &goes, grammar)
    };
    let stay = ddmin(KeepList::full(nodes.len()), &mut |stay: &KeepList| test(&candidate(stay)))?;
    Ok(candidate(&stay))
}

/// Whether the tree changes without the node at `path`.
fn can_go(tree: &Derivation, path: &[usize], grammar: &Grammar) -> bool {
    let Some((_, above)) = path.split_last() else { return false };
    let parent = tree.at(above);
    match grammar.repetition(parent.symbol()) {
        Some(list) => {
            let (step, least) = (1 + usize::from(list.separator.is_some()), usize::from(!list.may_be_empty));
            path[above.len()].is_multiple_of(step) && parent.children().len().div_ceil(step) > least
        }
        None => shortened(parent, std::slice::from_ref(&path.to_vec()), grammar) != *parent,
    }
}

/// `tree` without these nodes of one level, in order; nodes that cannot be removed after those before are kept.
fn without(tree: &Derivation, goes: &[Vec<usize>], grammar: &Grammar) -> Derivation {
    let mut tree = tree.clone();
    for siblings in goes.chunk_by(|a, b| a.split_last().map(|it| it.1) == b.split_last().map(|it| it.1)) {
        let Some((_, parent)) = siblings[0].split_last() else { continue };
        tree = tree.with(parent, shortened(tree.at(parent), siblings, grammar));
    }
    tree
}

/// `parent` without these children.
fn shortened(parent: &Derivation, siblings: &[Vec<usize>], grammar: &Grammar) -> Derivation {
    let positions = siblings.iter().filter_map(|path| path.last().copied());
    let children = match grammar.repetition(parent.symbol()) {
        Some(list) => items_without(parent.children(), positions.collect(), list),
        None => {
            let mut children: Vec<(usize, Derivation)> = parent.children().iter().cloned().enumerate().collect();
            positions.for_each(|position| shorten(parent.symbol(), &mut children, position, grammar));
            children.into_iter().map(|(_, child)| child).collect()
        }
    };
    Derivation::new(parent.symbol().clone(), children)
}

/// The children of a list without the items at these positions, each with its separator. A list that may not be empty keeps
/// its last item.
fn items_without(children: &[Derivation], goes: HashSet<usize>, list: &Repetition) -> Vec<Derivation> {
    let step = 1 + usize::from(list.separator.is_some());
    let mut kept: Vec<usize> = (0..children.len()).step_by(step).filter(|position| !goes.contains(position)).collect();
    if kept.is_empty() && !list.may_be_empty {
        kept.extend((0..children.len()).step_by(step).next_back());
    }
    let first = kept.first().copied();
    let with_separator = |at: usize| if Some(at) == first { at..at + 1 } else { at + 1 - step..at + 1 };
    kept.into_iter().flat_map(|at| children[with_separator(at)].iter().cloned()).collect()
}

/// Removes the child that stood at `position` if the rest is an expansion of `symbol`, else the child's own expansion
/// if it can be empty.
fn shorten(symbol: &Symbol, children: &mut Vec<(usize, Derivation)>, position: usize, grammar: &Grammar) {
    if grammar.is_unknown() {
        children.retain(|(at, _)| *at != position);
        return;
    }
    let alternatives = grammar.alternatives(symbol);
    if let Some(left) = alternatives.iter().find_map(|alternative| rest(alternative, children, position)) {
        *children = left;
    } else if let Some((_, child)) = children.iter_mut().find(|(at, _)| *at == position)
        && grammar.alternatives(child.symbol()).iter().any(Vec::is_empty)
    {
        *child = Derivation::new(child.symbol().clone(), Vec::new());
    }
}

/// The `children` that match `expansion` without the one that stood at `position`: all other nonterminals, and
/// the terminals of the expansion.
fn rest(expansion: &[Symbol], children: &[(usize, Derivation)], position: usize) -> Option<Vec<(usize, Derivation)>> {
    let mut wanted = expansion.iter().peekable();
    let mut left = Vec::new();
    for (at, child) in children.iter().filter(|(at, _)| *at != position) {
        if wanted.next_if_eq(&child.symbol()).is_some() {
            left.push((*at, child.clone()));
        } else if matches!(child.symbol(), Symbol::Nonterminal(_)) {
            return None;
        }
    }
    wanted.next().is_none().then_some(left)
}

/// Replaces each node of the level by nodes below it, as often as possible.
fn substitute<E>(mut tree: Derivation, level: usize, test: &mut TestTree<'_, E>) -> Result<Derivation, E> {
    for path in nodes_of(&tree, level) {
        while let Some(smaller) = substituted(&tree, &path, test)? {
            tree = smaller;
        }
    }
    Ok(tree)
}

/// `tree` with the node at `path` replaced by the smallest of its nearest nodes that still fails, if there is one.
fn substituted<E>(tree: &Derivation, path: &[usize], test: &mut TestTree<'_, E>) -> Result<Option<Derivation>, E> {
    let mut nearest = tree.at(path).nearest();
    nearest.sort_by_key(Derivation::size);
    for node in nearest {
        let candidate = tree.with(path, node);
        if test(&candidate)? == Outcome::Fail {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::grammar::earley::Earley;
    use crate::grammar::notation::read;

    const EXPRESSIONS: &[(&str, &[&str])] = &[
        ("<start>", &["<sum>"]),
        ("<sum>", &["<part> + <sum>", "<part>"]),
        ("<part>", &["f(<arguments>)", "(<sum>)", "1", "2", "3"]),
        ("<arguments>", &["<sum>, <arguments>", "<sum>", ""]),
    ];

    /// Reduces an expression by a test of its text.
    #[track_caller]
    fn check(text: &str, fails: impl Fn(&str) -> bool, expected: &str, tests: usize) {
        let grammar = Grammar::new(EXPRESSIONS).expect("it is one");
        let parser = Earley::new(&grammar);
        let tree = parser.parse(text).expect("it is an expression").tree;
        let mut asked = 0;
        let mut test = |tree: &Derivation| {
            asked += 1;
            assert!(parser.accepts(&tree.text()), "only expressions are tested: {}", tree.text());
            Ok::<_, Infallible>(if fails(&tree.text()) { Outcome::Fail } else { Outcome::Pass })
        };
        let Ok(left) = repeated_tree_reduction(tree, &grammar, &mut test);
        assert_eq!((left.text().as_str(), asked), (expected, tests));
    }

    #[test]
    fn what_is_added_goes_with_its_operator() {
        check("1 + 2 + 3", |text| text.starts_with('1'), "1", 2);
        check("1 + 2 + 3", |text| text.contains('2'), "2", 3);
    }

    #[test]
    fn a_node_is_substituted_by_the_smallest_that_helps() {
        check("((2) + f(1 + (2)))", |text| text.contains('2'), "2", 2);
        check("f(1, 2, 3)", |text| text.contains("f("), "f()", 7);
    }

    #[test]
    fn the_items_of_a_list_go_with_their_separators() {
        let grammar = read("s ::= '[' (n (', ' n)*)? ']' n ::= [0-9]+").expect("it is a grammar");
        let check = |text: &str, fails: &dyn Fn(&str) -> bool, expected: &str, tests: usize| {
            let parser = Earley::new(&grammar);
            let mut asked = 0;
            let mut test = |tree: &Derivation| {
                asked += 1;
                assert!(parser.accepts(&tree.text()), "only sentences are tested: {}", tree.text());
                Ok::<_, Infallible>(Outcome::fail_if(fails(&tree.text())))
            };
            let tree = parser.parse(text).expect("it is a list").tree;
            let Ok(left) = repeated_tree_reduction(tree, &grammar, &mut test);
            assert_eq!((left.text().as_str(), asked), (expected, tests));
        };
        check("[1, 23, 4, 5]", &|_| true, "[]", 1);
        check("[1, 23, 4, 5]", &|text| text.contains('3'), "[3]", 8);
        check("[1, 23, 4, 5]", &|text| text.contains('1') && text.contains('5'), "[1, 5]", 12);
    }

    #[test]
    fn without_a_grammar_any_node_may_go() {
        let leaf = |text: &str| Derivation::new(Symbol::nonterminal("n"), vec![Derivation::terminal(text)]);
        let tree = Derivation::new(Symbol::nonterminal("n"), ["a", "b", "c", "d"].map(leaf).to_vec());
        let mut test = |tree: &Derivation| {
            Ok::<_, Infallible>(if tree.text().contains('b') { Outcome::Fail } else { Outcome::Pass })
        };
        let Ok(left) = tree_reduction(tree, &Grammar::unknown(), &mut test);
        assert_eq!(left.text(), "b");
    }
}
