//! Recursive ddmin: the formalisation of Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*
//! (2002), with complements before subsets as in the post *Delta Debugging* (Gopinath, 2019).

use super::general::COARSEST;
use super::keep_list::KeepList;
use super::tester::Tester;

/// A sublist of `keep` that still fails, if `keep` does: continues with the first complement that fails, else with
/// the first subset that does, in both cases with two parts; else with twice as many parts. It is 1-minimal, but the
/// empty list is not tested: a single element stays even if it is not needed.
///
/// All recursive calls are tail calls, so it is a loop and needs no stack.
///
/// Tests: about `k log² n` if few elements `k` are kept and the outcome is monotonic, at most `O(n²)`. It takes more than
/// [`iterative_ddmin`](super::iterative::iterative_ddmin), as it begins with halves after each gain; it takes fewer only if
/// a subset fails and no complement does.
pub fn recursive_ddmin<E>(mut keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    let mut granularity = COARSEST;
    while keep.len() >= COARSEST {
        let length = keep.len();
        let size = length / granularity;
        let parts = || (0..length).step_by(size).map(|start| start..length.min(start + size));
        let complements = || parts().map(|part| keep.without(part));
        let subsets = || parts().map(|part| KeepList::of(keep.universe(), keep.kept()[part].to_vec()));
        let candidates = || complements().chain(subsets());
        if let Some(position) = tester.first(&mut candidates())? {
            keep = candidates().nth(position).expect("it was among them");
            granularity = COARSEST;
        } else if granularity < length {
            granularity = length.min(2 * granularity);
        } else {
            break;
        }
    }
    Ok(keep)
}

#[cfg(test)]
mod tests {
    use super::super::tester::testing::check;
    use super::*;

    #[test]
    fn lists_of_less_than_two_are_not_tested() {
        check(recursive_ddmin, 0, |_| true, &[], 0);
        check(recursive_ddmin, 1, |_| true, &[0], 0);
    }

    #[test]
    fn one_needed_is_found_by_bisection() {
        check(recursive_ddmin, 1024, |kept| kept.contains(&700), &[700], 14);
    }

    #[test]
    fn two_far_apart_are_found() {
        check(recursive_ddmin, 1024, |kept| kept.contains(&3) && kept.contains(&900), &[3, 900], 90);
    }

    #[test]
    fn a_part_that_fails_only_alone_is_found() {
        check(recursive_ddmin, 8, |kept| kept.len() == 8 || kept == [2, 3] || kept == [3], &[3], 11);
    }

    #[test]
    fn everything_needed_takes_four_n() {
        check(recursive_ddmin, 64, |kept| kept.len() == 64, &(0..64).collect::<Vec<_>>(), 252);
    }
}
