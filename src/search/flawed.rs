//! Candidates that a compiler most likely refuses, as their syntax tells. Whether the failure minds is learned from the first
//! candidates that have such flaws; where it does, others are left to the proof.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use mcve_transforms::{Flaw, Flaws, Source};

/// What came of checks of candidates with flaws.
#[derive(Clone, Debug, Default)]
pub(super) struct Flawed {
    /// The kinds of which a candidate that had no other did not fail.
    minded: BTreeSet<Flaw>,
    /// The kinds of which a candidate failed.
    fine: BTreeSet<Flaw>,
}

/// The flaws of a program, once they were asked for.
#[derive(Default)]
pub(super) struct Base(OnceCell<Flaws>);

/// Judges candidates that are made of one program, one after the other.
pub(super) struct Judge<'b> {
    text: &'b str,
    base: &'b Base,
    flawed: Flawed,
    /// The flaws of the candidate that was found worth a check last.
    last: BTreeSet<Flaw>,
}

impl Flawed {
    fn learn(&mut self, flaws: BTreeSet<Flaw>, fails: bool) {
        if fails {
            self.fine.extend(flaws);
        } else if flaws.len() == 1 {
            self.minded.extend(flaws);
        }
    }
}

impl<'b> Judge<'b> {
    /// Of candidates made of `text`, whose flaws are `base`, by what was learned so far.
    pub(super) fn new(text: &'b str, base: &'b Base, flawed: Flawed) -> Self {
        Self { text, base, flawed, last: BTreeSet::new() }
    }

    /// Whether a candidate is worth a check.
    pub(super) fn is_worth(&mut self, text: &str) -> bool {
        let base = self.base.0.get_or_init(|| Flaws::of(&Source::parse(self.text)));
        let flaws = Flaws::of(&Source::parse(text)).beyond(base);
        let is_worth = !flaws.iter().any(|flaw| self.flawed.minded.contains(flaw) && !self.flawed.fine.contains(flaw));
        if is_worth {
            self.last = flaws;
        }
        is_worth
    }

    /// Learns that the last candidate that was worth a check did not fail.
    pub(super) fn rejected(&mut self) {
        self.flawed.learn(std::mem::take(&mut self.last), false);
    }

    /// What is learned in the end: whether the last one that was worth a check failed.
    pub(super) fn learned(mut self, fails: bool) -> Flawed {
        self.flawed.learn(self.last, fails);
        self.flawed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "fn f() -> u8 { g(1); 2 } fn g(a: u8) {}";
    const WITHOUT_VALUE: &str = "fn f() -> u8 { g(1); } fn g(a: u8) {}";
    const WITHOUT_ARGUMENT: &str = "fn f() -> u8 { g(); 2 } fn g(a: u8) {}";
    const WITHOUT_BOTH: &str = "fn f() -> u8 { g(); } fn g(a: u8) {}";

    /// Whether `text` is worth a check after those of `before`, each of which failed or not.
    #[track_caller]
    fn check(before: &[(&str, bool)], text: &str, expected: bool) {
        let base = Base::default();
        let mut flawed = Flawed::default();
        for (text, fails) in before {
            let mut judge = Judge::new(BASE, &base, flawed);
            judge.is_worth(text);
            flawed = judge.learned(*fails);
        }
        assert_eq!(Judge::new(BASE, &base, flawed).is_worth(text), expected);
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
        let base = Base::default();
        let mut judge = Judge::new(BASE, &base, Flawed::default());
        assert!(judge.is_worth(WITHOUT_VALUE));
        judge.rejected();
        assert!(!judge.is_worth(WITHOUT_VALUE));
        judge.rejected();
        assert!(judge.is_worth(WITHOUT_ARGUMENT));
        let flawed = judge.learned(true);
        assert!(!Judge::new(BASE, &base, flawed.clone()).is_worth(WITHOUT_VALUE));
        assert!(Judge::new(BASE, &base, flawed).is_worth(WITHOUT_ARGUMENT));
    }
}
