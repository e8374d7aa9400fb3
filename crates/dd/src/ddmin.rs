//! ddmin with complements: Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input* (2002), as in the
//! chapter *Reducing Failure-Inducing Inputs* of *The Debugging Book*.
//!
//! It makes four choices that the paper leaves open. The empty list is tried first. Only complements are tested, as
//! subsets rarely fail where elements depend on each other. The granularity grows fourfold instead of twofold. After a
//! gain, the sweep continues with the part before instead of starting again. It goes from the last part to the first
//! because uses stand after definitions.

use super::keep_list::KeepList;
use super::tester::Tester;

/// The factor by which parts shrink from one sweep to the next. If few elements are kept, 4 takes as many
/// tests as 2: twice as many for each sweep in half as many sweeps. If many are kept, it takes a third less.
pub(super) const REFINEMENT: usize = 4;

/// A small sublist of `keep` that still fails, if `keep` does. It is 1-minimal if the outcome is monotonic;
/// [`one_by_one`](super::one_by_one::one_by_one) afterwards makes it 1-minimal in any case.
///
/// Tests: about `k log n` if few elements `k` are kept, and at most `2n` for any outcomes, as each granularity is swept
/// once.
///
/// ```
/// use std::convert::Infallible;
///
/// use mcve_dd::{KeepList, Outcome, ddmin};
///
/// let fails = |keep: &KeepList| keep.kept().contains(&3) && keep.kept().contains(&90);
/// let mut tester = |keep: &KeepList| Ok::<_, Infallible>(Outcome::fail_if(fails(keep)));
/// let Ok(left) = ddmin(KeepList::full(100), &mut tester);
/// assert_eq!(left.kept(), [3, 90]);
/// ```
pub fn ddmin<E>(mut keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    if keep.is_empty() {
        return Ok(keep);
    }
    let empty = KeepList::empty(keep.universe());
    if tester.first(&mut std::iter::once(empty.clone()))?.is_some() {
        return Ok(empty);
    }
    let mut size = keep.len().div_ceil(2);
    while keep.len() > 1 {
        keep = sweep(keep, size, tester)?;
        if size == 1 {
            break;
        }
        size = size.min(keep.len()).div_ceil(REFINEMENT);
    }
    Ok(keep)
}

/// Removes every removable part of `size` elements, from the last to the first.
pub(super) fn sweep<E>(mut keep: KeepList, size: usize, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    let mut end = keep.len();
    while end > 0 {
        let current = keep.clone();
        let parts = || {
            let mut end = end;
            std::iter::from_fn(move || {
                let range = (end > 0).then(|| end.saturating_sub(size)..end)?;
                end = range.start;
                Some(range)
            })
        };
        // The whole list is known to fail.
        let mut candidates = parts().filter(|range| range.len() < current.len()).map(|range| current.without(range));
        let Some(position) = tester.first(&mut candidates)? else { break };
        let range = parts().filter(|range| range.len() < current.len()).nth(position).expect("it was among them");
        keep = current.without(range.clone());
        end = range.start;
    }
    Ok(keep)
}

#[cfg(test)]
mod tests {
    use super::super::tester::testing::check;
    use super::*;

    #[test]
    fn nothing_needed_takes_one_test() {
        check(ddmin, 1000, |_| true, &[], 1);
        check(ddmin, 0, |_| true, &[], 0);
    }

    #[test]
    fn one_needed_takes_about_two_log_n() {
        check(ddmin, 1024, |kept| kept.contains(&700), &[700], 20);
        check(ddmin, 1, |kept| kept.contains(&0), &[0], 1);
    }

    #[test]
    fn two_far_apart_are_found() {
        check(ddmin, 1024, |kept| kept.contains(&3) && kept.contains(&900), &[3, 900], 39);
    }

    #[test]
    fn everything_needed_takes_less_than_two_n() {
        check(ddmin, 64, |kept| kept.len() == 64, &(0..64).collect::<Vec<_>>(), 107);
    }

    #[test]
    fn pairs_that_depend_on_each_other_go_together() {
        let fails = |kept: &[usize]| {
            let has = |index| kept.contains(&index);
            has(5) && (0..8).all(|pair| has(2 * pair) == has(2 * pair + 1))
        };
        check(ddmin, 16, fails, &[4, 5], 8);
    }
}
