//! PMA: Tao and Xue, *Accelerating Delta Debugging through Probabilistic Monotonicity Assessment* (2025). If a list does not
//! fail, then by monotonicity no part of it does, and its parts need not be tested. Tests are not always monotonic, so the
//! earlier tests tell how far to trust this.
//!
//! The paper leaves the choice of the confidence function open to other estimates; here it is Laplace's rule of succession over
//! the tests that have confirmed or refuted the assumption.

use mcve_dd::random::Random;
use mcve_dd::{KeepList, Outcome, Tester};

/// A tester that skips candidates which probably do not fail: parts of a list that does not. Such a candidate is skipped with
/// the probability with which earlier ones did not fail; a skipped one is [`Unresolved`](Outcome::Unresolved).
///
/// The result of an algorithm need not be 1-minimal with it, for skipped candidates may fail.
pub(crate) struct Skipping<'t, E> {
    tester: &'t mut dyn Tester<E>,
    /// Lists that do not fail, of which none is a part of another.
    passing: Vec<KeepList>,
    /// Parts of such lists that were tested and did not fail, and those that did.
    confirmed: u64,
    refuted: u64,
    random: Random,
}

impl<'t, E> Skipping<'t, E> {
    /// Asks `tester` for what is not skipped. The same `seed` skips the same candidates.
    pub(crate) fn new(tester: &'t mut dyn Tester<E>, seed: u64) -> Self {
        Self { tester, passing: Vec::new(), confirmed: 0, refuted: 0, random: Random::new(seed) }
    }

    /// Whether a draw says to trust monotonicity.
    fn trusts(&mut self) -> bool {
        self.random.below(self.confirmed + self.refuted + 2) < self.confirmed + 1
    }
}

impl<E> Tester<E> for Skipping<'_, E> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, E> {
        let is_implied = self.passing.iter().any(|list| is_part(keep, list));
        if is_implied && self.trusts() {
            return Ok(Outcome::Unresolved);
        }
        let outcome = self.tester.test(keep)?;
        match (is_implied, outcome) {
            (true, Outcome::Fail) => self.refuted += 1,
            (true, _) => self.confirmed += 1,
            (false, Outcome::Fail) => {}
            (false, _) => {
                self.passing.retain(|list| !is_part(list, keep));
                self.passing.push(keep.clone());
            }
        }
        Ok(outcome)
    }
}

/// Whether all of `part` is in `list`.
fn is_part(part: &KeepList, list: &KeepList) -> bool {
    let mut elements = list.kept().iter();
    part.len() <= list.len() && part.kept().iter().all(|element| elements.any(|other| other == element))
}

#[cfg(test)]
mod tests {
    use mcve_dd::iterative_ddmin;

    use super::super::predicate::Predicate;
    use super::*;

    /// The tests of a minimisation of `0..64`, without and with skipping, and what the latter leaves.
    fn tests(fails: impl Fn(&[usize]) -> bool + Copy) -> ([usize; 2], Vec<usize>) {
        let mut all = Predicate { fails, tests: 0 };
        let Ok(_) = iterative_ddmin(KeepList::full(64), &mut all);
        let mut some = Predicate { fails, tests: 0 };
        let Ok(left) = iterative_ddmin(KeepList::full(64), &mut Skipping::new(&mut some, 1));
        ([all.tests, some.tests], left.kept().to_vec())
    }

    #[test]
    fn parts_of_passing_lists_are_skipped() {
        let needed = [3, 17, 40, 41, 60];
        let (tests, left) = tests(|kept| needed.iter().all(|it| kept.contains(it)));
        assert_eq!(left, needed);
        assert_eq!(tests, [70, 38]);
    }

    #[test]
    fn what_is_not_monotonic_is_tested_more() {
        // Of two that exclude each other, one is needed.
        let fails = |kept: &[usize]| kept.contains(&10) && (kept.contains(&30) || !kept.contains(&20));
        let (_, left) = tests(fails);
        assert!(fails(&left) && left.len() <= 3, "{left:?}");
    }

    #[test]
    fn a_part_has_no_other_elements() {
        let list = |kept: &[usize]| KeepList::of(9, kept.to_vec());
        assert!(is_part(&list(&[1, 5]), &list(&[1, 3, 5])) && is_part(&list(&[]), &list(&[])));
        assert!(!is_part(&list(&[1, 4]), &list(&[1, 3, 5])) && !is_part(&list(&[1]), &list(&[])));
    }
}
