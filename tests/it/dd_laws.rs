//! What the algorithms of delta debugging promise, for outcomes of any kind: what is left fails, and is 1-minimal where
//! that is said.

use std::convert::Infallible;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use mcve_dd::ddmin::ddmin;
use mcve_dd::debugger::Debugger;
use mcve_dd::difference::Difference;
use mcve_dd::fragments::{by_fragments, by_fragments_once};
use mcve_dd::general::{Mode, dd};
use mcve_dd::grammar::derivation::Derivation;
use mcve_dd::grammar::earley::Earley;
use mcve_dd::grammar::generator::generate;
use mcve_dd::grammar::productions::Grammar;
use mcve_dd::grammar_reducer::GrammarReducer;
use mcve_dd::isolating::isolate;
use mcve_dd::iterative::{even_ddmin, iterative_ddmin};
use mcve_dd::keep_list::KeepList;
use mcve_dd::one_by_one::one_by_one;
use mcve_dd::outcome::Outcome;
use mcve_dd::recursive::recursive_ddmin;
use mcve_dd::tester::{Shrink, Tester};
use mcve_dd::tree_reduction::repeated_tree_reduction;
use mcve_dd::trees::TestTree;
use mcve_dd::with_context::with_context;

/// Outcomes that depend on nothing but a seed and the list. The empty list passes, the whole fails.
#[derive(Clone, Copy)]
struct Random {
    seed: u64,
}

impl Random {
    fn outcome(self, keep: &KeepList) -> Outcome {
        if keep.is_empty() || keep.len() == keep.universe() {
            return if keep.is_empty() { Outcome::Pass } else { Outcome::Fail };
        }
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one((self.seed, keep.kept()));
        [Outcome::Fail, Outcome::Pass, Outcome::Unresolved, Outcome::Pass][(hash % (2 + self.seed % 3)) as usize]
    }
}

impl Tester<Infallible> for Random {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Infallible> {
        Ok(self.outcome(keep))
    }
}

/// Sizes and seeds.
fn cases() -> impl Iterator<Item = (usize, Random)> {
    (1..24).flat_map(|size| (0..60).map(move |seed| (size, Random { seed })))
}

/// All that shrink a list, but for dd.
const ALL: [Shrink<Infallible>; 8] =
    [ddmin, iterative_ddmin, even_ddmin, by_fragments, by_fragments_once, recursive_ddmin, with_context, one_by_one];

#[test]
fn what_is_left_fails() {
    for (size, mut random) in cases() {
        for (number, algorithm) in ALL.iter().enumerate() {
            let Ok(left) = algorithm(KeepList::full(size), &mut random);
            assert_eq!(random.outcome(&left), Outcome::Fail, "algorithm {number}, size {size}, seed {}", random.seed);
        }
    }
}

#[test]
fn what_is_needed_is_found_without_a_test_of_the_whole() {
    for (number, algorithm) in ALL.iter().enumerate() {
        let mut tester = |keep: &KeepList| {
            assert!(keep.len() < 64, "algorithm {number} tests the whole list");
            Ok(Outcome::fail_if([3, 40].iter().all(|needed| keep.kept().contains(needed))))
        };
        let Ok(left) = algorithm(KeepList::full(64), &mut tester);
        assert_eq!(left.kept(), [3, 40], "algorithm {number}");
    }
}

#[test]
fn what_is_said_to_be_1_minimal_is() {
    let algorithms: [Shrink<Infallible>; 5] = [iterative_ddmin, even_ddmin, by_fragments, recursive_ddmin, one_by_one];
    for (size, mut random) in cases() {
        for (number, algorithm) in algorithms.iter().enumerate() {
            let Ok(left) = algorithm(KeepList::full(size), &mut random);
            let goes = (0..left.len()).find(|&at| random.outcome(&left.without(at..at + 1)) == Outcome::Fail);
            assert_eq!(goes, None, "algorithm {number}, size {size}, seed {}", random.seed);
        }
    }
}

#[test]
fn no_element_of_a_difference_can_move() {
    for (size, mut random) in cases() {
        for (mode, is_dd) in
            [(Mode::Minimise, true), (Mode::Maximise, true), (Mode::Isolate, true), (Mode::Isolate, false)]
        {
            let start = Difference::below(KeepList::full(size));
            let found = match is_dd {
                true => dd(start, mode, &Difference::elements, &mut random),
                false => isolate(start, &Difference::elements, &mut random),
            };
            let found = found.expect("the preconditions hold");
            let context = format!("{mode:?}, by dd: {is_dd}, size {size}, seed {}", random.seed);
            assert_eq!(random.outcome(&found.passing), Outcome::Pass, "{context}");
            assert_eq!(random.outcome(&found.failing), Outcome::Fail, "{context}");
            let elements = found.elements();
            assert!(!elements.is_empty(), "{context}");
            // A difference of one element is minimal: to move it would make a list pass that fails.
            for element in elements.iter().filter(|_| elements.len() > 1) {
                if mode != Mode::Maximise {
                    assert_ne!(random.outcome(&found.shrunk(&[*element])), Outcome::Fail, "{context}");
                }
                if mode != Mode::Minimise {
                    assert_ne!(random.outcome(&found.grown(&[*element])), Outcome::Pass, "{context}");
                }
            }
        }
    }
}

#[test]
fn ddmin_takes_at_most_2n_tests() {
    for (size, random) in cases() {
        let mut tests = 0;
        let mut tester = |keep: &KeepList| {
            tests += 1;
            Ok::<_, Infallible>(random.outcome(keep))
        };
        let Ok(_) = ddmin(KeepList::full(size), &mut tester);
        assert!(tests <= 2 * size, "size {size}, seed {}: {tests}", random.seed);
    }
}

#[test]
fn what_is_resolved_is_isolated_in_log_n_tests() {
    for (size, random) in cases() {
        let logarithm = size.next_power_of_two().ilog2();
        for (is_dd, most) in [(true, 2 * logarithm + 2), (false, logarithm + 2)] {
            let mut tests = 0;
            let mut tester = |keep: &KeepList| {
                tests += 1;
                Ok::<_, Infallible>(Outcome::fail_if(random.outcome(keep) == Outcome::Fail))
            };
            let start = Difference::below(KeepList::full(size));
            let found = match is_dd {
                true => dd(start, Mode::Isolate, &Difference::elements, &mut tester),
                false => isolate(start, &Difference::elements, &mut tester),
            };
            assert_eq!(found.expect("the preconditions hold").elements().len(), 1);
            assert!(tests <= most, "by dd: {is_dd}, size {size}, seed {}: {tests}", random.seed);
        }
    }
}

/// Sums of lists and digits.
fn sums() -> Grammar {
    let rules: &[(&str, &[&str])] = &[
        ("<start>", &["<sum>"]),
        ("<sum>", &["<part>+<sum>", "<part>"]),
        ("<part>", &["[<sums>]", "-<part>", "<digit>"]),
        ("<sums>", &["<sum>,<sums>", "<sum>", ""]),
        ("<digit>", &["0", "1", "2"]),
    ];
    Grammar::new(rules).expect("it is one")
}

/// An outcome that depends on nothing but the seed and the text; `whole` fails.
fn outcome_of(text: &str, whole: &str, seed: u64) -> Outcome {
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one((seed, text));
    if text == whole || hash.is_multiple_of(4) { Outcome::Fail } else { Outcome::Pass }
}

#[test]
fn what_is_left_of_a_derivation_fails_and_is_a_sentence() {
    let grammar = sums();
    let parser = Earley::new(&grammar);
    let reducer = GrammarReducer::new(&grammar);
    type OfTree<'a> = &'a dyn Fn(Derivation, &mut TestTree<'_, Infallible>) -> Result<Derivation, Infallible>;
    let algorithms: [OfTree<'_>; 6] = [
        &|tree, test| reducer.reduce(tree, test),
        &|tree, test| reducer.only_subtrees().reduce(tree, test),
        &|tree, test| reducer.only_expansions().reduce(tree, test),
        &|tree, test| reducer.depth_by_depth().reduce(tree, test),
        &|tree, test| reducer.depth_by_depth().generating().reduce(tree, test),
        &|tree, test| repeated_tree_reduction(tree, &grammar, test),
    ];
    for seed in 0..40 {
        let tree = generate(&grammar, 40, seed);
        let whole = tree.text();
        for (number, algorithm) in algorithms.iter().enumerate() {
            let mut debugger = Debugger::new(whole.clone(), |text: &String| outcome_of(text, &whole, seed));
            let left = debugger.minimise_tree(&tree, algorithm).expect("the whole fails");
            let context = format!("algorithm {number}, seed {seed}: {}", left.text());
            assert_eq!(outcome_of(&left.text(), &whole, seed), Outcome::Fail, "{context}");
            assert!(left.size() <= tree.size(), "{context}");
            for test in debugger.log() {
                assert!(parser.accepts(&test.input), "{context}: {} is no sentence", test.input);
            }
        }
    }
}

#[test]
fn depth_by_depth_no_node_is_left_that_can_be_replaced() {
    let grammar = sums();
    let reducer = GrammarReducer::new(&grammar).depth_by_depth();
    for seed in 0..40 {
        let tree = generate(&grammar, 40, seed);
        let whole = tree.text();
        let mut debugger = Debugger::new(whole.clone(), |text: &String| outcome_of(text, &whole, seed));
        let left = debugger.minimise_tree(&tree, |tree, test| reducer.reduce(tree, test)).expect("the whole fails");
        let mut paths: Vec<Vec<usize>> = vec![Vec::new()];
        while let Some(path) = paths.pop() {
            let node = left.at(&path);
            paths.extend((0..node.children().len()).map(|position| [&path[..], &[position]].concat()));
            // The whole is never replaced.
            let depths = if path.is_empty() { 0..0 } else { 0..left.height() };
            for smaller in depths.flat_map(|depth| reducer.reductions(node, node.symbol(), Some(depth))) {
                let candidate = left.with(&path, smaller.clone()).text();
                let goes = smaller.size() < node.size() && outcome_of(&candidate, &whole, seed) == Outcome::Fail;
                assert!(!goes, "seed {seed}: {} can be {candidate}", left.text());
            }
        }
    }
}
