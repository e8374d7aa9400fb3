//! The test interface of delta debugging.

use std::fmt;

use super::difference::Difference;
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
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, E>;

    /// The position of the first failing candidate. They are tested in order, and those after it are
    /// not.
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
    fn expect(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<(), E> {
        let _ = keeps;
        Ok(())
    }

    /// Hears that a round of [general delta debugging](super::general::dd) begins, with the difference and the number of
    /// parts into which it is cut.
    fn hear_round(&mut self, difference: &Difference, granularity: usize) {
        let _ = (difference, granularity);
    }

    /// Hears what a round of [general delta debugging](super::general::dd) has led to.
    fn hear_step(&mut self, step: Step) {
        let _ = step;
    }
}

/// An algorithm that shrinks a list: to a sublist that still fails, if the list does. [`ddmin`](super::ddmin::ddmin) is one.
pub type Shrink<E> = fn(KeepList, &mut dyn Tester<E>) -> Result<KeepList, E>;

/// What a round of [general delta debugging](super::general::dd) leads to, in the words of *The Debugging Book*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// One part is the new failing list.
    ReduceToSubset,
    /// The failing list loses a part.
    ReduceToComplement,
    /// All but one part is the new passing list.
    IncreaseToSubset,
    /// The passing list gains a part.
    IncreaseToComplement,
    /// Nothing changes.
    NoReduction,
    /// The next parts are smaller.
    IncreaseGranularity,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ReduceToSubset => "Reduce to subset",
            Self::ReduceToComplement => "Reduce to complement",
            Self::IncreaseToSubset => "Increase to subset",
            Self::IncreaseToComplement => "Increase to complement",
            Self::NoReduction => "No reduction found",
            Self::IncreaseGranularity => "Increase granularity",
        })
    }
}

impl<E, F: FnMut(&KeepList) -> Result<Outcome, E>> Tester<E> for F {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, E> {
        self(keep)
    }
}

#[cfg(test)]
pub(crate) mod testing;
