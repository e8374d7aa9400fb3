//! Decides whether a candidate fails often enough, for a failure that appears only in some runs, after as few runs as possible.

#[derive(Clone, Copy)]
pub(super) struct Repetition {
    /// The rule by which a program counts as failing.
    pub(super) rule: Rule,
    /// In how many of how many runs the unreduced program failed.
    pub(super) input: (usize, usize),
    /// Whether it passed in the others, so that a candidate has to, too.
    pub(super) passes_otherwise: bool,
}

/// The rule for a failing candidate if the failure appears only in some runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rule {
    /// A number of runs that have to show it, out of a number of runs.
    Share {
        /// The number of runs that have to show it.
        needed: usize,
        runs: usize,
    },
    /// A sequential probability ratio test (A. Wald, *Sequential Tests of Statistical Hypotheses*, 1945) by the rate at which the
    /// unreduced program fails, between 0 and 1: does the candidate fail at least three quarters as often as that, or at most a fifth
    /// as often? Besides, one of its runs must not fail, as one that fails always fails for another reason. That is not asked for if
    /// the unreduced program fails nearly always: it takes many runs to see, and a run that was killed from outside may look like it.
    Ratio(f64),
    /// As `Ratio`, for a program that had its turn before and whose runs all count: with twice the evidence, as of two independent tests.
    Again(f64),
}

/// A candidate that fails so many times as often as the unreduced program, or more often, is accepted, but for `REJECTED` of such.
const OFTEN: f64 = 0.75;

/// One that fails so many times as often, or less often, is rejected, but for `ACCEPTED` of such.
pub const SELDOM: f64 = 0.2;

/// The share of accepted candidates among those that fail seldom. It is small: a search that accepts one has lost the failure.
const ACCEPTED: f64 = 0.01;

/// The part of the candidates that fail often that are rejected all the same. Each of them only leaves the result larger.
const REJECTED: f64 = 0.05;

/// After so many runs what is more likely by then decides, and where that is more, after as many as show so many failures of the
/// unreduced program. It is enough for the bounds to hold, as a test shows.
const MOST: usize = 200;
const MOST_FAILURES: f64 = 50.0;

/// The part of the candidates that fail as often as the unreduced program that are rejected as none of their runs was seen not to fail.
const NEVER_SEEN: f64 = 0.01;

/// Above this rate, a candidate may fail in all runs.
const NEARLY_ALWAYS: f64 = 0.97;

/// The rate at which a test would never let a run go that does not fail.
const ALWAYS: f64 = 0.99;

impl Rule {
    /// Whether a candidate counts as failing that failed `times` in `runs` runs; nothing as long as it needs more of them.
    pub(crate) fn decide(self, times: usize, runs: usize) -> Option<bool> {
        let others = runs - times;
        match self {
            Self::Share { needed, .. } if times >= needed => Some(true),
            Self::Share { needed, runs } => (others > runs - needed).then_some(false),
            Self::Ratio(rate) | Self::Again(rate) => {
                let (often, seldom) = (rate.min(ALWAYS) * OFTEN, rate.min(ALWAYS) * SELDOM);
                let evidence =
                    times as f64 * (often / seldom).ln() + others as f64 * ((1.0 - often) / (1.0 - seldom)).ln();
                let turns = if matches!(self, Self::Again(_)) { 2.0 } else { 1.0 };
                if evidence >= ((1.0 - REJECTED) / ACCEPTED).ln() * turns {
                    let is_right = others > 0 || rate > NEARLY_ALWAYS;
                    return if is_right { Some(true) } else { (runs >= runs_until_other(rate)).then_some(false) };
                }
                let is_rejected = evidence <= (REJECTED / (1.0 - ACCEPTED)).ln() * turns;
                let is_over = runs as f64 >= (MOST_FAILURES / rate).max(MOST as f64) * turns;
                (is_rejected || is_over).then_some(evidence > 0.0)
            }
        }
    }

    /// The reason for which a program is rejected that failed `times` in `runs` runs.
    pub(crate) fn describe_rejection(times: usize, runs: usize) -> String {
        match times == runs {
            true => format!("it fails in each of {runs} runs"),
            false => format!("it fails in {times} of {runs} runs"),
        }
    }

    /// How many runs more are needed in any case, at least one, behind those that did not decide.
    pub(crate) fn least_left(self, times: usize, runs: usize) -> usize {
        let decides = |more: &usize| (0..=*more).any(|failing| self.decide(times + failing, runs + more).is_some());
        (1..MOST).find(decides).unwrap_or(MOST)
    }
}

/// After so many runs that all failed, the next one is not waited for at this rate.
fn runs_until_other(rate: f64) -> usize {
    ((NEVER_SEEN.ln() / rate.min(ALWAYS).ln()).ceil() as usize).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How likely it is that a candidate is accepted that fails at this rate, and how many runs that takes on average: by all
    /// ways that the runs can come out.
    fn accepted(rule: Rule, rate: f64) -> (f64, f64) {
        let (mut undecided, mut accepted, mut runs) = (vec![1.0], 0.0, 0.0);
        for run in 1.. {
            runs += undecided.iter().sum::<f64>();
            let mut next = vec![0.0; run + 1];
            for (times, chance) in undecided.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                for (more, part) in [(1, rate), (0, 1.0 - rate)] {
                    match rule.decide(times + more, run) {
                        Some(true) => accepted += chance * part,
                        Some(false) => {}
                        None => next[times + more] += chance * part,
                    }
                }
            }
            undecided = next;
            if undecided.iter().all(|chance| *chance == 0.0) {
                break;
            }
        }
        (accepted, runs)
    }

    #[test]
    fn the_bounds_of_error_hold_for_all_rates_that_are_accepted() {
        let rates = (3..=95).map(|percent| f64::from(percent) / 100.0);
        for (rate, turns) in rates.flat_map(|rate| [(rate, 1), (rate, 2)]) {
            let rule = if turns == 1 { Rule::Ratio(rate) } else { Rule::Again(rate) };
            for share in [0.0, 0.5, 1.0] {
                let (wrong, _) = accepted(rule, rate * SELDOM * share);
                assert!(wrong <= ACCEPTED.powi(turns), "{rate}: {wrong}");
            }
            for share in [OFTEN, 1.0] {
                let (right, runs) = accepted(rule, rate * share);
                // More than this Wald does not promise.
                assert!(right >= 1.0 - REJECTED / (1.0 - ACCEPTED), "{rate}: {right}");
                assert!(runs < 50.0_f64.max(11.0 / rate) * f64::from(turns), "{rate}: {runs}");
            }
        }
    }

    #[test]
    fn a_test_of_a_frequent_failure_takes_few_runs() {
        let rule = Rule::Ratio(0.8);
        let ends = |fails: bool| (1..).find(|&runs| rule.decide(if fails { runs } else { 0 }, runs).is_some());
        assert_eq!((ends(true), ends(false)), (Some(21), Some(5)), "one that always fails is another one");
        assert_eq!((rule.decide(5, 6), rule.decide(20, 20), rule.decide(21, 21)), (Some(true), None, Some(false)));
        assert_eq!((rule.least_left(0, 0), rule.least_left(3, 3), rule.least_left(0, 4)), (5, 3, 1));
        assert_eq!((Rule::Ratio(0.95).decide(4, 4), Rule::Ratio(0.95).decide(4, 5)), (None, None));
        assert_eq!(Rule::Ratio(0.95).decide(5, 6), Some(true));
        assert_eq!(Rule::Ratio(0.98).decide(4, 4), Some(true), "it needs few runs, and none that does not fail");
    }

    #[test]
    fn a_share_is_decided_as_soon_as_it_is_certain() {
        let rule = Rule::Share { needed: 3, runs: 5 };
        for (times, runs, decided) in [
            (0, 2, None),
            (0, 3, Some(false)),
            (2, 4, None),
            (2, 5, Some(false)),
            (3, 3, Some(true)),
            (3, 5, Some(true)),
        ] {
            assert_eq!(rule.decide(times, runs), decided, "{times} of {runs}");
        }
        assert_eq!((rule.least_left(0, 0), rule.least_left(2, 3), rule.least_left(1, 3)), (3, 1, 1));
    }
}
