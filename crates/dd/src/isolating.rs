//! Isolation with many unresolved lists: dd of Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*
//! (2002), by all four rules of the paper at every granularity.
//!
//! The chapter that [`general`](super::general) follows reduces to a subset and increases to a complement only while there
//! are two parts. That finds little where most mixtures are inconsistent, such as the changes of one commit: there, the one
//! important part is found because everything without it passes.

use super::difference::{Arrangement, Difference};
use super::general::{Mode, check_ends, split};
use super::outcome::Outcome;
use super::precondition::Stopped;
use super::tester::Tester;

/// An algorithm that makes a difference smaller, such as [`isolate`].
pub type IsolatingAlgorithm<E> = fn(Difference, &Arrangement<'_>, &mut dyn Tester<E>) -> Result<Difference, Stopped<E>>;

/// A difference within `start` of which no element can join the passing list or leave the failing list: each such list
/// is unresolved. An unresolved `start.passing` counts as passing, and may be part of the result.
///
/// A part that is resolved when it joins the passing list is not tried on the failing list, so halving a
/// difference takes one test if everything is resolved.
///
/// Tests: at most `⌈log2 n⌉ + 2` if everything is resolved, `O(n²)` at worst.
///
/// ```
/// use std::convert::Infallible;
///
/// use mcve_dd::{Difference, KeepList, Outcome, isolate};
///
/// // Only the empty list passes; of all others but the whole, only that with 1 alone is resolved.
/// let mut test = |keep: &KeepList| {
///     Ok::<_, Infallible>(match keep.kept() {
///         [] => Outcome::Pass,
///         [1] | [0, 1, 2, 3] => Outcome::Fail,
///         _ => Outcome::Unresolved,
///     })
/// };
/// let found = isolate(Difference::below(KeepList::full(4)), &Difference::elements, &mut test)?;
/// assert_eq!(found.elements(), [1]);
/// # Ok::<(), mcve_dd::Stopped<Infallible>>(())
/// ```
///
/// # Errors
/// As of [`dd`](super::general::dd) in its mode [`Isolate`](super::general::Mode::Isolate).
///
/// # Panics
/// When the arrangement omits an element of the difference or adds one.
pub fn isolate<E>(
    start: Difference,
    arrangement: &Arrangement<'_>,
    tester: &mut dyn Tester<E>,
) -> Result<Difference, Stopped<E>> {
    check_ends(&start, Mode::Isolate, tester)?;
    let (mut difference, mut parts) = (start, 2);
    loop {
        let elements = arrangement(&difference);
        assert_eq!(elements.len(), difference.elements().len(), "an arrangement has all of the difference");
        if elements.len() < 2 {
            return Ok(difference);
        }
        parts = parts.clamp(2, elements.len());
        if let Some((next, is_part)) = moved(&difference, &split(&elements, parts), tester).map_err(Stopped::Tester)? {
            difference = next;
            parts = if is_part { 2 } else { parts - 1 };
        } else if parts < elements.len() {
            parts *= 2;
        } else {
            return Ok(difference);
        }
    }
}

/// The difference after the first gain, and whether it is only one of the parts.
fn moved<E>(
    difference: &Difference,
    parts: &[&[usize]],
    tester: &mut dyn Tester<E>,
) -> Result<Option<(Difference, bool)>, E> {
    for (step, part) in parts.iter().enumerate() {
        let next = parts[step..].iter().flat_map(|part| {
            std::iter::once_with(|| difference.grown(part)).chain(std::iter::once_with(|| difference.shrunk(part)))
        });
        tester.expect(&mut { next })?;
        let (grown, shrunk) = (difference.grown(part), difference.shrunk(part));
        let failing = |failing| Difference { failing, ..difference.clone() };
        let passing = |passing| Difference { passing, ..difference.clone() };
        match tester.test(&grown)? {
            Outcome::Fail => return Ok(Some((failing(grown), true))),
            Outcome::Pass => return Ok(Some((passing(grown), false))),
            Outcome::Unresolved => {}
        }
        match tester.test(&shrunk)? {
            Outcome::Pass => return Ok(Some((passing(shrunk), true))),
            Outcome::Fail => return Ok(Some((failing(shrunk), false))),
            Outcome::Unresolved => {}
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::super::keep_list::KeepList;
    use super::super::precondition::Precondition;
    use super::super::tester::testing::Answers;
    use super::*;

    /// Isolates in `0..n`; returns the difference and the number of tests, and checks both ends.
    fn run(n: usize, answer: impl Fn(&[usize]) -> Outcome) -> Result<(Vec<usize>, usize), Precondition> {
        let mut tester = Answers { answer, tests: 0 };
        let found = isolate(Difference::below(KeepList::full(n)), &Difference::elements, &mut tester)?;
        let tests = tester.tests;
        assert_eq!(tester.test(&found.failing), Ok(Outcome::Fail));
        assert_ne!(tester.test(&found.passing), Ok(Outcome::Fail));
        Ok((found.elements(), tests))
    }

    fn outcome(fails: bool) -> Outcome {
        if fails { Outcome::Fail } else { Outcome::Pass }
    }

    #[test]
    fn what_is_resolved_is_halved_by_each_test() {
        assert_eq!(run(1024, |kept| outcome(kept.contains(&700))), Ok((vec![700], 12)));
        assert_eq!(run(1024, |kept| outcome(kept.contains(&3) && kept.contains(&900))), Ok((vec![900], 12)));
    }

    #[test]
    fn one_element_is_found_among_others_that_need_each_other() {
        // A rename with two other changes that name the file, far from each other.
        let answer = |kept: &[usize]| match [0, 9, 14].map(|element| kept.contains(&element)) {
            [true, true, true] | [false, false, false] => outcome(kept.contains(&6)),
            _ => Outcome::Unresolved,
        };
        assert_eq!(run(16, answer), Ok((vec![6], 11)));
    }

    #[test]
    fn what_only_fails_together_stays_together() {
        let answer = |kept: &[usize]| match [2, 5].map(|element| kept.contains(&element)) {
            [true, true] => Outcome::Fail,
            [false, false] => Outcome::Pass,
            _ => Outcome::Unresolved,
        };
        assert_eq!(run(8, answer).expect("the preconditions hold").0, [2, 5]);
    }

    #[test]
    fn a_passing_list_that_is_no_part_of_the_failing_list_is_refused() {
        let start = Difference { passing: KeepList::of(4, vec![0]), failing: KeepList::of(4, vec![1, 2]) };
        let mut tester = Answers { answer: |_: &[usize]| unreachable!("nothing is tested"), tests: 0 };
        let found = isolate(start, &Difference::elements, &mut tester);
        assert_eq!(found, Err(Precondition::NotContained.into()));
    }

    #[test]
    fn both_ends_have_to_be_right() {
        assert_eq!(run(4, |_| Outcome::Pass), Err(Precondition::NotFailing));
        assert_eq!(run(4, |_| Outcome::Fail), Err(Precondition::NotPassing));
        assert_eq!(run(4, |_| Outcome::Unresolved), Err(Precondition::Unresolved));
    }
}
