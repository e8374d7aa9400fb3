//! The test interface of delta debugging.

use super::keep_list::KeepList;
use super::outcome::Outcome;

/// Tests whether candidates still fail. A closure from a list to an outcome is a tester:
///
/// ```
/// use std::convert::Infallible;
///
/// use mcve_dd::{KeepList, Outcome, ddmin};
///
/// let mut tester = |keep: &KeepList| Ok::<_, Infallible>(Outcome::fail_if(keep.kept().contains(&70)));
/// let Ok(left) = ddmin(KeepList::full(100), &mut tester);
/// assert_eq!(left.kept(), [70]);
/// ```
///
/// `E` is an error that ends the algorithm: an interrupt, a test that cannot be run. The algorithm returns the error and no
/// list, so a tester that may end it has to remember the smallest failing list:
///
/// ```
/// # use mcve_dd::{KeepList, Outcome, ddmin};
/// let whole = KeepList::full(100);
/// let (mut smallest, mut tests) = (whole.clone(), 0);
/// let mut tester = |keep: &KeepList| {
///     if tests == 8 {
///         return Err("there were enough tests");
///     }
///     tests += 1;
///     let outcome = Outcome::fail_if(keep.kept().contains(&70));
///     if outcome == Outcome::Fail && keep.len() < smallest.len() {
///         smallest = keep.clone();
///     }
///     Ok(outcome)
/// };
/// let stopped = ddmin(whole, &mut tester);
/// assert_eq!(stopped, Err("there were enough tests"));
/// assert_eq!(smallest.len(), 13);
/// ```
pub trait Tester<E> {
    /// Tests one candidate.
    ///
    /// # Errors
    /// When no more verdicts are possible.
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, E>;

    /// The position of the first failing candidate. They are tested in order, and those after it are
    /// not.
    ///
    /// # Errors
    /// When no more verdicts are possible.
    fn first(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<Option<usize>, E> {
        for (position, keep) in keeps.enumerate() {
            if self.test(&keep)? == Outcome::Fail {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Announces the candidates that will probably be tested next, in this order. A parallel tester may start several of
    /// them; this does not change its outcomes.
    ///
    /// # Errors
    /// When no more verdicts are possible.
    fn expect(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<(), E> {
        let _ = keeps;
        Ok(())
    }
}

impl<E, F: FnMut(&KeepList) -> Result<Outcome, E>> Tester<E> for F {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, E> {
        self(keep)
    }
}

#[cfg(test)]
pub(crate) mod testing {
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

    /// An algorithm that shrinks a list.
    pub(crate) type Algorithm = fn(KeepList, &mut dyn Tester<Infallible>) -> Result<KeepList, Infallible>;

    /// Checks the result of `algorithm` on `0..n`, and its number of tests.
    #[track_caller]
    pub(crate) fn check(
        algorithm: Algorithm,
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
}
