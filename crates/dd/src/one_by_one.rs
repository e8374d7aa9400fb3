//! Removes one element at a time: the last step of ddmin, granularity `n`.

use super::keep_list::KeepList;
use super::tester::Tester;

/// A sublist of `keep` from which no single element can be removed, if `keep` fails: it is 1-minimal.
///
/// After a gain, the sweep continues behind it. It ends after as many failed removals in a row as elements are left.
/// Tests: `n` if nothing can be removed, at most `O(n²)`.
pub fn one_by_one<E>(mut keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    let mut position = 0;
    loop {
        let current = keep.clone();
        let n = current.len();
        let order = || (0..n).map(move |step| (position + step) % n);
        let mut candidates = order().map(|at| current.without(at..at + 1));
        let Some(step) = tester.first(&mut candidates)? else { return Ok(keep) };
        position = order().nth(step).expect("it was among them");
        keep = current.without(position..position + 1);
        position = if position < keep.len() { position } else { 0 };
    }
}

#[cfg(test)]
mod tests {
    use super::super::tester::testing::Predicate;
    use super::*;

    #[track_caller]
    fn check(n: usize, fails: impl Fn(&[usize]) -> bool, expected: &[usize], tests: usize) {
        let mut tester = Predicate { fails, tests: 0 };
        let Ok(keep) = one_by_one(KeepList::full(n), &mut tester);
        assert_eq!(keep.kept(), expected);
        assert_eq!(tester.tests, tests, "the number of tests");
    }

    #[test]
    fn nothing_that_goes_takes_n_tests() {
        check(8, |kept| kept.len() == 8, &[0, 1, 2, 3, 4, 5, 6, 7], 8);
        check(0, |_| true, &[], 0);
    }

    #[test]
    fn everything_goes_in_n_tests() {
        check(8, |_| true, &[], 8);
    }

    #[test]
    fn an_element_that_could_not_go_at_first_goes_later() {
        check(3, |kept| kept.contains(&0) || !kept.contains(&2), &[], 4);
    }
}
