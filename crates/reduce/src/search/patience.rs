//! Decides when a pass gives way: where its checks gain little, those of a later pass may gain much.

use crate::search::filters::Phase;

/// After so many checks a pass is looked at.
const CHECKS: usize = 32;

/// It gives way if they took away less than one in so many tokens of the program.
const WORTH: usize = 64;

/// A program of fewer tokens is checked in no time, and every pass goes on to its end.
const LARGE: usize = 2000;

/// The gain of the pass under way. It is measured by checks and not by time, so that all runs give way at the same places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Patience {
    /// Whether every pass goes on to its end.
    is_endless: bool,
    /// The checks since the pass was looked at last.
    checks: usize,
    /// The tokens of the program then.
    tokens: usize,
    /// Whether the pass under way gives way.
    pub(super) gives_way: bool,
    /// Whether a pass of this round did.
    gave_way: bool,
}

impl Patience {
    /// The one under which every pass goes on to its end.
    pub(super) const ENDLESS: Self = Self { is_endless: true, checks: 0, tokens: 0, gives_way: false, gave_way: false };

    /// Begins a pass over a program of so many tokens.
    pub(super) fn begin(&mut self, tokens: usize) {
        *self = Self { checks: 0, tokens, gives_way: false, ..*self };
    }

    /// Counts a check, after which the program has so many tokens.
    pub(super) fn count(&mut self, phase: Phase, tokens: usize) {
        if phase != Phase::Passes || self.is_endless {
            return;
        }
        self.checks += 1;
        if self.checks == CHECKS {
            let gains_little = self.tokens.saturating_sub(tokens) * WORTH < self.tokens;
            self.gives_way = tokens >= LARGE && gains_little;
            self.gave_way |= self.gives_way;
            (self.checks, self.tokens) = (0, tokens);
        }
    }

    /// Whether to go through all passes once more although the last round gained little: a pass gave way in it. None will again.
    pub(super) fn goes_on(&mut self) -> bool {
        let gave_way = self.gave_way;
        if gave_way {
            *self = Self::ENDLESS;
        }
        gave_way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a pass gives way after checks that leave these tokens, each so many times.
    fn gives_way(patience: &mut Patience, before: usize, after: &[(usize, usize)]) -> bool {
        patience.begin(before);
        after.iter().for_each(|&(count, tokens)| (0..count).for_each(|_| patience.count(Phase::Passes, tokens)));
        patience.gives_way
    }

    #[test]
    fn a_pass_gives_way_where_its_checks_gain_little() {
        let new = Patience::default;
        assert!(gives_way(&mut new(), 6400, &[(CHECKS, 6301)]));
        assert!(!gives_way(&mut new(), 6400, &[(CHECKS, 6300)]));
        assert!(!gives_way(&mut new(), 6400, &[(CHECKS - 1, 6400)]));
        assert!(gives_way(&mut new(), 6400, &[(CHECKS, 3200), (CHECKS, 3190)]));
        assert!(!gives_way(&mut new(), LARGE - 1, &[(CHECKS, LARGE - 1)]), "it is small");
    }

    #[test]
    fn what_gave_way_goes_on_to_its_end_in_another_round() {
        let mut patience = Patience::default();
        assert!(!patience.goes_on());
        assert!(gives_way(&mut patience, 6400, &[(CHECKS, 6400)]));
        assert!(!gives_way(&mut patience, 6400, &[(1, 6400)]), "the next pass has its own checks");
        assert!(patience.goes_on());
        assert!(!gives_way(&mut patience, 6400, &[(CHECKS, 6400)]));
        assert!(!patience.goes_on());
    }

    #[test]
    fn the_proof_and_transactions_never_give_way() {
        let mut patience = Patience::default();
        patience.begin(6400);
        (0..CHECKS).for_each(|_| patience.count(Phase::Proof, 6400));
        (0..CHECKS).for_each(|_| patience.count(Phase::Transaction, 6400));
        assert!(!patience.gives_way);
    }
}
