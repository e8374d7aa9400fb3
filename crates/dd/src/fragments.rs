//! ddmin by fragments of halving length: the post *Delta Debugging* (Gopinath, 2019), which repeats a length as long as
//! it gains. The run that the post prints sweeps each length once; both variants are here.
//!
//! After a gain, the sweep continues behind it, and every list at the end of a sweep fails.

use super::keep_list::KeepList;
use super::tester::Tester;

/// A sublist of `keep` that still fails, if `keep` does: removes fragments of half its length, then of half of that,
/// down to single elements, and repeats each length until it removes nothing. It is 1-minimal, but a `keep`
/// of one element is returned without a test.
///
/// Tests: about `2n` if little can be removed, at most `O(n²)`.
pub fn by_fragments<E>(keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    halving(keep, true, tester)
}

/// Like [`by_fragments`], but with a single sweep of each length. It is 1-minimal only if a fragment that cannot be
/// removed at first cannot be removed later either.
///
/// Tests: less than `2n + log2 n`.
pub fn by_fragments_once<E>(keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    halving(keep, false, tester)
}

/// Sweeps by ever shorter fragments; if it `repeats`, by each length again while that gains.
fn halving<E>(mut keep: KeepList, repeats: bool, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    let mut size = keep.len() / 2;
    while size > 0 && !keep.is_empty() {
        let before = keep.len();
        keep = sweep(keep, size, tester)?;
        if !repeats || keep.len() == before {
            size /= 2;
        }
    }
    Ok(keep)
}

/// Removes every removable fragment of `size` elements, from the first to the last.
pub(super) fn sweep<E>(mut keep: KeepList, size: usize, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    let mut start = 0;
    while start < keep.len() {
        let length = keep.len();
        let fragments = || (start..length).step_by(size).map(|at| at..length.min(at + size));
        let Some(position) = tester.first(&mut fragments().map(|fragment| keep.without(fragment)))? else { break };
        start += position * size;
        keep = keep.without(start..length.min(start + size));
    }
    Ok(keep)
}

#[cfg(test)]
mod tests {
    use super::super::tester::testing;
    use super::*;

    /// Checks the results and the numbers of tests of both, in this order.
    #[track_caller]
    fn check(n: usize, fails: impl Fn(&[usize]) -> bool, expected: [&[usize]; 2], tests: [usize; 2]) {
        testing::check(by_fragments, n, &fails, expected[0], tests[0]);
        testing::check(by_fragments_once, n, &fails, expected[1], tests[1]);
    }

    #[test]
    fn lists_of_less_than_two_are_not_tested() {
        check(0, |_| true, [&[], &[]], [0, 0]);
        check(1, |_| true, [&[0], &[0]], [0, 0]);
    }

    #[test]
    fn nothing_needed_goes_in_halves() {
        check(1000, |_| true, [&[], &[]], [2, 2]);
    }

    #[test]
    fn one_needed_takes_two_or_three_log_n() {
        check(1024, |kept| kept.contains(&700), [&[700], &[700]], [30, 20]);
    }

    #[test]
    fn two_far_apart_are_found() {
        let fails = |kept: &[usize]| kept.contains(&3) && kept.contains(&900);
        check(1024, fails, [&[3, 900], &[3, 900]], [56, 38]);
    }

    #[test]
    fn where_all_are_needed_each_length_is_swept_once() {
        let all: Vec<usize> = (0..64).collect();
        check(64, |kept| kept.len() == 64, [&all, &all], [126, 126]);
    }

    #[test]
    fn what_can_go_only_later_needs_another_sweep() {
        check(3, |kept| kept.contains(&0) || !kept.contains(&2), [&[], &[0]], [4, 3]);
    }
}
