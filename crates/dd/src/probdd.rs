//! ProbDD: Wang, Shen, Chen, Xiong and Zhang, *Probabilistic Delta Debugging* (2021).

use super::keep_list::KeepList;
use super::outcome::Outcome;
use super::tester::Tester;

/// How likely it is for each element to be needed, before anything is tested. The paper's default.
const PRIOR: f64 = 0.1;

/// A small sublist of `keep` that still fails, given that `keep` does. For each element it has a probability to be needed;
/// it tries to remove those together whose removal can be expected to gain most, and learns from a removal that does not
/// fail that one of them is probably needed. It ends when it is sure of all that are left. Each of these was tested
/// alone, but others may have gone since: [`one_by_one`](super::one_by_one::one_by_one) makes it 1-minimal.
///
/// It never begins with large parts, and knows what to test next only after each answer: it takes no advantage of a
/// parallel tester.
///
/// Tests: about `n / 9` where nothing is needed, a few for each needed element besides; `O(n)`, and `O(n²)` time of its own
/// for sorting.
///
/// # Errors
/// When the tester does.
pub fn probdd<E>(keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
    let mut keep = keep;
    // In ascending order of the probability, those that are equally likely in theirs.
    let mut beliefs: Vec<Belief> = keep.kept().iter().map(|&element| Belief { element, needed: PRIOR }).collect();
    loop {
        let (chosen, all_go) = best(&beliefs);
        let Some(removed) = beliefs.get_mut(..chosen).filter(|removed| !removed.is_empty()) else { return Ok(keep) };
        let goes = |element: &usize| removed.iter().any(|belief| belief.element == *element);
        let kept = keep.kept().iter().copied().filter(|element| !goes(element)).collect();
        let candidate = KeepList::of(keep.universe(), kept);
        if tester.test(&candidate)? == Outcome::Fail {
            keep = candidate;
            beliefs.drain(..chosen);
            continue;
        }
        for belief in removed.iter_mut() {
            // By Bayes' rule. One element alone is needed for sure, whatever the rounding says.
            belief.needed = if chosen == 1 { 1.0 } else { belief.needed / (1.0 - all_go) };
        }
        beliefs.sort_by(|a, b| a.needed.total_cmp(&b.needed).then(a.element.cmp(&b.element)));
    }
}

struct Belief {
    element: usize,
    needed: f64,
}

/// How many of the elements that are least likely to be needed are best removed together, and how likely it is that they
/// can go. None when all are needed for sure.
fn best(beliefs: &[Belief]) -> (usize, f64) {
    let mut all_go = 1.0;
    let mut best = (0, 1.0);
    let mut best_gain = 0.0;
    for (count, belief) in (1_u32..).zip(beliefs) {
        all_go *= 1.0 - belief.needed;
        let gain = f64::from(count) * all_go;
        if gain <= best_gain {
            // From its maximum on the gain falls, as each further element is at least as likely to be needed.
            break;
        }
        best = (count as usize, all_go);
        best_gain = gain;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::tester::testing::check;
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
