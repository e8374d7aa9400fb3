//! Binary reduction: Kalhauge and Palsberg, *Binary Reduction of Dependency Graphs* (2019), in the form of their *Logical
//! Bytecode Reduction* (2021) for any closure.

use super::keep_list::KeepList;
use super::tester::Tester;

/// A round that removes less than one in this many elements is the last.
const WORTH: usize = 64;

/// A small closed sublist of all elements, which fail together. `order` has all of `0..n`, likely needed ones first.
/// `close` computes the closure of a list: it contains the list, is sorted, is monotonic, and is its own
/// closure.
///
/// Each round finds, by bisection, the first element whose closure with those of all elements before it fails, continues within
/// that closure, and keeps the element from then on. So a single needed element is found in at most `⌈log2 n⌉ + 2` tests,
/// and every candidate is closed. Where rounds gain little, other algorithms have to remove the rest.
///
/// Tests: at most `⌈log2 n⌉ + 1` for each round and one at the end. There is a round for each element that is needed beside
/// the closure of those found before, but at most `64 (1 + ln n)` rounds.
pub fn binary_reduction<E>(
    order: &[usize],
    close: &dyn Fn(&[usize]) -> Vec<usize>,
    tester: &mut dyn Tester<E>,
) -> Result<KeepList, E> {
    let universe = order.len();
    let mut fails = |kept: &[usize]| {
        let keep = KeepList::of(universe, kept.to_vec());
        Ok(tester.first(&mut std::iter::once(keep))?.is_some())
    };
    let mut kept: Vec<usize> = (0..universe).collect();
    let mut roots: Vec<usize> = Vec::new();
    let mut before = usize::MAX;
    loop {
        let needed = close(&roots);
        if needed.len() == kept.len() {
            break;
        }
        if fails(&needed)? {
            kept = needed;
            break;
        }
        if before - kept.len() < before / WORTH {
            break;
        }
        before = kept.len();
        let is_other = |element: &usize| kept.binary_search(element).is_ok() && needed.binary_search(element).is_err();
        let others: Vec<usize> = order.iter().copied().filter(is_other).collect();
        // All of `others` fail with the roots; the first `low` do not.
        let (mut low, mut high) = (0, others.len());
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            let closure = close(&[&roots[..], &others[..middle]].concat());
            // An equal closure is known to fail.
            if closure.len() == kept.len() || fails(&closure)? {
                (high, kept) = (middle, closure);
            } else {
                low = middle;
            }
        }
        roots.push(others[high - 1]);
    }
    Ok(KeepList::of(universe, kept))
}

#[cfg(test)]
mod tests {
    use super::super::tester::testing::Predicate;
    use super::*;

    /// Reduces `0..n`, where `needs` returns the elements that each one needs, in `tests` tests.
    #[track_caller]
    fn check(n: usize, needs: fn(usize) -> Vec<usize>, fails: fn(&[usize]) -> bool, expected: &[usize], tests: usize) {
        let close = |roots: &[usize]| {
            let mut closure = roots.to_vec();
            let mut next = 0;
            while let Some(&element) = closure.get(next) {
                let new: Vec<usize> = needs(element).into_iter().filter(|need| !closure.contains(need)).collect();
                closure.extend(new);
                next += 1;
            }
            closure.sort_unstable();
            closure
        };
        let fails = |kept: &[usize]| {
            assert_eq!(kept, close(kept), "only closed lists are tested");
            fails(kept)
        };
        let mut tester = Predicate { fails, tests: 0 };
        let Ok(keep) = binary_reduction(&(0..n).collect::<Vec<_>>(), &close, &mut tester);
        assert_eq!(keep.kept(), expected);
        assert_eq!(tester.tests, tests, "the number of tests");
    }

    fn nothing(_: usize) -> Vec<usize> {
        Vec::new()
    }

    #[test]
    fn one_element_is_found_with_what_it_needs() {
        check(1024, nothing, |kept| kept.contains(&700), &[700], 12);
        let pairs = |element: usize| if element.is_multiple_of(2) { vec![element + 1] } else { Vec::new() };
        check(1024, pairs, |kept| kept.contains(&700), &[700, 701], 11);
    }

    #[test]
    fn elements_that_fail_together_are_found_one_a_round() {
        check(1024, nothing, |kept| [3, 900].iter().all(|needed| kept.contains(needed)), &[3, 900], 23);
    }

    #[test]
    fn what_fails_whatever_is_left_takes_one_test() {
        check(1000, nothing, |_| true, &[], 1);
        check(0, nothing, |_| true, &[], 0);
    }

    #[test]
    fn where_all_are_needed_it_ends_after_a_round() {
        check(64, nothing, |kept| kept.len() == 64, &(0..64).collect::<Vec<_>>(), 8);
        let chain = |element: usize| if element == 0 { Vec::new() } else { vec![element - 1] };
        check(64, chain, |kept| kept.len() == 64, &(0..64).collect::<Vec<_>>(), 7);
    }
}
