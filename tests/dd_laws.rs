//! What the algorithms of delta debugging promise, for outcomes of any kind: what is left fails, and is 1-minimal where
//! that is said.

use std::convert::Infallible;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use mcve::dd::cdd::cdd;
use mcve::dd::ddmin::ddmin;
use mcve::dd::difference::Difference;
use mcve::dd::fragments::{by_fragments, by_fragments_once};
use mcve::dd::general::{Mode, dd};
use mcve::dd::iterative::{even_ddmin, iterative_ddmin};
use mcve::dd::keep_list::KeepList;
use mcve::dd::one_by_one::one_by_one;
use mcve::dd::outcome::Outcome;
use mcve::dd::probdd::probdd;
use mcve::dd::recursive::recursive_ddmin;
use mcve::dd::tester::Tester;
use mcve::dd::with_context::with_context;

type Algorithm = fn(KeepList, &mut dyn Tester<Infallible>) -> Result<KeepList, Infallible>;

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

#[test]
fn what_is_left_fails() {
    let algorithms: [Algorithm; 10] = [
        ddmin,
        iterative_ddmin,
        even_ddmin,
        by_fragments,
        by_fragments_once,
        recursive_ddmin,
        with_context,
        cdd,
        probdd,
        one_by_one,
    ];
    for (size, mut random) in cases() {
        for (number, algorithm) in algorithms.iter().enumerate() {
            let Ok(left) = algorithm(KeepList::full(size), &mut random);
            assert_eq!(random.outcome(&left), Outcome::Fail, "algorithm {number}, size {size}, seed {}", random.seed);
        }
    }
}

#[test]
fn what_is_said_to_be_1_minimal_is() {
    let algorithms: [Algorithm; 5] = [iterative_ddmin, even_ddmin, by_fragments, recursive_ddmin, one_by_one];
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
        for mode in [Mode::Minimise, Mode::Maximise, Mode::Isolate] {
            let start = Difference::below(KeepList::full(size));
            let found = dd(start, mode, &Difference::elements, &mut random).expect("the preconditions hold");
            let context = format!("{mode:?}, size {size}, seed {}", random.seed);
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
