//! Removes whole groups of elements with a few tests for each; other algorithms handle the rest.

use std::ops::Range;

use super::keep_list::KeepList;
use super::outcome::Outcome;
use super::tester::Tester;

/// The number of times that a group that cannot be removed is halved.
const HALVINGS: usize = 2;

/// A sublist of `0..universe`, which fails as a whole. It tries to remove `groups`, which are disjoint and in order:
/// all of them at once, then each, then its halves, then their halves.
///
/// Tests: `1` if all can be removed, at most `1 + 7 g` for `g` groups. The result is not 1-minimal.
pub fn groups<E>(universe: usize, groups: &[Range<usize>], tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    let full = KeepList::full(universe);
    let all = full.without_those(|element| groups.iter().any(|group| group.contains(&element)));
    if all == full || groups.len() > 1 && tester.test(&all)? == Outcome::Fail {
        return Ok(all);
    }
    let mut keep = full;
    let mut work: Vec<(Range<usize>, usize)> = groups.iter().rev().map(|group| (group.clone(), HALVINGS)).collect();
    while let Some((part, halvings)) = work.pop() {
        let candidate = keep.without_those(|element| part.contains(&element));
        if tester.test(&candidate)? == Outcome::Fail {
            keep = candidate;
        } else if halvings > 0 && part.len() > 1 {
            let middle = part.start + part.len() / 2;
            work.extend([(middle..part.end, halvings - 1), (part.start..middle, halvings - 1)]);
        }
    }
    Ok(keep)
}

#[cfg(test)]
mod tests {
    use super::super::tester::testing::Predicate;
    use super::*;

    #[track_caller]
    fn check(of: &[(usize, usize)], fails: impl Fn(&[usize]) -> bool, expected: &[usize], tests: usize) {
        let mut tester = Predicate { fails, tests: 0 };
        let of: Vec<Range<usize>> = of.iter().map(|&(start, end)| start..end).collect();
        let Ok(keep) = groups(8, &of, &mut tester);
        assert_eq!(keep.kept(), expected);
        assert_eq!(tester.tests, tests, "the number of tests");
    }

    #[test]
    fn all_groups_go_in_one_test() {
        check(&[(0, 2), (2, 7)], |_| true, &[7], 1);
        check(&[(0, 8)], |_| true, &[], 1);
    }

    #[test]
    fn a_group_goes_without_the_others() {
        check(&[(0, 2), (2, 4)], |kept| kept.contains(&0) && kept.contains(&1), &[0, 1, 4, 5, 6, 7], 5);
    }

    #[test]
    fn a_part_of_a_group_goes() {
        check(&[(0, 8)], |kept| kept.contains(&5), &[4, 5], 5);
    }

    #[test]
    fn what_does_not_go_takes_a_few_tests() {
        check(&[(0, 8)], |kept| kept.len() == 8, &[0, 1, 2, 3, 4, 5, 6, 7], 7);
        check(&[], |_| true, &[0, 1, 2, 3, 4, 5, 6, 7], 0);
    }
}
