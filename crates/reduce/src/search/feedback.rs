//! Cached feedback on the best program: the lints of a compiler, and what a run reaches and computes.

use std::sync::Arc;

use mcve_transforms::{Hint, Rule};

use super::best::Best;
use crate::check::checks::Checks;
use crate::check::limits::Stop;
use crate::check::queries;
use crate::event::{Event, Observer};
use crate::oracle::places::Places;

/// A source that was of no help so many times in a row is not asked again.
const USELESS: usize = 2;

#[derive(Clone, Default)]
pub(super) struct Feedback {
    lints: Answers,
    /// The values that a run showed.
    values: Answers,
    /// The parts that a run does not reach.
    coverage: Answers,
    /// Whether a run has shown which blocks it reaches.
    pub(super) knows_what_runs: bool,
    /// Whether the places that the failure names were asked for.
    has_places: bool,
}

#[derive(Clone, Default)]
struct Answers {
    /// The last answer, if it is about the best program.
    hints: Option<Arc<[Hint]>>,
    /// How often it was asked since an answer helped.
    useless: usize,
}

impl Answers {
    /// Whether to ask now, which it counts.
    fn begin(&mut self) -> bool {
        let asks = self.hints.is_none() && self.useless < USELESS;
        self.useless += usize::from(asks);
        asks
    }

    /// Keeps an answer. A source that will never have one is not asked again.
    fn keep(&mut self, hints: Vec<Hint>, is_hopeless: bool) {
        if is_hopeless {
            self.useless = USELESS;
        }
        self.hints = Some(hints.into());
    }

    fn hints(&self) -> Arc<[Hint]> {
        self.hints.clone().unwrap_or_default()
    }
}

impl Feedback {
    /// Forgets all answers, as there is another best program.
    pub(super) fn forget(&mut self) {
        for answers in [&mut self.lints, &mut self.values, &mut self.coverage] {
            answers.hints = None;
        }
    }

    pub(super) fn mark_lints_helpful(&mut self) {
        self.lints.useless = 0;
    }

    /// Records that a reduction by `rule` helped.
    pub(super) fn mark_helpful(&mut self, rule: &Rule) {
        match rule {
            Rule::Observed(_) => self.values.useless = 0,
            Rule::Covered(_) => self.coverage.useless = 0,
            _ => {}
        }
    }

    /// The lints of the best program. They are not asked for after they were of no help: most likely the failure comes before them.
    pub(super) fn lints(&mut self, asks: Option<&mut Checks>, best: &Best) -> Result<Arc<[Hint]>, Stop> {
        if let Some(checks) = asks
            && self.lints.begin()
        {
            self.lints.keep(queries::hints(checks, &best.program)?, false);
        }
        Ok(self.lints.hints())
    }

    /// The parts of the best program that a run does not reach. A check that runs no program never shows any.
    pub(super) fn not_reached(
        &mut self,
        asks: Option<&mut Checks>,
        best: &Best,
        observer: &mut dyn Observer,
    ) -> Result<Arc<[Hint]>, Stop> {
        let asks = asks.filter(|checks| checks.oracle().properties().runs_candidates);
        if let Some(checks) = asks
            && self.coverage.begin()
        {
            let reached = queries::reached(checks, &best.program)?;
            let knew = std::mem::replace(&mut self.knows_what_runs, reached.is_some());
            if let Some(reached) = reached.as_ref().filter(|_| !knew) {
                // The marks of a document are no tokens of its files.
                let tokens = best.program.size().tokens;
                observer.event(&Event::Covered { reached: reached.tokens.min(tokens), tokens });
            }
            let is_hopeless = reached.is_none();
            self.coverage.keep(reached.map(|reached| reached.hints).unwrap_or_default(), is_hopeless);
        }
        Ok(self.coverage.hints())
    }

    /// The values of expressions of the best program in a run. Where there are none, most likely no run ever shows any.
    pub(super) fn values(&mut self, asks: Option<&mut Checks>, best: &Best) -> Result<Arc<[Hint]>, Stop> {
        let asks = asks.filter(|checks| {
            checks.oracle().properties().runs_candidates && !checks.oracle().properties().holds_values
        });
        if let Some(checks) = asks
            && self.values.begin()
        {
            let values = queries::values(checks, &best.program)?;
            let is_hopeless = values.is_empty();
            self.values.keep(values, is_hopeless);
        }
        Ok(self.values.hints())
    }

    /// The places that the failure names in the best program. They are asked for once: after that the program is what they name.
    pub(super) fn places(&mut self, checks: &mut Checks, best: &Best) -> Result<Option<Places>, Stop> {
        let is_first = !std::mem::replace(&mut self.has_places, true);
        is_first.then(|| queries::places(checks, &best.program)).transpose()
    }
}
