//! What delta debugging asks.

use super::keep_list::KeepList;
use super::outcome::Outcome;

/// Answers whether candidates still fail. `E` is what stops the search: an interrupt, a check that cannot be run.
pub trait Tester<E> {
    /// Tests one candidate.
    ///
    /// # Errors
    /// When no verdict can be had, now or later.
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, E>;

    /// The position of the first of several candidates that fails. They are tested one after the other, and no further than
    /// that.
    ///
    /// # Errors
    /// When no verdict can be had, now or later.
    fn first(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<Option<usize>, E> {
        for (position, keep) in keeps.enumerate() {
            if self.test(&keep)? == Outcome::Fail {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Says which candidates are likely to be tested next, in this order. A parallel tester may begin with several of
    /// them; what it answers does not depend on it.
    ///
    /// # Errors
    /// When no verdict can be had, now or later.
    fn expect(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<(), E> {
        let _ = keeps;
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use std::convert::Infallible;

    use super::*;

    /// A tester made of a predicate on what is kept; counts the tests.
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

    /// A tester made of a function on what is kept; counts the tests.
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

    /// Checks what `algorithm` leaves of `0..n`, and how many tests it takes.
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
