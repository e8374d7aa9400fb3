//! Candidates that a compiler most likely rejects, judging by their syntax. Whether the failure survives such errors is learned
//! from the candidates that have them; if it seldom does, others are left to the proof.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mcve_transforms::{LikelyError, LikelyErrors, Source};

use super::filter::{Filter, Phase};
use super::proposal::Proposal;
use crate::program::{ContentHash, Program};
use crate::search::recent::Recent;

/// A program of more tokens is not looked at: a check takes less time, and coarse passes keep what is needed by name.
const LARGEST: usize = 1 << 13;

/// Errors of a kind are refused once more than this times as many candidates with them did not fail as did.
const SURVIVING: usize = 3;

/// Of so many programs that candidates are made of the errors are remembered.
const BASES: usize = 4;

/// Of so many candidates the kinds of errors are remembered.
const CANDIDATES: usize = 1 << 10;

/// Refuses candidates that a compiler most likely refuses, where the failure does not survive that.
#[derive(Clone, Debug, Default)]
pub struct LikelyRefused {
    /// How many candidates that had errors of one kind only did not fail.
    rejected: BTreeMap<LikelyError, usize>,
    /// How many that had errors of a kind failed: it was no error, or one that the failure survives.
    accepted: BTreeMap<LikelyError, usize>,
    /// The likely errors of the candidate that was admitted last.
    last: BTreeSet<LikelyError>,
    looks: Looks,
}

/// The kinds of errors that candidates have beyond those of what they are made of.
#[derive(Clone, Debug)]
struct Looks {
    bases: Recent<ContentHash, Arc<LikelyErrors>>,
    candidates: Recent<[ContentHash; 2], BTreeSet<LikelyError>>,
}

impl Default for Looks {
    fn default() -> Self {
        Self { bases: Recent::new(BASES, |_| 1), candidates: Recent::new(CANDIDATES, |_| 1) }
    }
}

impl Looks {
    fn beyond(&self, base: &Program, candidate: &Program) -> BTreeSet<LikelyError> {
        let errors = |program: &Program| LikelyErrors::of(&Source::parse(&*program.text));
        let base_errors = || self.bases.get_or(base.hash(), || Arc::new(errors(base)));
        let pair = [base.hash(), candidate.hash()];
        self.candidates.get_or(pair, || errors(candidate).beyond(&base_errors()))
    }
}

impl LikelyRefused {
    fn admit(&mut self, base: &Program, candidate: &Program) -> bool {
        self.last.clear();
        if candidate.measure().tokens > LARGEST {
            return true;
        }
        let errors = self.looks.beyond(base, candidate);
        let count = |counts: &BTreeMap<_, usize>, error| counts.get(error).copied().unwrap_or_default();
        let is_refused = |error| count(&self.rejected, error) > SURVIVING * count(&self.accepted, error);
        let is_worth = !errors.iter().any(is_refused);
        if is_worth {
            self.last = errors;
        }
        is_worth
    }
}

impl Filter for LikelyRefused {
    fn name(&self) -> &'static str {
        "likely-errors"
    }

    fn applies(&self, phase: Phase) -> bool {
        phase != Phase::Proof
    }

    fn admits(&mut self, proposal: &Proposal<'_>) -> bool {
        self.admit(proposal.base, proposal.program())
    }

    fn learn(&mut self, fails: bool) {
        let errors = std::mem::take(&mut self.last);
        if fails {
            errors.into_iter().for_each(|error| *self.accepted.entry(error).or_default() += 1);
        } else if errors.len() == 1 {
            errors.into_iter().for_each(|error| *self.rejected.entry(error).or_default() += 1);
        }
    }

    fn fork(&self) -> Box<dyn Filter> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "fn f() -> u8 { g(1); 2 } fn g(a: u8) {}";
    const WITHOUT_VALUE: &str = "fn f() -> u8 { g(1); } fn g(a: u8) {}";
    const WITHOUT_ARGUMENT: &str = "fn f() -> u8 { g(); 2 } fn g(a: u8) {}";
    const WITHOUT_BOTH: &str = "fn f() -> u8 { g(); } fn g(a: u8) {}";

    fn program(text: &str) -> Program {
        Program::new("a.rs", text)
    }

    /// Whether `text` is admitted after those of `before`, each of which failed or not.
    #[track_caller]
    fn check(before: &[(&str, bool)], text: &str, expected: bool) {
        let (base, mut filter) = (program(BASE), LikelyRefused::default());
        for (text, fails) in before {
            filter.admit(&base, &program(text));
            filter.learn(*fails);
        }
        assert_eq!(filter.admit(&base, &program(text)), expected);
    }

    #[test]
    fn a_kind_of_error_is_tried_once_unless_the_failure_survives_it_now_and_then() {
        check(&[], WITHOUT_VALUE, true);
        check(&[(WITHOUT_VALUE, false)], WITHOUT_VALUE, false);
        check(&[(WITHOUT_VALUE, false)], WITHOUT_ARGUMENT, true);
        check(&[(WITHOUT_VALUE, false)], WITHOUT_BOTH, false);
        let once = [&[(WITHOUT_VALUE, true)][..], &[(WITHOUT_VALUE, false); SURVIVING]].concat();
        check(&once, WITHOUT_VALUE, true);
        check(&[&once[..], &[(WITHOUT_VALUE, false)]].concat(), WITHOUT_VALUE, false);
    }

    #[test]
    fn what_has_no_error_or_two_tells_nothing() {
        check(&[(BASE, false)], BASE, true);
        check(&[(WITHOUT_BOTH, false)], WITHOUT_VALUE, true);
        check(&[(WITHOUT_BOTH, true), (WITHOUT_VALUE, false)], WITHOUT_VALUE, true);
    }

    #[test]
    fn what_is_large_is_admitted() {
        let large = format!("{WITHOUT_VALUE} {}", ";".repeat(LARGEST));
        check(&[(WITHOUT_VALUE, false)], &large, true);
    }
}
