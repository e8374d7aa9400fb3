//! A tester for tests of algorithms.

use std::convert::Infallible;

use mcve_dd::Outcome;
use mcve_dd::keep_list::KeepList;
use mcve_dd::tester::{Shrink, Tester};

/// A tester that calls a predicate on the kept elements; counts the tests.
pub(super) struct Predicate<F> {
    pub(super) fails: F,
    pub(super) tests: usize,
}

impl<F: Fn(&[usize]) -> bool> Tester<Infallible> for Predicate<F> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Infallible> {
        self.tests += 1;
        Ok(Outcome::fail_if((self.fails)(keep.kept())))
    }
}

/// Checks the result of `algorithm` on `0..n`, and its number of tests.
#[track_caller]
pub(super) fn check(
    algorithm: Shrink<Infallible>,
    n: usize,
    fails: impl Fn(&[usize]) -> bool,
    expected: &[usize],
    tests: usize,
) {
    let mut tester = Predicate { fails, tests: 0 };
    let Ok(left) = algorithm(KeepList::full(n), &mut tester);
    assert_eq!((left.kept(), tester.tests), (expected, tests));
}
