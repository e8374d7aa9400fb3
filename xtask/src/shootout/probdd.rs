//! ProbDD: Wang, Shen, Chen, Xiong and Zhang, *Probabilistic Delta Debugging* (2021).

use mcve_dd::{KeepList, Outcome, Tester};

/// The prior probability that an element is needed, as in the paper.
const PRIOR: f64 = 0.1;

/// A small sublist of `keep` that still fails, if `keep` does. It assigns each element a probability of being needed,
/// removes the elements together whose removal has the highest expected gain, and learns from a removal that does not
/// fail that one of them is probably needed. It ends when all remaining elements are certainly needed. Each of these was tested
/// alone, but others may have been removed since: [`one_by_one`](mcve_dd::one_by_one()) makes it 1-minimal.
///
/// It never begins with large parts, and chooses each test by the previous outcome: it does not profit from a
/// parallel tester.
///
/// Tests: about `n / 9` if nothing is needed, and a few more for each needed element; `O(n)`, with `O(n²)` time
/// for sorting.
pub(crate) fn probdd<E>(mut keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    // In ascending order of probability, then of index.
    let mut beliefs: Vec<Belief> = keep.kept().iter().map(|&element| Belief { element, needed: PRIOR }).collect();
    loop {
        let (chosen, all_go) = best(&beliefs);
        let Some(removed) = beliefs.get_mut(..chosen).filter(|removed| !removed.is_empty()) else { return Ok(keep) };
        let candidate = without(&keep, removed);
        if tester.test(&candidate)? == Outcome::Fail {
            keep = candidate;
            beliefs.drain(..chosen);
            continue;
        }
        for belief in removed.iter_mut() {
            // By Bayes' rule. A single element is certainly needed, regardless of rounding.
            belief.needed = if chosen == 1 { 1.0 } else { belief.needed / (1.0 - all_go) };
        }
        beliefs.sort_by(|a, b| a.needed.total_cmp(&b.needed).then(a.element.cmp(&b.element)));
    }
}

/// `keep` without the elements of `removed`.
fn without(keep: &KeepList, removed: &[Belief]) -> KeepList {
    let is_removed = |element: &usize| removed.iter().any(|belief| belief.element == *element);
    KeepList::of(keep.universe(), keep.kept().iter().copied().filter(|element| !is_removed(element)).collect())
}

struct Belief {
    element: usize,
    needed: f64,
}

/// The number of least likely needed elements that are best removed together, and the probability that
/// they can be. None if all are certainly needed.
fn best(beliefs: &[Belief]) -> (usize, f64) {
    let mut all_go = 1.0;
    let mut best = (0, 1.0);
    let mut best_gain = 0.0;
    for (count, belief) in (1_u32..).zip(beliefs) {
        all_go *= 1.0 - belief.needed;
        let gain = f64::from(count) * all_go;
        if gain <= best_gain {
            // The gain falls after its maximum, as each further element is at least as likely to be needed.
            break;
        }
        best = (count as usize, all_go);
        best_gain = gain;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::predicate::check;
    use super::*;

    #[test]
    fn nothing_needed_goes_by_nine() {
        check(probdd, 0, |_| true, &[], 0);
        check(probdd, 1, |_| true, &[], 1);
        check(probdd, 90, |_| true, &[], 10);
    }

    #[test]
    fn needed_elements_take_a_few_tests_each() {
        check(probdd, 90, |kept| kept.contains(&40), &[40], 16);
        check(probdd, 90, |kept| kept.contains(&3) && kept.contains(&80), &[3, 80], 24);
    }

    #[test]
    fn everything_needed_takes_about_two_n() {
        check(probdd, 64, |kept| kept.len() == 64, &(0..64).collect::<Vec<_>>(), 131);
    }
}
