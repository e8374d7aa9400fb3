//! Hierarchical delta debugging: Misherghi and Su, *HDD: Hierarchical Delta Debugging* (2006).

use std::cmp::Ordering;

use super::closed::Closed;
use super::keep_list::KeepList;
use super::tester::Tester;

/// A small part of a tree that still fails, if the whole does. `parents[i]`, which is less than `i`, is the parent of node `i`,
/// or none at the top; a node is removed with its parent. From the top level down, `algorithm` chooses which
/// nodes of a level are kept.
///
/// It only removes nodes, and never puts a node in the place of one above it. With a grammar, or derivations from any
/// other source, [`GrammarReducer`](super::grammar_reducer::GrammarReducer) and
/// [`tree_reduction`](super::tree_reduction::tree_reduction) do both.
///
/// A level is visited once, so nodes that become removable after a removal below them are kept: the paper's HDD*
/// repeats the whole until nothing changes, which a caller can do with the smaller tree.
///
/// Tests: those of `algorithm` for each level. For a balanced tree with few needed nodes, these are far fewer than
/// for the list of all nodes, because whole subtrees are removed at the top.
///
/// ```
/// use std::convert::Infallible;
///
/// use mcve_dd::{KeepList, Outcome, ddmin, hdd};
///
/// // html(head(title), body(p, table(td)))
/// let names = ["html", "head", "body", "title", "p", "table", "td"];
/// let parents = [None, Some(0), Some(0), Some(1), Some(2), Some(2), Some(5)];
/// let left = |keep: &KeepList| keep.kept().iter().map(|&node| names[node]).collect::<Vec<_>>();
/// let mut tester = |keep: &KeepList| Ok::<_, Infallible>(Outcome::fail_if(left(keep).contains(&"table")));
/// let Ok(keep) = hdd(&parents, ddmin, &mut tester);
/// assert_eq!(left(&keep), ["html", "body", "table"]);
/// ```
///
/// # Panics
/// When a parent is not less than its child.
pub fn hdd<E>(
    parents: &[Option<usize>],
    mut algorithm: impl FnMut(KeepList, &mut dyn Tester<E>) -> Result<KeepList, E>,
    tester: &mut dyn Tester<E>,
) -> Result<KeepList, E> {
    let mut levels: Vec<usize> = Vec::with_capacity(parents.len());
    for parent in parents {
        levels.push(parent.map_or(0, |parent| levels[parent] + 1));
    }
    let mut keep = KeepList::full(parents.len());
    for level in 0.. {
        let nodes: Vec<usize> = keep.kept().iter().copied().filter(|&node| levels[node] == level).collect();
        if nodes.is_empty() {
            break;
        }
        // All that is kept of the tree if these nodes of the level are.
        let close = |stay: &[usize]| {
            let mut stays = vec![false; parents.len()];
            for &node in keep.kept() {
                stays[node] = match levels[node].cmp(&level) {
                    Ordering::Less => true,
                    Ordering::Equal => stay.binary_search(&node).is_ok(),
                    Ordering::Greater => parents[node].is_none_or(|parent| stays[parent]),
                };
            }
            (0..parents.len()).filter(|&node| stays[node]).collect()
        };
        let mut closed = Closed { tester, universe: parents.len(), roots: &nodes, close: &close };
        let stay = algorithm(KeepList::full(nodes.len()), &mut closed)?;
        let kept = closed.closure()(stay);
        keep = kept;
    }
    Ok(keep)
}

#[cfg(test)]
mod tests {
    use super::super::ddmin::ddmin;
    use super::super::iterative::iterative_ddmin;
    use super::super::tester::testing::Predicate;
    use super::*;

    /// A tree with `levels` levels where each node has `width` children, numbered level by level.
    fn balanced(width: usize, levels: u32) -> Vec<Option<usize>> {
        let nodes = (0..levels).map(|level| width.pow(level)).sum();
        (0..nodes).map(|node: usize| node.checked_sub(1).map(|before| before / width)).collect()
    }

    #[track_caller]
    fn check(parents: &[Option<usize>], fails: impl Fn(&[usize]) -> bool, expected: &[usize], tests: usize) {
        let fails = |kept: &[usize]| {
            let stands = |node: &usize| parents[*node].is_none_or(|parent| kept.contains(&parent));
            assert!(kept.iter().all(stands), "only trees are tested");
            fails(kept)
        };
        let mut tester = Predicate { fails, tests: 0 };
        let Ok(keep) = hdd(parents, ddmin, &mut tester);
        assert_eq!(keep.kept(), expected);
        assert_eq!(tester.tests, tests, "the number of tests");
    }

    #[test]
    fn a_node_is_found_with_the_path_to_it() {
        check(&balanced(4, 5), |kept| kept.contains(&200), &[0, 2, 12, 49, 200], 18);
    }

    #[test]
    fn what_is_not_needed_goes_at_the_top() {
        check(&balanced(4, 5), |_| true, &[], 1);
        check(&[], |_| true, &[], 0);
    }

    #[test]
    fn nodes_of_a_level_are_reduced_together_wherever_they_stand() {
        let parents = [None, None, Some(0), Some(1), Some(0), Some(1)];
        check(&parents, |kept| kept.contains(&2) && kept.contains(&5), &[0, 1, 2, 5], 10);
    }

    #[test]
    fn another_algorithm_can_reduce_the_levels() {
        let mut tester = Predicate { fails: |kept: &[usize]| kept.contains(&2), tests: 0 };
        let Ok(keep) = hdd(&[None, Some(0), Some(0)], iterative_ddmin, &mut tester);
        assert_eq!((keep.kept(), tester.tests), (&[0, 2][..], 1));
    }
}
