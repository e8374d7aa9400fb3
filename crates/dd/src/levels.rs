//! Delta debugging of levels of nested parts: the calls of `f(f(f(1)))`, the brackets of `((((1))))`.
//!
//! Often none is needed, or one, or a number of them, whichever these are: an overflow needs a hundred. Halving from both ends
//! finds each of these in a logarithmic number of tests.

use super::closed::Closed;
use super::ddmin::{REFINEMENT, sweep};
use super::keep_list::KeepList;
use super::outcome::Outcome;
use super::tester::Tester;

/// If a sweep over at least this many parts removes none, no finer sweep follows: the failure most likely needs a number
/// of levels, and not certain ones.
const MANY: usize = 16;

/// A sublist of `0..universe`, which fails as a whole. It removes levels of `chains`, which are disjoint and ascending, the
/// outermost level of each first: all of them at once, then of each chain all, the most from the inside, the most from the
/// outside, and sweeps as of [`ddmin`](super::ddmin::ddmin) over the rest.
///
/// Tests: `1` if all can be removed; for each chain of `n` levels `1`, or about `2 log2 n + k log n` if `k` certain ones are needed,
/// or `2 log2 n` and a few if any `k` of them are. The result is not 1-minimal.
///
/// ```
/// use std::convert::Infallible;
///
/// use mcve_dd::levels::levels;
/// use mcve_dd::{KeepList, Outcome};
///
/// let mut tests = 0;
/// let mut tester = |keep: &KeepList| {
///     tests += 1;
///     Ok::<_, Infallible>(Outcome::fail_if(keep.len() >= 300))
/// };
/// let Ok(left) = levels(1000, &[(0..1000).collect()], &mut tester);
/// assert_eq!((left.len(), tests), (300, 59));
/// ```
pub fn levels<E>(universe: usize, chains: &[Vec<usize>], tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    let mut keep = KeepList::full(universe);
    if chains.len() > 1 {
        let all = keep.without_those(|element| chains.iter().any(|chain| chain.binary_search(&element).is_ok()));
        if tester.test(&all)? == Outcome::Fail {
            return Ok(all);
        }
    }
    for chain in chains {
        let others = keep.without_those(|element| chain.binary_search(&element).is_ok());
        let close = |levels: &[usize]| {
            let mut all = [others.kept(), levels].concat();
            all.sort_unstable();
            all
        };
        let mut levels = Closed { tester, universe, roots: chain, close: &close };
        let left = shrink(KeepList::full(chain.len()), &mut levels)?;
        keep = levels.closure()(left);
    }
    Ok(keep)
}

fn shrink<E>(keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    let none = KeepList::empty(keep.universe());
    if keep.is_empty() || tester.test(&none)? == Outcome::Fail {
        return Ok(none);
    }
    let keep = halve(&keep, |keep, count| keep.without(keep.len() - count..keep.len()), tester)?;
    let mut keep = halve(&keep, |keep, count| keep.without(0..count), tester)?;
    let mut size = keep.len().div_ceil(2);
    while keep.len() > 1 {
        let before = keep.len();
        keep = sweep(keep, size, tester)?;
        if size == 1 || keep.len() == before && before >= size * MANY {
            break;
        }
        size = size.min(keep.len()).div_ceil(REFINEMENT);
    }
    Ok(keep)
}

/// The list with most elements removed, by halving, where without all it does not fail.
fn halve<E>(
    keep: &KeepList,
    without: impl Fn(&KeepList, usize) -> KeepList,
    tester: &mut dyn Tester<E>,
) -> Result<KeepList, E> {
    let (mut can, mut cannot) = (0, keep.len());
    while cannot - can > 1 {
        let middle = can.midpoint(cannot);
        match tester.test(&without(keep, middle))? {
            Outcome::Fail => can = middle,
            _ => cannot = middle,
        }
    }
    Ok(without(keep, can))
}

#[cfg(test)]
mod tests {
    use super::super::tester::testing::Predicate;
    use super::*;

    #[track_caller]
    fn check(
        universe: usize,
        chains: &[Vec<usize>],
        fails: impl Fn(&[usize]) -> bool,
        expected: &[usize],
        tests: usize,
    ) {
        let mut tester = Predicate { fails, tests: 0 };
        let Ok(keep) = levels(universe, chains, &mut tester);
        assert_eq!(keep.kept(), expected);
        assert_eq!(tester.tests, tests, "the number of tests");
    }

    #[test]
    fn all_levels_go_in_one_test() {
        check(1000, &[(0..1000).collect()], |_| true, &[], 1);
        check(1000, &[(0..500).collect(), (500..999).collect()], |_| true, &[999], 1);
        check(2, &[], |_| true, &[0, 1], 0);
    }

    #[test]
    fn certain_levels_are_found() {
        check(1000, &[(0..1000).collect()], |kept| kept.contains(&700), &[700], 21);
        let fails = |kept: &[usize]| [100, 500, 900].iter().all(|level| kept.contains(level));
        check(1000, &[(0..1000).collect()], fails, &[100, 500, 900], 68);
    }

    #[test]
    fn a_number_of_levels_is_found_whichever_these_are() {
        let expected: Vec<usize> = (0..300).collect();
        check(1000, &[(0..1000).collect()], |kept| kept.len() >= 300, &expected, 59);
        check(9, &[(0..9).collect()], |kept| kept.len() >= 3, &[0, 1, 2], 10);
    }

    #[test]
    fn of_several_chains_each_is_shrunk_between_the_others() {
        let chains = [(0..10).map(|level| 2 * level).collect(), (0..10).map(|level| 2 * level + 1).collect()];
        check(20, &chains, |kept| kept.contains(&7), &[7], 8);
    }

    #[test]
    fn what_is_all_needed_takes_few_tests() {
        let expected: Vec<usize> = (0..200).collect();
        check(200, &[(0..200).collect()], |kept| kept.len() == 200, &expected, 54);
    }
}
