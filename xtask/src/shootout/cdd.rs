//! CDD, counter-based delta debugging: Zhang and others, *Toward a Better Understanding of Probabilistic Delta Debugging*
//! (2025). They show that the probabilities of ProbDD grow by about the same factor for all elements
//! while each is tried once, so the size of a removed part depends on the round alone.

use mcve_dd::{KeepList, Outcome, Tester};

/// The number of elements that each round removes together. If every element is needed with probability `p`, removing
/// `s` of them gains most for `s = -1 / ln(1 - p)`, which is 9 for the prior 0.1; each round multiplies it by `1 -
/// 1/e`.
const SIZES: [usize; 5] = [9, 5, 3, 2, 1];

/// A small sublist of `keep` that still fails, if `keep` does: tries to remove parts of fixed sizes, each size
/// once. It is 1-minimal only if a part that cannot be removed at first cannot be removed later either.
///
/// Tests: about `n / 9` if nothing is needed, less than `2.2n + 5`. It takes about as many as
/// [`probdd`](super::probdd::probdd).
pub(crate) fn cdd<E>(keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    SIZES.into_iter().try_fold(keep, |keep, size| sweep(keep, size, tester))
}

/// Removes every removable part of `size` elements, from the first to the last.
fn sweep<E>(mut keep: KeepList, size: usize, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    let mut start = 0;
    while start < keep.len() {
        let part = start..keep.len().min(start + size);
        let candidate = keep.without(part);
        match tester.test(&candidate)? {
            Outcome::Fail => keep = candidate,
            Outcome::Pass | Outcome::Unresolved => start += size,
        }
    }
    Ok(keep)
}

#[cfg(test)]
mod tests {
    use super::super::predicate::check;
    use super::*;

    #[test]
    fn nothing_needed_goes_by_nine() {
        check(cdd, 0, |_| true, &[], 0);
        check(cdd, 1, |_| true, &[], 1);
        check(cdd, 90, |_| true, &[], 10);
    }

    #[test]
    fn needed_elements_take_a_few_tests_each() {
        check(cdd, 90, |kept| kept.contains(&40), &[40], 17);
        check(cdd, 90, |kept| kept.contains(&3) && kept.contains(&80), &[3, 80], 23);
    }

    #[test]
    fn everything_needed_takes_about_two_n() {
        check(cdd, 64, |kept| kept.len() == 64, &(0..64).collect::<Vec<_>>(), 139);
    }
}
