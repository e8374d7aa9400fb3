//! Bisection: the search for the first version that fails, in a row of versions of which the first ones pass and the later ones fail.
//!
//! A version of which nobody knows, as it cannot be built, is left out, as by `git bisect skip`; its neighbours are asked.

use std::collections::BTreeSet;

use crate::outcome::Outcome;

/// Where a row of versions turns from passing to failing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boundary {
    /// The last version that passes.
    pub passing: usize,
    /// The first version that fails.
    pub failing: usize,
    /// The versions between them, of which nobody knows.
    pub unresolved: Vec<usize>,
}

/// Finds where versions turn from passing to failing, between `passing`, which passes, and `failing`, a later one, which fails.
/// Each version is asked once.
///
/// # Errors
/// Those of `test`.
pub fn bisect<E>(
    mut passing: usize,
    mut failing: usize,
    mut test: impl FnMut(usize) -> Result<Outcome, E>,
) -> Result<Boundary, E> {
    let mut unresolved = BTreeSet::new();
    loop {
        let middle = passing.midpoint(failing);
        let untested = (passing + 1..failing).filter(|version| !unresolved.contains(version));
        let Some(next) = untested.min_by_key(|version| version.abs_diff(middle)) else { break };
        match test(next)? {
            Outcome::Fail => failing = next,
            Outcome::Pass => passing = next,
            Outcome::Unresolved => _ = unresolved.insert(next),
        }
    }
    Ok(Boundary { passing, failing, unresolved: unresolved.range(passing..failing).copied().collect() })
}

/// Finds a version that passes before `failing`, back to `first`, in steps of `step` that double. If nobody knows of a version, the
/// one before it is asked. None if no version that is asked passes.
///
/// # Errors
/// Those of `test`.
pub fn passing_before<E>(
    failing: usize,
    first: usize,
    mut step: usize,
    mut test: impl FnMut(usize) -> Result<Outcome, E>,
) -> Result<Option<usize>, E> {
    let mut last = failing;
    while last > first {
        last = failing.saturating_sub(step).max(first);
        match test(last)? {
            Outcome::Pass => return Ok(Some(last)),
            Outcome::Unresolved => step += 1,
            Outcome::Fail => step *= 2,
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The boundary of versions `0..=10` of which these are unknown, and the number of tests.
    fn found(first_failing: usize, unknown: &[usize]) -> (Boundary, usize) {
        let mut tests = 0;
        let boundary = bisect(0, 10, |version| {
            tests += 1;
            Ok::<_, ()>(match version {
                version if unknown.contains(&version) => Outcome::Unresolved,
                version if version >= first_failing => Outcome::Fail,
                _ => Outcome::Pass,
            })
        });
        (boundary.expect("no test is an error"), tests)
    }

    #[test]
    fn each_boundary_is_found_in_few_tests() {
        for first in 1..=10 {
            let (boundary, tests) = found(first, &[]);
            assert_eq!(boundary, Boundary { passing: first - 1, failing: first, unresolved: Vec::new() });
            assert!(tests <= 4, "{tests}");
        }
    }

    #[test]
    fn what_is_unknown_stays_between_the_two() {
        let (boundary, _) = found(6, &[5, 6, 9]);
        assert_eq!(boundary, Boundary { passing: 4, failing: 7, unresolved: vec![5, 6] });
        let (boundary, tests) = found(1, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!((boundary.passing, boundary.failing, boundary.unresolved.len(), tests), (0, 10, 9, 9));
    }

    #[test]
    fn a_version_that_passes_is_looked_for_back_to_the_first_one() {
        let mut asked = Vec::new();
        let mut before = |first_failing: usize, unknown: &[usize]| {
            asked.clear();
            let found = passing_before(20, 2, 1, |version| {
                asked.push(version);
                Ok::<_, ()>(match version {
                    version if unknown.contains(&version) => Outcome::Unresolved,
                    version if version >= first_failing => Outcome::Fail,
                    _ => Outcome::Pass,
                })
            });
            (found.expect("no test is an error"), asked.clone())
        };
        assert_eq!(before(15, &[]), (Some(12), vec![19, 18, 16, 12]));
        assert_eq!(before(15, &[12, 11]), (Some(10), vec![19, 18, 16, 12, 11, 10]));
        assert_eq!(before(2, &[]), (None, vec![19, 18, 16, 12, 4, 2]));
    }
}
