//! What a search leaves for later: gains that are small for so large a program, and passes that gain nothing for long.

use mcve_transforms::Measure;

/// A step of a hasty search takes away one in so many of the tokens or more.
const WORTH: usize = 400;

/// After so many tests in a row that gained nothing, a hasty search leaves the rest of a pass for later.
const PATIENCE: usize = 16;

/// Whether a search is in haste, and how patient it still is.
#[derive(Clone, Debug)]
pub(super) struct Haste {
    hasty: bool,
    /// How many tests may still gain nothing.
    patience: usize,
}

impl Default for Haste {
    /// No haste.
    fn default() -> Self {
        Self { hasty: false, patience: usize::MAX }
    }
}

impl Haste {
    /// Begins or ends it; whether that changes anything.
    pub(super) fn set(&mut self, hasty: bool) -> bool {
        let changed = std::mem::replace(&mut self.hasty, hasty) != hasty;
        self.renew();
        changed
    }

    /// Begins to count anew.
    pub(super) fn renew(&mut self) {
        self.patience = if self.hasty { PATIENCE } else { usize::MAX };
    }

    /// How many tests may still gain nothing.
    pub(super) fn patience(&self) -> usize {
        self.patience
    }

    /// Counts tests that gained nothing.
    pub(super) fn in_vain(&mut self, tests: usize) {
        self.patience = self.patience.saturating_sub(tests);
    }

    /// Whether a step from `before` to `after` is worth a test now.
    pub(super) fn is_worth(&self, before: Measure, after: Measure) -> bool {
        let least = if self.hasty { before.tokens / WORTH } else { 0 };
        after < before && after.tokens + least <= before.tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(tokens: usize) -> Measure {
        Measure { tokens, bytes: tokens }
    }

    #[test]
    fn small_gains_are_worth_a_test_without_haste_only() {
        let mut haste = Haste::default();
        assert!(haste.is_worth(measure(4000), measure(3999)));
        assert!(!haste.is_worth(measure(4000), measure(4000)));
        haste.set(true);
        assert!(!haste.is_worth(measure(4000), measure(3991)));
        assert!(haste.is_worth(measure(4000), measure(3990)));
        assert!(haste.is_worth(measure(399), measure(398)));
    }

    #[test]
    fn patience_ends_in_haste_only() {
        let mut haste = Haste::default();
        haste.in_vain(10 * PATIENCE);
        assert!(haste.patience() > PATIENCE);
        assert!(haste.set(true));
        haste.in_vain(PATIENCE);
        assert_eq!(haste.patience(), 0);
        haste.renew();
        assert_eq!(haste.patience(), PATIENCE);
        assert!(!haste.set(true));
    }
}
