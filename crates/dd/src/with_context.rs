//! Recursive delta debugging with context: Zeller, *Yesterday, my program worked. Today, it does not. Why?* (1999),
//! algorithm 1, as in the post *Delta Debugging* (Gopinath, 2019).
//!
//! If neither half fails with the elements before and after it, both halves contain needed elements: each half is reduced
//! with the other as context, the second with the rest of the first.

use super::keep_list::KeepList;
use super::tester::Tester;

/// A sublist of `keep` that still fails, if `keep` does and the outcome is monotonic. It has at least one element,
/// and is minimal if the intersection of two failing sublists also fails.
///
/// Otherwise the result still fails, but may be far from 1-minimal.
///
/// Tests: at most `2 ⌈log2 n⌉` for one needed element, about `2 k log2 (n / k)` for `k`, at most `2n`. It takes `log2 n` stack
/// frames.
pub fn with_context<E>(keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    let kept = reduce(keep.universe(), [&[], keep.kept(), &[]], tester)?;
    Ok(KeepList::of(keep.universe(), kept))
}

/// The needed elements of `current` between `before` and `after`, if the three together fail.
fn reduce<E>(
    universe: usize,
    [before, current, after]: [&[usize]; 3],
    tester: &mut dyn Tester<E>,
) -> Result<Vec<usize>, E> {
    if current.len() < 2 {
        return Ok(current.to_vec());
    }
    let (first, second) = current.split_at(current.len() / 2);
    let halves = [first, second];
    let mut candidates = halves.iter().map(|half| KeepList::of(universe, [before, half, after].concat()));
    if let Some(position) = tester.first(&mut candidates)? {
        return reduce(universe, [before, halves[position], after], tester);
    }
    let of_first = reduce(universe, [before, first, &[second, after].concat()], tester)?;
    let of_second = reduce(universe, [&[before, &of_first].concat(), second, after], tester)?;
    Ok([of_first, of_second].concat())
}

#[cfg(test)]
mod tests {
    use super::super::tester::testing::check;
    use super::*;

    #[test]
    fn lists_of_less_than_two_are_not_tested() {
        check(with_context, 0, |_| true, &[], 0);
        check(with_context, 1, |_| true, &[0], 0);
    }

    #[test]
    fn one_needed_is_found_by_bisection() {
        check(with_context, 1024, |kept| kept.contains(&0), &[0], 10);
        check(with_context, 1024, |kept| kept.contains(&1023), &[1023], 20);
    }

    #[test]
    fn two_far_apart_are_found() {
        check(with_context, 1024, |kept| kept.contains(&3) && kept.contains(&900), &[3, 900], 25);
    }

    #[test]
    fn everything_needed_takes_two_n() {
        check(with_context, 64, |kept| kept.len() == 64, &(0..64).collect::<Vec<_>>(), 126);
    }

    #[test]
    fn pairs_that_depend_on_each_other_may_stay() {
        let fails = |kept: &[usize]| {
            let has = |index| kept.contains(&index);
            has(1) && has(0) == has(2)
        };
        check(with_context, 4, fails, &[0, 1, 2], 5);
    }
}
