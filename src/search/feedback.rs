//! What others say of the best program: a compiler what is unused, a run which values there are.

use std::sync::Arc;

use mcve_transforms::Hint;

use super::engine::Search;
use crate::check::limits::Stop;
use crate::event::Event;

/// Whoever was of no help so many times in a row is not asked again.
const USELESS: usize = 2;

/// What one of them says.
#[derive(Clone, Default)]
pub(super) struct Feedback {
    /// The last answer, if it is about the best program.
    hints: Option<Arc<[Hint]>>,
    /// How often was asked since that helped.
    useless: usize,
}

impl Feedback {
    /// Says that there is another best program.
    pub(super) fn forget(&mut self) {
        self.hints = None;
    }

    /// Says that the last answer helped.
    pub(super) fn mark_helpful(&mut self) {
        self.useless = 0;
    }

    /// Says whether to ask now, and counts it.
    fn begin(&mut self) -> bool {
        let asks = self.hints.is_none() && self.useless < USELESS;
        self.useless += usize::from(asks);
        asks
    }
}

impl Search<'_> {
    /// What a compiler says of the best program. One that is of no help is not asked for ever: most likely the failure comes
    /// before its lints.
    pub(super) fn hints(&mut self) -> Result<Arc<[Hint]>, Stop> {
        if self.state.transaction.is_none() && self.state.hints.begin() {
            let best = self.best().clone();
            self.state.hints.hints = Some(self.checks.hints(&best)?.into());
        }
        Ok(self.state.hints.hints.clone().unwrap_or_default())
    }

    /// What of the best program is not reached when it is run. A check that does not run it never will.
    pub(super) fn not_reached(&mut self) -> Result<Arc<[Hint]>, Stop> {
        let may_tell = self.state.transaction.is_none() && self.checks.oracle().advice().properties().runs_candidates;
        if may_tell && self.state.coverage.begin() {
            let best = self.best().clone();
            let reached = self.checks.reached(&best)?;
            let knew = std::mem::replace(&mut self.state.knows_what_runs, reached.is_some());
            match &reached {
                Some(reached) if !knew => {
                    let tokens = self.measure().tokens;
                    self.observer.event(&Event::Covered { reached: reached.tokens, tokens });
                }
                Some(_) => {}
                None => self.state.coverage.useless = USELESS,
            }
            let hints = reached.map(|reached| reached.hints).unwrap_or_default();
            self.state.coverage.hints = Some(hints.into());
        }
        Ok(self.state.coverage.hints.clone().unwrap_or_default())
    }

    /// The values that expressions of the best program have when it is run. Where there are none, there are never any: most
    /// likely it is not run.
    pub(super) fn values(&mut self) -> Result<Arc<[Hint]>, Stop> {
        let properties = self.checks.oracle().advice().properties();
        let is_of_use = properties.runs_candidates && !properties.holds_values;
        if self.state.transaction.is_none() && is_of_use && self.state.values.begin() {
            let best = self.best().clone();
            let values = self.checks.values(&best)?;
            if values.is_empty() {
                self.state.values.useless = USELESS;
            }
            self.state.values.hints = Some(values.into());
        }
        Ok(self.state.values.hints.clone().unwrap_or_default())
    }
}
