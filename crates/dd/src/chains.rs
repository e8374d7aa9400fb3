//! Delta debugging of nested nodes of one symbol: the brackets of `((((1))))`, and the items of a list that is defined by
//! recursion, such as `<list> ::= <item>,<list> | <item>`.
//!
//! What stands around a node of the same symbol can be removed or kept, whatever is done with the others of the chain, and the
//! whole stays a sentence. So delta debugging removes many at once, where a reducer that goes node by node takes a test for each.

use super::ddmin::ddmin;
use super::keep_list::KeepList;
use super::trees::TestTree;
use crate::grammar::derivation::Derivation;

/// A smaller derivation that still fails, if `tree` does: from the top down, the nodes of each chain go by [`ddmin`], but for
/// the last one. A chain goes on with the largest of the nearest nodes of its symbol. Those of less than `least` nodes are left
/// to other algorithms.
///
/// Tests: those of ddmin for each chain.
///
/// ```
/// use mcve_dd::chains::chains;
/// use mcve_dd::grammar::earley::Earley;
/// use mcve_dd::grammar::productions::Grammar;
/// use mcve_dd::{Debugger, Outcome};
///
/// let grammar = Grammar::new(&[("<list>", &["<item>,<list>", "<item>"]), ("<item>", &["a", "b"])])?;
/// let text = "a,".repeat(700) + "b," + &"a,".repeat(300) + "a";
/// let tree = Earley::new(&grammar).parse(&text)?.tree;
/// let mut debugger = Debugger::new(text, |text: &String| Outcome::fail_if(text.contains('b')));
/// let left = debugger.minimise_tree(&tree, |tree, test| chains(tree, 2, test))?;
/// assert_eq!((left.text().as_str(), debugger.tests()), ("b,a", 22));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the test fails to run.
pub fn chains<E>(mut tree: Derivation, least: usize, test: &mut TestTree<'_, E>) -> Result<Derivation, E> {
    // Each node with the paths from there to the next nodes of the chains that it is inside of.
    let mut waiting: Vec<(Vec<usize>, Vec<Vec<usize>>)> = vec![(Vec::new(), Vec::new())];
    while let Some((path, mut ahead)) = waiting.pop() {
        let begins = !ahead.iter().any(Vec::is_empty);
        if begins {
            let chain = chain(&tree, &path);
            if chain.len() >= least.max(2) {
                let candidate = |kept: &KeepList| with_links(&tree, &path, &chain, kept);
                let links = KeepList::full(chain.len() - 1);
                tree = candidate(&ddmin(links, &mut |kept: &KeepList| test(&candidate(kept)))?);
            }
        }
        let node = tree.at(&path);
        ahead.extend(next(node));
        for (position, child) in node.children().iter().enumerate().rev() {
            // A chain has two inner nodes and a terminal.
            if child.height() > 2 {
                let inside = ahead.iter().filter(|ahead| ahead.first() == Some(&position));
                waiting.push(([&path[..], &[position]].concat(), inside.map(|ahead| ahead[1..].to_vec()).collect()));
            }
        }
    }
    Ok(tree)
}

/// The paths from the node at `path` down its chain: each from the node before.
fn chain(tree: &Derivation, path: &[usize]) -> Vec<Vec<usize>> {
    let (mut chain, mut node) = (vec![Vec::new()], tree.at(path));
    while let Some(next) = next(node) {
        node = node.at(&next);
        chain.push(next);
    }
    chain
}

/// The path to the largest of the nearest nodes below `node` with its symbol; of several, the first one.
fn next(node: &Derivation) -> Option<Vec<usize>> {
    // The nodes on the way, each with its parent among them and its position there.
    let mut seen: Vec<(&Derivation, usize, usize)> = vec![(node, 0, 0)];
    let (mut best, mut waiting): (Option<usize>, Vec<usize>) = (None, vec![0]);
    while let Some(index) = waiting.pop() {
        let below = seen[index].0;
        if best.is_some_and(|best| seen[best].0.size() >= below.size()) {
            continue;
        }
        if index > 0 && below.symbol() == node.symbol() {
            best = Some(index);
            continue;
        }
        for (position, child) in below.children().iter().enumerate().rev() {
            waiting.push(seen.len());
            seen.push((child, index, position));
        }
    }
    let (mut path, mut index) = (Vec::new(), best?);
    while index > 0 {
        path.push(seen[index].2);
        index = seen[index].1;
    }
    path.reverse();
    Some(path)
}

/// The tree with these of the nodes of the chain from `path` on, and the last one.
fn with_links(tree: &Derivation, path: &[usize], chain: &[Vec<usize>], kept: &KeepList) -> Derivation {
    let mut nodes = vec![tree.at(path)];
    for step in &chain[1..] {
        nodes.push(nodes[nodes.len() - 1].at(step));
    }
    let last = nodes[nodes.len() - 1].clone();
    tree.with(path, kept.kept().iter().rev().fold(last, |inner, &link| nodes[link].with(&chain[link + 1], inner)))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::super::outcome::Outcome;
    use super::*;
    use crate::grammar::earley::Earley;
    use crate::grammar::notation::read;

    #[track_caller]
    fn check(grammar: &str, text: &str, fails: impl Fn(&str) -> bool, expected: &str, tests: usize) {
        let parser = Earley::new(&read(grammar).expect("it is a grammar"));
        let tree = parser.parse(text).expect("it is a sentence").tree;
        let mut asked = 0;
        let mut test = |tree: &Derivation| {
            asked += 1;
            assert!(parser.accepts(&tree.text()), "only sentences are tested: {}", tree.text());
            Ok::<_, Infallible>(Outcome::fail_if(fails(&tree.text())))
        };
        let Ok(left) = chains(tree, 2, &mut test);
        assert_eq!((left.text().as_str(), asked), (expected, tests));
    }

    #[test]
    fn brackets_go_together() {
        let grammar = "e ::= '(' e ')' | '[' e ']' | 'x'";
        let text = format!("{}[x]{}", "(".repeat(100), ")".repeat(100));
        check(grammar, &text, |text| text.contains('['), "[x]", 15);
        check(grammar, &text, |_| true, "x", 1);
    }

    #[test]
    fn a_list_by_left_recursion_loses_its_last_items() {
        let grammar = "s ::= s ';' a | a\na ::= [a-z]";
        check(grammar, "a;b;c;d;e;f;g;h", |text| text.contains('f'), "a;f", 5);
    }

    #[test]
    fn other_branches_have_chains_of_their_own() {
        let grammar = "e ::= '(' e e ')' | '-' e | 'x' | 'y'";
        check(grammar, "(---x---(xy))", |text| text.starts_with('(') && text.contains('y'), "(xy)", 8);
    }
}
