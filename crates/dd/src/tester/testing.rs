//! Testers and a check that the tests of the algorithms share.

use std::convert::Infallible;

use super::*;

/// A tester that calls a predicate on the kept elements; counts the tests.
pub(crate) struct Predicate<F> {
    pub(crate) fails: F,
    pub(crate) tests: usize,
}

impl<F: Fn(&[usize]) -> bool> Tester<Infallible> for Predicate<F> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Infallible> {
        self.tests += 1;
        Ok(if (self.fails)(keep.kept()) { Outcome::Fail } else { Outcome::Pass })
    }
}

/// A tester that calls a function on the kept elements; counts the tests.
pub(crate) struct Answers<F> {
    pub(crate) answer: F,
    pub(crate) tests: usize,
}

impl<F: Fn(&[usize]) -> Outcome> Tester<Infallible> for Answers<F> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Infallible> {
        self.tests += 1;
        Ok((self.answer)(keep.kept()))
    }
}

/// Checks the result of `algorithm` on `0..n`, and its number of tests.
#[track_caller]
pub(crate) fn check(
    algorithm: Shrink<Infallible>,
    n: usize,
    fails: impl Fn(&[usize]) -> bool,
    expected: &[usize],
    tests: usize,
) {
    let mut tester = Predicate { fails, tests: 0 };
    let Ok(keep) = algorithm(KeepList::full(n), &mut tester);
    assert_eq!(keep.kept(), expected);
    assert_eq!(tester.tests, tests, "the number of tests");
}
