//! Candidates that a compiler most likely refuses, as their syntax tells. Whether the failure minds is learned from the first
//! candidates that have such flaws; where it does, others are left to the proof.

use std::collections::BTreeSet;
use std::sync::Arc;

use mcve_transforms::{LikelyError as Flaw, LikelyErrors as Flaws, Source};

use super::recent::Recent;
use crate::program::{ContentHash, Program};

/// A program of more bytes is not looked at: it is worth a check before that is worth its time, as coarse passes keep by name
/// what is needed.
const LARGEST: usize = 1 << 14;

/// Of so many programs that candidates are made of the flaws are remembered.
const BASES: usize = 4;

/// Of so many candidates the kinds of flaws are remembered.
const CANDIDATES: usize = 1 << 10;

/// What came of checks of candidates with flaws.
#[derive(Clone, Debug, Default)]
pub(super) struct Flawed {
    /// The kinds of which a candidate that had no other did not fail.
    minded: BTreeSet<Flaw>,
    /// The kinds of which a candidate failed.
    fine: BTreeSet<Flaw>,
    looks: Looks,
}

/// The kinds of flaws that candidates have beyond those of what they are made of.
#[derive(Clone, Debug)]
struct Looks {
    bases: Recent<ContentHash, Arc<Flaws>>,
    candidates: Recent<[ContentHash; 2], BTreeSet<Flaw>>,
}

impl Default for Looks {
    fn default() -> Self {
        Self { bases: Recent::new(BASES, |_| 1), candidates: Recent::new(CANDIDATES, |_| 1) }
    }
}

impl Looks {
    fn beyond(&self, base: &Program, candidate: &Program) -> BTreeSet<Flaw> {
        let flaws = |program: &Program| Flaws::of(&Source::parse(&*program.text));
        let base_flaws = || self.bases.get_or(base.hash(), || Arc::new(flaws(base)));
        let pair = [base.hash(), candidate.hash()];
        self.candidates.get_or(pair, || flaws(candidate).beyond(&base_flaws()))
    }
}

/// Judges candidates that are made of one program, one after the other.
pub(super) struct Judge<'b> {
    base: &'b Program,
    flawed: Flawed,
    /// The flaws of the candidate that was found worth a check last.
    last: BTreeSet<Flaw>,
}

impl<'b> Judge<'b> {
    /// Of candidates made of `base`, by what was learned so far.
    pub(super) fn new(base: &'b Program, flawed: Flawed) -> Self {
        Self { base, flawed, last: BTreeSet::new() }
    }

    /// Whether a candidate is worth a check.
    pub(super) fn is_worth(&mut self, candidate: &Program) -> bool {
        if candidate.text.len() > LARGEST {
            return true;
        }
        let Flawed { minded, fine, looks } = &self.flawed;
        let flaws = looks.beyond(self.base, candidate);
        let is_worth = flaws.is_disjoint(&(minded - fine));
        if is_worth {
            self.last = flaws;
        }
        is_worth
    }

    /// Learns that the last candidate that was worth a check did not fail.
    pub(super) fn rejected(&mut self) {
        self.learn(false);
    }

    /// What is learned in the end: whether the last one that was worth a check failed.
    pub(super) fn learned(mut self, fails: bool) -> Flawed {
        self.learn(fails);
        self.flawed
    }

    fn learn(&mut self, fails: bool) {
        let flaws = std::mem::take(&mut self.last);
        if fails {
            self.flawed.fine.extend(flaws);
        } else if flaws.len() == 1 {
            self.flawed.minded.extend(flaws);
        }
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

    /// Whether `text` is worth a check after those of `before`, each of which failed or not.
    #[track_caller]
    fn check(before: &[(&str, bool)], text: &str, expected: bool) {
        let base = program(BASE);
        let mut flawed = Flawed::default();
        for (text, fails) in before {
            let mut judge = Judge::new(&base, flawed);
            judge.is_worth(&program(text));
            flawed = judge.learned(*fails);
        }
        assert_eq!(Judge::new(&base, flawed).is_worth(&program(text)), expected);
    }

    #[test]
    fn a_kind_of_flaw_is_tried_once_unless_it_is_fine() {
        check(&[], WITHOUT_VALUE, true);
        check(&[(WITHOUT_VALUE, false)], WITHOUT_VALUE, false);
        check(&[(WITHOUT_VALUE, false)], WITHOUT_ARGUMENT, true);
        check(&[(WITHOUT_VALUE, false)], WITHOUT_BOTH, false);
        check(&[(WITHOUT_VALUE, true), (WITHOUT_VALUE, false)], WITHOUT_VALUE, true);
    }

    #[test]
    fn what_has_no_flaw_or_two_tells_nothing() {
        check(&[(BASE, false)], BASE, true);
        check(&[(WITHOUT_BOTH, false)], WITHOUT_VALUE, true);
        check(&[(WITHOUT_BOTH, true), (WITHOUT_VALUE, false)], WITHOUT_VALUE, true);
    }

    #[test]
    fn of_several_in_a_row_all_but_the_last_were_rejected() {
        let base = program(BASE);
        let [value, argument] = [WITHOUT_VALUE, WITHOUT_ARGUMENT].map(program);
        let mut judge = Judge::new(&base, Flawed::default());
        assert!(judge.is_worth(&value));
        judge.rejected();
        assert!(!judge.is_worth(&value));
        judge.rejected();
        assert!(judge.is_worth(&argument));
        let flawed = judge.learned(true);
        assert!(!Judge::new(&base, flawed.clone()).is_worth(&value));
        assert!(Judge::new(&base, flawed).is_worth(&argument));
    }

    #[test]
    fn what_is_large_is_worth_a_check() {
        let large = format!("{WITHOUT_VALUE} // {}", " ".repeat(LARGEST));
        check(&[(WITHOUT_VALUE, false)], &large, true);
    }
}
