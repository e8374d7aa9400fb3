//! The rows of the table: what each transform did in all programs.

use std::collections::BTreeMap;

use mcve_transforms::transforms;

use super::cases::Case;
use super::counting::Count;
use super::runs::{Outcomes, Run, is_complete};

/// In how many programs a transform is left out.
const LEFT_OUT: usize = 2;

/// What a transform did in some programs.
#[derive(Default)]
pub(super) struct Part {
    pub(super) sum: Count,
    /// The programs in which it was accepted, each with the tokens that it gained there.
    pub(super) programs: BTreeMap<usize, f64>,
}

/// What a transform did.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) corpus: Part,
    pub(super) others: Part,
    pub(super) proof: Count,
}

impl Row {
    /// Of all transforms, in the order of the registry.
    pub(super) fn all(cases: &[Case], outcomes: &Outcomes) -> Vec<Self> {
        transforms().map(|transform| Self::of(transform.name, cases, outcomes)).collect()
    }

    fn of(name: &'static str, cases: &[Case], outcomes: &Outcomes) -> Self {
        let mut row = Self { name, corpus: Part::default(), others: Part::default(), proof: Count::default() };
        for (&(case, without), outcome) in outcomes {
            if without.is_some() {
                continue;
            }
            let part = if cases[case].is_corpus { &mut row.corpus } else { &mut row.others };
            let count = outcome.counts.all.get(name).copied().unwrap_or_default();
            part.sum += count;
            if count.accepted > 0 {
                part.programs.insert(case, count.tokens);
            }
            row.proof += outcome.counts.proof.get(name).copied().unwrap_or_default();
        }
        row
    }

    /// The programs in which it was accepted, those first in which it gained most.
    fn best(&self) -> Vec<usize> {
        let mut programs: Vec<_> = self.corpus.programs.iter().chain(&self.others.programs).collect();
        programs.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        programs.into_iter().map(|(case, _)| *case).collect()
    }

    /// In how many programs it was accepted.
    pub(super) fn programs(&self) -> usize {
        self.corpus.programs.len() + self.others.programs.len()
    }

    /// The tokens of results with it, and without it, in programs of which both are known, and how many these are.
    pub(super) fn with_and_without(&self, outcomes: &Outcomes) -> Option<(usize, usize, usize)> {
        let pairs = self.best().into_iter().filter_map(|case| {
            let [with, without] = [None, Some(self.name)].map(|without| outcomes.get(&(case, without)));
            Some((with?.summary.after.tokens, without?.summary.after.tokens))
        });
        let sum = pairs.fold((0, 0, 0), |sum, (with, without)| (sum.0 + with, sum.1 + without, sum.2 + 1));
        (sum.2 > 0).then_some(sum)
    }
}

/// The runs without one transform each: where it gained most, those of the rarest transforms first.
pub(super) fn without<'r>(rows: impl Iterator<Item = &'r Row>, outcomes: &Outcomes) -> Vec<Run> {
    let mut rows: Vec<&Row> = rows.collect();
    rows.sort_by_key(|row| row.programs());
    // What was cut short says nothing of the result.
    let ended = |case: &usize| outcomes.get(&(*case, None)).is_some_and(is_complete);
    rows.iter()
        .flat_map(|row| row.best().into_iter().filter(ended).take(LEFT_OUT).map(|case| (case, Some(row.name))))
        .collect()
}
