//! Iterative ddmin as textbooks print it: Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*
//! (2002), in the loops of *The Debugging Book* (chapter *Reducing Failure-Inducing Inputs*) and of *The Fuzzing Book*
//! (chapter of the same name). They differ in how a list is cut whose length the granularity does not divide.
//!
//! They are here as references, test for test. The search uses [`ddmin`](super::ddmin::ddmin), which takes fewer tests where
//! more than one element is needed.

use std::ops::Range;

use super::keep_list::KeepList;
use super::tester::Tester;

/// The granularity to begin with, and the least one.
const COARSEST: usize = 2;

/// A sublist of `keep` that still fails, given that `keep` does, with parts of `len / n` elements rounded down and what
/// is left over as one part more (*The Debugging Book*). It is 1-minimal, but for a single element, which is not tested.
///
/// Tests: about `k log n` for few elements kept `k` and a monotonic outcome, at most `n² + 3n`.
///
/// # Errors
/// When the tester does.
pub fn iterative_ddmin<E>(keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    complements(keep, tester, |length, granularity, part| {
        let size = length / granularity;
        let start = part * size;
        (start < length).then(|| start..length.min(start + size))
    })
}

/// The same with as many parts as the granularity says, whose sizes differ by one at most (*The Fuzzing Book*).
///
/// Tests: as [`iterative_ddmin`].
///
/// # Errors
/// When the tester does.
pub fn even_ddmin<E>(keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    complements(keep, tester, |length, granularity, part| {
        let bound = |part: usize| part * length / granularity;
        (part < granularity).then(|| bound(part)..bound(part + 1))
    })
}

/// Removes the first part that can go and begins again, a little coarser; makes the parts half as large where none can.
/// `cut` tells the positions of a part, by length, granularity and number of the part.
fn complements<E>(
    mut keep: KeepList,
    tester: &mut dyn Tester<E>,
    cut: impl Fn(usize, usize, usize) -> Option<Range<usize>>,
) -> Result<KeepList, E> {
    let mut granularity = COARSEST;
    while keep.len() >= COARSEST {
        let length = keep.len();
        let parts = || (0..).map_while(|part| cut(length, granularity, part));
        if let Some(position) = tester.first(&mut parts().map(|part| keep.without(part)))? {
            let part = parts().nth(position).expect("it was among them");
            keep = keep.without(part);
            granularity = COARSEST.max(granularity - 1);
        } else if granularity == length {
            break;
        } else {
            granularity = length.min(2 * granularity);
        }
    }
    Ok(keep)
}

#[cfg(test)]
mod tests {
    use super::super::tester::testing;
    use super::*;

    /// What both leave, and the tests of both, in this order.
    #[track_caller]
    fn check(n: usize, fails: impl Fn(&[usize]) -> bool, expected: [&[usize]; 2], tests: [usize; 2]) {
        testing::check(iterative_ddmin, n, &fails, expected[0], tests[0]);
        testing::check(even_ddmin, n, &fails, expected[1], tests[1]);
    }

    #[test]
    fn lists_of_less_than_two_are_not_tested() {
        check(0, |_| true, [&[], &[]], [0, 0]);
        check(1, |_| true, [&[0], &[0]], [0, 0]);
    }

    #[test]
    fn one_needed_takes_about_log_n() {
        check(1024, |kept| kept.contains(&700), [&[700], &[700]], [14, 14]);
    }

    #[test]
    fn two_far_apart_are_found() {
        check(1024, |kept| kept.contains(&3) && kept.contains(&900), [&[3, 900], &[3, 900]], [60, 60]);
    }

    #[test]
    fn where_all_are_needed_each_granularity_is_swept_once() {
        let all: Vec<usize> = (0..64).collect();
        check(64, |kept| kept.len() == 64, [&all, &all], [126, 126]);
    }

    #[test]
    fn a_rest_is_a_part_of_its_own_or_is_spread() {
        check(7, |kept| kept.len() >= 6, [&[0, 1, 2, 3, 4, 5], &[1, 2, 3, 4, 5, 6]], [17, 12]);
    }
}
