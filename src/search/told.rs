//! What others say of the best program: a compiler what is idle, a run which values there are.

use std::sync::Arc;

use mcve_transforms::Hint;

use super::engine::Search;

/// Who was of no help so many times in a row is not asked again.
const IN_VAIN: usize = 2;

/// What somebody says of the best program.
#[derive(Clone, Default)]
pub(super) struct Told {
    /// The last answer, if it is about the best program.
    hints: Option<Arc<[Hint]>>,
    /// How often was asked since that helped.
    in_vain: usize,
}

impl Told {
    /// Says that there is another best program.
    pub(super) fn forget(&mut self) {
        self.hints = None;
    }

    /// Says that the last answer helped.
    pub(super) fn helped(&mut self) {
        self.in_vain = 0;
    }

    /// Whether to ask, which is counted.
    fn asks(&mut self) -> bool {
        let asks = self.hints.is_none() && self.in_vain < IN_VAIN;
        self.in_vain += usize::from(asks);
        asks
    }
}

impl Search<'_> {
    /// What a compiler says of the best program. One that is of no help is not asked for ever: most likely the failure comes
    /// before its lints.
    pub(super) fn hints(&mut self) -> Arc<[Hint]> {
        if self.state.attempt.is_none() && self.state.hints.asks() {
            let best = self.best().clone();
            self.state.hints.hints = Some(self.checker.hints(&best).into());
        }
        self.state.hints.hints.clone().unwrap_or_default()
    }

    /// The values that expressions of the best program have when it is run. Where there are none, there are never any: most
    /// likely it is not run.
    pub(super) fn values(&mut self) -> Arc<[Hint]> {
        if self.state.attempt.is_none() && self.checker.oracle().runs_candidates() && self.state.values.asks() {
            let best = self.best().clone();
            let values = self.checker.values(&best);
            if values.is_empty() {
                self.state.values.in_vain = IN_VAIN;
            }
            self.state.values.hints = Some(values.into());
        }
        self.state.values.hints.clone().unwrap_or_default()
    }
}
