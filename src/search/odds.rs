//! How likely reductions are to succeed: what was learnt of their transforms during the run, and of themselves.

use std::collections::HashMap;

use mcve_transforms::Reduction;

use super::tried::hash;

/// What is thought of a transform that was never tried.
const PRIOR: f64 = 0.25;

/// As many tries the prior counts for.
const WEIGHT: f64 = 4.0;

/// How often something was tried and succeeded.
#[derive(Clone, Copy, Default)]
struct Record {
    tries: f64,
    successes: f64,
}

/// What was learnt.
#[derive(Default)]
pub(super) struct Odds {
    transforms: HashMap<&'static str, Record>,
    /// Those that failed in a set, which some other of it may be to blame for.
    suspects: HashMap<u128, f64>,
}

impl Odds {
    /// How likely a reduction of `text` is to succeed by itself.
    pub(super) fn of(&self, text: &str, reduction: &Reduction) -> f64 {
        self.suspects
            .get(&hash(text, reduction))
            .copied()
            .unwrap_or_else(|| self.of_transform(reduction.transform.name))
    }

    fn of_transform(&self, name: &str) -> f64 {
        let record = self.transforms.get(name).copied().unwrap_or_default();
        (record.successes + PRIOR * WEIGHT) / (record.tries + WEIGHT)
    }

    /// Learns from a set of reductions that was tried.
    pub(super) fn learn(&mut self, text: &str, set: &[&Reduction], succeeded: bool) {
        let odds: Vec<f64> = set.iter().map(|reduction| self.of(text, reduction)).collect();
        let all: f64 = odds.iter().product();
        for (reduction, odds) in set.iter().zip(odds) {
            let after = if succeeded { 1.0 } else { (odds - all) / (1.0 - all) };
            if succeeded {
                self.suspects.remove(&hash(text, reduction));
            } else if set.len() > 1 {
                self.suspects.insert(hash(text, reduction), after);
            }
            let record = self.transforms.entry(reduction.transform.name).or_default();
            record.tries += if succeeded || set.len() == 1 { 1.0 } else { 1.0 / set.len() as f64 };
            record.successes += if succeeded { 1.0 } else { 0.0 };
        }
    }
}
