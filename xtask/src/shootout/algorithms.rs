//! The algorithms of the shoot-out: all of `mcve_dd` that minimise, and four of papers, over characters, nodes or derivations.

use std::convert::Infallible;

use mcve_dd::binary_reduction::binary_reduction;
use mcve_dd::ddmin::ddmin;
use mcve_dd::debugger::Debugger;
use mcve_dd::fragments::{by_fragments, by_fragments_once};
use mcve_dd::grammar::derivation::Derivation;
use mcve_dd::grammar::productions::Grammar;
use mcve_dd::grammar_reducer::GrammarReducer;
use mcve_dd::hdd::hdd;
use mcve_dd::hdd_trees::hdd_tree;
use mcve_dd::iterative::{even_ddmin, iterative_ddmin};
use mcve_dd::keep_list::KeepList;
use mcve_dd::one_by_one::one_by_one;
use mcve_dd::outcome::Outcome;
use mcve_dd::recursive::recursive_ddmin;
use mcve_dd::tester::{Shrink, Tester};
use mcve_dd::tree_reduction::{repeated_tree_reduction, tree_reduction};
use mcve_dd::trees::TestTree;
use mcve_dd::with_context::with_context;

use super::cdd::cdd;
use super::probdd::probdd;
use super::skipping::Skipping;
use super::weighted::weighted_ddmin;

/// What asks the test.
pub(crate) type Asking<'a> = Debugger<String, Box<dyn FnMut(&String) -> Outcome + 'a>>;

/// Reduces a derivation of the input; tells what is left of it.
type Run = Box<dyn Fn(&mut Asking<'_>, &Derivation, &Grammar) -> String>;

pub(crate) struct Algorithm {
    pub(crate) name: &'static str,
    /// What is taken away.
    pub(crate) elements: &'static str,
    pub(crate) run: Run,
}

fn of_characters(name: &'static str, algorithm: Shrink<Infallible>) -> Algorithm {
    let run = move |asking: &mut Asking<'_>, _: &Derivation, _: &Grammar| {
        asking.minimise_with(algorithm).expect("the input fails")
    };
    Algorithm { name, elements: "characters", run: Box::new(run) }
}

type OfNodes = fn(&[Option<usize>], &mut dyn Tester<Infallible>) -> Result<KeepList, Infallible>;

fn of_nodes(name: &'static str, algorithm: OfNodes) -> Algorithm {
    let run = move |asking: &mut Asking<'_>, tree: &Derivation, _: &Grammar| {
        let reduce = |tree: Derivation, test: &mut TestTree<'_, Infallible>| {
            let keep = algorithm(&parents(&tree), &mut Nodes { tree: &tree, test })?;
            Ok(pruned(&tree, &keep))
        };
        asking.minimise_tree(tree, reduce).expect("the input fails").text()
    };
    Algorithm { name, elements: "nodes", run: Box::new(run) }
}

type OfTree = fn(Derivation, &Grammar, &mut TestTree<'_, Infallible>) -> Result<Derivation, Infallible>;

fn of_tree(name: &'static str, algorithm: OfTree) -> Algorithm {
    let run = move |asking: &mut Asking<'_>, tree: &Derivation, grammar: &Grammar| {
        asking.minimise_tree(tree, |tree, test| algorithm(tree, grammar, test)).expect("the input fails").text()
    };
    Algorithm { name, elements: "derivation", run: Box::new(run) }
}

/// All of them.
pub(crate) fn algorithms() -> Vec<Algorithm> {
    let dd = |asking: &mut Asking<'_>, _: &Derivation, _: &Grammar| asking.minimise().expect("the input fails");
    vec![
        of_characters("ddmin", ddmin),
        of_characters("iterative ddmin", iterative_ddmin),
        of_characters("even ddmin", even_ddmin),
        Algorithm { name: "dd, minimising", elements: "characters", run: Box::new(dd) },
        of_characters("by fragments", by_fragments),
        of_characters("by fragments, once", by_fragments_once),
        of_characters("recursive ddmin", recursive_ddmin),
        of_characters("with context", with_context),
        of_characters("CDD", cdd),
        of_characters("ProbDD", probdd),
        of_characters("one by one", one_by_one),
        of_characters("PMA with iterative ddmin", |keep, tester| iterative_ddmin(keep, &mut Skipping::new(tester, 0))),
        of_characters("PMA with ProbDD", |keep, tester| probdd(keep, &mut Skipping::new(tester, 0))),
        of_nodes("HDD without a grammar", |parents, tester| hdd(parents, ddmin, tester)),
        of_nodes("binary reduction", |parents, tester| {
            let order: Vec<usize> = (0..parents.len()).collect();
            binary_reduction(&order, &|nodes| with_ancestors(parents, nodes), tester)
        }),
        of_tree("HDD with ddmin", |tree, grammar, test| hdd_tree(tree, grammar, |keep, _, it| ddmin(keep, it), test)),
        of_tree("HDD with W-ddmin", |tree, grammar, test| hdd_tree(tree, grammar, by_weight, test)),
        of_tree("HDD with ProbDD", |tree, grammar, test| hdd_tree(tree, grammar, |keep, _, it| probdd(keep, it), test)),
        of_tree("HDD with PMA", |tree, grammar, test| {
            let skipping = |keep, _: &[usize], it: &mut dyn Tester<_>| iterative_ddmin(keep, &mut Skipping::new(it, 0));
            hdd_tree(tree, grammar, skipping, test)
        }),
        of_tree("HDD*", |tree, grammar, test| {
            repeated(tree, |tree| hdd_tree(tree, grammar, |keep, _, it| ddmin(keep, it), test))
        }),
        of_tree("HDD* with W-ddmin", |tree, grammar, test| {
            repeated(tree, |tree| hdd_tree(tree, grammar, by_weight, test))
        }),
        of_tree("GTR", tree_reduction),
        of_tree("GTR*", repeated_tree_reduction),
        of_tree("grammar, subtrees only", |tree, grammar, test| {
            GrammarReducer::new(grammar).only_subtrees().reduce(tree, test)
        }),
        of_tree("grammar, expansions only", |tree, grammar, test| {
            GrammarReducer::new(grammar).only_expansions().reduce(tree, test)
        }),
        of_tree("grammar", |tree, grammar, test| GrammarReducer::new(grammar).reduce(tree, test)),
        of_tree("grammar, depth by depth", |tree, grammar, test| {
            GrammarReducer::new(grammar).depth_by_depth().reduce(tree, test)
        }),
        of_tree("grammar, generating", |tree, grammar, test| {
            GrammarReducer::new(grammar).generating().reduce(tree, test)
        }),
        of_tree("grammar, by depth, generating", |tree, grammar, test| {
            GrammarReducer::new(grammar).depth_by_depth().generating().reduce(tree, test)
        }),
        of_tree("GTR*, then grammar by depth", |tree, grammar, test| {
            let tree = repeated_tree_reduction(tree, grammar, test)?;
            GrammarReducer::new(grammar).depth_by_depth().generating().reduce(tree, test)
        }),
    ]
}

/// Repeats a reduction until nothing changes: HDD* of the paper on HDD.
fn repeated(
    mut tree: Derivation,
    mut reduce: impl FnMut(Derivation) -> Result<Derivation, Infallible>,
) -> Result<Derivation, Infallible> {
    loop {
        let before = tree.text();
        tree = reduce(tree)?;
        if tree.text() == before {
            return Ok(tree);
        }
    }
}

/// Minimises by the lengths of nodes.
fn by_weight(keep: KeepList, weights: &[usize], tester: &mut dyn Tester<Infallible>) -> Result<KeepList, Infallible> {
    weighted_ddmin(keep, &|element| weights[element], tester)
}

/// Tests which nodes stay.
struct Nodes<'a, 't> {
    tree: &'a Derivation,
    test: &'a mut TestTree<'t, Infallible>,
}

impl Tester<Infallible> for Nodes<'_, '_> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Infallible> {
        (self.test)(&pruned(self.tree, keep))
    }
}

/// The parent of each node, in the order of a walk.
fn parents(tree: &Derivation) -> Vec<Option<usize>> {
    fn collect(node: &Derivation, parent: Option<usize>, parents: &mut Vec<Option<usize>>) {
        let place = parents.len();
        parents.push(parent);
        node.children().iter().for_each(|child| collect(child, Some(place), parents));
    }
    let mut parents = Vec::new();
    collect(tree, None, &mut parents);
    parents
}

/// What is left of a tree. The root stays.
fn pruned(tree: &Derivation, keep: &KeepList) -> Derivation {
    let mut place = 1;
    let mut children = Vec::new();
    for child in tree.children() {
        let nodes = place..place + child.size();
        if keep.kept().binary_search(&place).is_ok() {
            let kept = keep.kept().iter().filter(|node| nodes.contains(node)).map(|node| node - place).collect();
            children.push(pruned(child, &KeepList::of(child.size(), kept)));
        }
        place = nodes.end;
    }
    Derivation::new(tree.symbol().clone(), children)
}

/// These nodes, and all that they stand below.
fn with_ancestors(parents: &[Option<usize>], nodes: &[usize]) -> Vec<usize> {
    let mut needed = vec![false; parents.len()];
    for &node in nodes {
        let mut next = Some(node);
        while let Some(node) = next.filter(|&node| !needed[node]) {
            needed[node] = true;
            next = parents[node];
        }
    }
    (0..parents.len()).filter(|&node| needed[node]).collect()
}
