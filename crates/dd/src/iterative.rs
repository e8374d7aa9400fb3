//! Iterative ddmin as in textbooks: Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*
//! (2002), in the loops of *The Debugging Book* (chapter *Reducing Failure-Inducing Inputs*) and of *The Fuzzing Book*
//! (chapter of the same name). They differ in how they cut a list whose length is not a multiple of the granularity.
//!
//! They run the same tests as these books. [`ddmin`](super::ddmin::ddmin) takes fewer if more than one element is needed.

use std::ops::Range;

use super::general::COARSEST;
use super::keep_list::KeepList;
use super::tester::Tester;

/// A sublist of `keep` that still fails, if `keep` does, with parts of `len / n` elements rounded down and one more part
/// for the rest (*The Debugging Book*). It is 1-minimal, but the empty list is not tested: a single element stays
/// even if it is not needed.
///
/// Tests: about `k log n` if few elements `k` are kept and the outcome is monotonic, at most `n² + 3n`.
pub fn iterative_ddmin<E>(keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    complements(keep, tester, |length, granularity, part| {
        let size = length / granularity;
        let start = part * size;
        (start < length).then(|| start..length.min(start + size))
    })
}

/// Like [`iterative_ddmin`], but with as many parts as the granularity, whose sizes differ by at most one (*The Fuzzing
/// Book*).
///
/// The book adds up the size of a part as a float. Where the sum is rounded, a cut is one element earlier, or a last empty part is
/// tested. This does the same, so that it runs the tests of the book.
///
/// Tests: as [`iterative_ddmin`].
pub fn even_ddmin<E>(keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    complements(keep, tester, |length, granularity, part| {
        // Floats hold the lengths exactly: no list has 2^53 elements.
        let size = length as f64 / granularity as f64;
        let start = (0..part).fold(0.0, |start, _| start + size);
        (start < length as f64).then(|| start as usize..length.min((start + size) as usize))
    })
}

/// Removes the first removable part and starts again, a little coarser; if there is none, halves the size of the parts.
/// `cut` returns the positions of a part, by length, granularity and number of the part.
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

    /// Checks the results and the numbers of tests of both, in this order.
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
