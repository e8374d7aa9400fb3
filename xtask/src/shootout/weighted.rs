//! W-ddmin: Zhou, Xu, Zhang, Tian and Sun, *WDD: Weighted Delta Debugging* (2025). Elements differ in size; parts of equal
//! weight give each test about the same gain, where parts of equal length may hold almost all or almost nothing.

use mcve_dd::{KeepList, Tester, one_by_one};

/// A sublist of `keep` that still fails, if `keep` does. It is 1-minimal: [`one_by_one()`] ends it, as in the paper. `weight`
/// returns the weight of an element, such as its number of tokens.
///
/// As ddmin, it tests each part and then the rest without it, beginning with all elements as one part. If nothing fails, each
/// part is cut into two whose weights are as equal as its elements permit. A part of one element is not tested again.
///
/// Tests: as [`ddmin`](mcve_dd::ddmin()) for equal weights, and `n` at the end; `O(n²)` at worst.
///
/// # Errors
/// When the tester fails.
pub(crate) fn weighted_ddmin<E>(
    keep: KeepList,
    weight: &dyn Fn(usize) -> usize,
    tester: &mut dyn Tester<E>,
) -> Result<KeepList, E> {
    let empty = KeepList::empty(keep.universe());
    if keep.is_empty() || tester.first(&mut std::iter::once(empty.clone()))?.is_some() {
        return Ok(empty);
    }
    let mut keep = keep;
    let mut parts: Vec<Vec<usize>> = vec![keep.kept().to_vec()];
    while !parts.is_empty() {
        let candidates = |keep: &KeepList| -> Vec<(usize, bool, KeepList)> {
            let subset = |at: usize| KeepList::of(keep.universe(), parts[at].clone());
            let is_part = |element: &usize, at: usize| parts[at].binary_search(element).is_ok();
            let complement = |at| keep.kept().iter().copied().filter(|element| !is_part(element, at)).collect();
            let all = (0..parts.len())
                .flat_map(|at| [(at, true, subset(at)), (at, false, KeepList::of(keep.universe(), complement(at)))]);
            // The whole fails, the empty list does not, and one of two parts is the complement of the other.
            let is_new = |(_, is_subset, list): &(usize, bool, KeepList)| {
                (1..keep.len()).contains(&list.len())
                    && (*is_subset || parts.len() != 2 || keep.len() != parts.concat().len())
            };
            all.filter(is_new).collect()
        };
        let tried = candidates(&keep);
        match tester.first(&mut tried.iter().map(|(_, _, list)| list.clone()))? {
            Some(position) => {
                let (at, is_subset, list) = &tried[position];
                keep = list.clone();
                if *is_subset {
                    parts = vec![parts.swap_remove(*at)];
                } else {
                    parts.remove(*at);
                }
            }
            None => parts = parts.iter().filter(|part| part.len() > 1).flat_map(|part| halves(part, weight)).collect(),
        }
    }
    if keep.len() == 1 { Ok(keep) } else { one_by_one(keep, tester) }
}

/// Cuts a part of at least two elements into two whose weights differ least.
fn halves(part: &[usize], weight: &dyn Fn(usize) -> usize) -> [Vec<usize>; 2] {
    let whole: usize = part.iter().map(|&element| weight(element)).sum();
    let before = part.iter().scan(0, |sum, &element| {
        *sum += weight(element);
        Some(*sum)
    });
    let places = before.take(part.len() - 1).map(|first| first.abs_diff(whole - first)).enumerate();
    let (last, _) = places.min_by_key(|&(_, difference)| difference).expect("it has two elements");
    let (first, second) = part.split_at(last + 1);
    [first.to_vec(), second.to_vec()]
}

#[cfg(test)]
mod tests {
    use super::super::predicate::Predicate;
    use super::*;

    #[track_caller]
    fn check(weights: &[usize], fails: impl Fn(&[usize]) -> bool, expected: &[usize], tests: usize) {
        let mut tester = Predicate { fails, tests: 0 };
        let Ok(left) = weighted_ddmin(KeepList::full(weights.len()), &|element| weights[element], &mut tester);
        assert_eq!((left.kept(), tester.tests), (expected, tests));
    }

    #[test]
    fn a_part_is_cut_where_its_weights_are_equal() {
        assert_eq!(halves(&[0, 1, 2, 3], &|_| 1), [vec![0, 1], vec![2, 3]]);
        assert_eq!(halves(&[0, 1, 2, 3], &|element| [9, 1, 1, 1][element]), [vec![0], vec![1, 2, 3]]);
        assert_eq!(halves(&[0, 1, 2, 3], &|element| [1, 1, 1, 9][element]), [vec![0, 1, 2], vec![3]]);
    }

    #[test]
    fn nothing_needed_takes_one_test() {
        check(&[1, 5, 2], |_| true, &[], 1);
        check(&[], |_| true, &[], 0);
    }

    #[test]
    fn a_heavy_needed_element_is_found_at_once() {
        let mut weights = vec![1; 64];
        weights[40] = 500;
        let needed = |kept: &[usize]| kept.contains(&40);
        check(&weights, needed, &[40], 4);
        check(&[1; 64], needed, &[40], 9);
    }

    #[test]
    fn the_result_is_1_minimal() {
        // An element goes only after one behind it.
        let fails = |kept: &[usize]| kept.contains(&2) && (!kept.contains(&5) || kept.contains(&1));
        check(&[1; 8], fails, &[2], 5);
        let fails = |kept: &[usize]| kept.len().is_multiple_of(2) && kept.contains(&0) && kept.contains(&7);
        let mut tester = Predicate { fails, tests: 0 };
        let Ok(left) = weighted_ddmin(KeepList::full(8), &|_| 1, &mut tester);
        assert!((0..left.len()).all(|at| !(tester.fails)(left.without(at..at + 1).kept())));
    }
}
