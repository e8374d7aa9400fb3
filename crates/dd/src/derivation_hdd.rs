//! Hierarchical delta debugging of derivations: Misherghi and Su, *HDD: Hierarchical Delta Debugging* (2006). As in the paper,
//! a node that is removed leaves the shortest text of its symbol, so that the whole stays a sentence.

use super::ddmin::ddmin;
use super::hdd::hdd;
use super::keep_list::KeepList;
use super::trees::TestTree;
use crate::grammar::derivation::Derivation;
use crate::grammar::productions::Grammar;
use crate::grammar::shorter::Nodes;

/// A smaller derivation that still fails, if `tree` does: from the top level down, [`ddmin`] chooses which nodes of a level
/// stay. Of the others the shortest derivation of their symbol is left.
///
/// Tests: those of ddmin for each level.
///
/// ```
/// use mcve_dd::derivation_hdd::repeated_derivation_hdd;
/// use mcve_dd::grammar::earley::Earley;
/// use mcve_dd::grammar::notation::read;
/// use mcve_dd::{Debugger, Outcome};
///
/// let grammar = read("sum ::= part ('+' part)* part ::= '(' sum ')' | [0-9]")?;
/// let tree = Earley::new(&grammar).parse("1+(2+(3+4))+5")?.tree;
/// let mut debugger = Debugger::new(tree.text(), |text: &String| Outcome::fail_if(text.contains("((") || text.contains("+(")));
/// let left = debugger.minimise_tree(&tree, |tree, test| repeated_derivation_hdd(tree, &grammar, test))?;
/// assert_eq!((left.text().as_str(), debugger.tests()), ("1+(0)+5", 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the test fails to run.
pub fn derivation_hdd<E>(tree: Derivation, grammar: &Grammar, test: &mut TestTree<'_, E>) -> Result<Derivation, E> {
    let nodes = Nodes::of(&tree, grammar);
    let kept = hdd(&nodes.parents, ddmin, &mut |kept: &KeepList| test(&nodes.without(kept)))?;
    Ok(nodes.without(&kept))
}

/// Repeats [`derivation_hdd`] until nothing changes: the paper's HDD*.
///
/// Tests: those of [`derivation_hdd`] for each round.
///
/// # Errors
/// When the test fails to run.
pub fn repeated_derivation_hdd<E>(
    tree: Derivation,
    grammar: &Grammar,
    test: &mut TestTree<'_, E>,
) -> Result<Derivation, E> {
    let mut tree = tree;
    loop {
        let before = tree.clone();
        tree = derivation_hdd(tree, grammar, test)?;
        if tree == before {
            return Ok(tree);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::grammar::earley::Earley;
    use crate::grammar::notation::read;
    use crate::outcome::Outcome;

    #[track_caller]
    fn check(grammar: &str, text: &str, fails: impl Fn(&str) -> bool, expected: &str, tests: usize) {
        let grammar = read(grammar).expect("it is a grammar");
        let parser = Earley::new(&grammar);
        let tree = parser.parse(text).expect("it is a sentence").tree;
        let mut asked = 0;
        let mut test = |tree: &Derivation| {
            asked += 1;
            assert!(parser.accepts(&tree.text()), "only sentences are tested: {}", tree.text());
            Ok::<_, Infallible>(Outcome::fail_if(fails(&tree.text())))
        };
        let Ok(left) = repeated_derivation_hdd(tree, &grammar, &mut test);
        assert_eq!((left.text().as_str(), asked), (expected, tests));
    }

    const CALLS: &str = "call ::= [a-z]+ '(' (value (',' value)*)? ')' value ::= call | [0-9]+";

    #[test]
    fn what_is_removed_is_as_short_as_possible() {
        check(CALLS, "f(g(12),h(34,i(56)),7)", |text| text.contains("56"), "f(0,h(0,i(56)),7)", 24);
        check(CALLS, "f(g(12),h(34,i(56)),7)", |_| true, "a()", 1);
    }
}
