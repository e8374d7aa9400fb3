//! Builds the stack of layers, all of them or some.

use std::sync::Arc;
use std::time::Duration;

use super::cached::{Answers, Cached};
use super::dispatch::{Dispatch, Modes};
use super::journalled::Journalled;
use super::judged::JudgedBy;
use super::limited::{FIRST, Limited, Slowest};
use super::limits::Clock;
use super::pool::Pool;
use super::repeated::{ParallelRuns, Repeated, Repetition};
use super::request::{Check, Run};
use super::screened::{Rejected, Screened};
use super::speculation::replica::{Prediction, Replica};
use super::speculation::speculative::Speculative;
use crate::exec::job::Executor;
use crate::oracle::Oracle;
use crate::state::journal::Journal;
use mcve_dd::outcome::Outcome;

/// The layers that decide candidates: all by default. Tests and `xtask/src/ablation.rs` leave one out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// The limit of a run is learned. Else it is an hour, or what the user set.
    pub limits: bool,
    /// Each question is asked once.
    pub cache: bool,
    /// Answers that the journal knows are not asked for.
    pub journal: bool,
    /// Jobs are begun before they are asked for.
    pub speculation: bool,
    /// Jobs are forks of a compiler that has started, and the best program is confirmed.
    pub fork_server: bool,
    /// Several candidates are compiled and run as one program.
    pub screening: bool,
}

impl Default for Layers {
    fn default() -> Self {
        Self { limits: true, cache: true, journal: true, speculation: true, fork_server: true, screening: true }
    }
}

/// The parts that the layers of a search and of its replica share. Clones share them, too.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) layers: Layers,
    pub(super) oracle: Arc<dyn Oracle>,
    pub(super) modes: Modes,
    pub(super) journal: Journal,
    pub(super) known: Answers,
    pub(super) rejected: Rejected,
    pub(super) slowest: Slowest,
    /// The limit of a run that the user set.
    pub(super) fixed: Option<Duration>,
    /// Whether conditions have to hold of programs that pass, too.
    pub(super) holds_passing: bool,
    /// Which outcomes limits are learned from.
    pub(super) learns: fn(Outcome) -> bool,
    /// The repetition of runs; none if the failure shows in each of them.
    pub(super) repetition: Option<Repetition>,
}

impl Parts {
    /// All layers, without a journal, over `executor`; `fixed` is the limit of a run that the user set.
    pub(super) fn new(oracle: Arc<dyn Oracle>, executor: Arc<dyn Executor>, fixed: Option<Duration>) -> Self {
        Self {
            layers: Layers::default(),
            oracle,
            modes: Modes::new(executor),
            journal: Journal::nowhere(None),
            known: Answers::default(),
            rejected: Rejected::default(),
            slowest: Slowest::default(),
            fixed,
            holds_passing: false,
            learns: |outcome| outcome == Outcome::Fail,
            repetition: None,
        }
    }

    pub(super) fn of_search(&self, pool: Arc<Pool>, clock: &Clock) -> Box<dyn Check> {
        let parallel = (self.layers.speculation && pool.board.count > 1)
            .then(|| ParallelRuns { board: Arc::clone(&pool.board), modes: self.modes.clone() });
        let below = Dispatch { modes: self.modes.clone(), pool, clock: clock.clone() };
        let below: Box<dyn Run> = match self.layers.speculation {
            true => Box::new(Speculative { below }),
            false => Box::new(below),
        };
        let judged = JudgedBy { below, oracle: Arc::clone(&self.oracle), holds_passing: self.holds_passing, broken: 0 };
        let mut stack: Box<dyn Check> = Box::new(judged);
        if let Some(repetition) = self.repetition.clone() {
            stack = Box::new(Repeated { below: stack, repetition, parallel });
        }
        self.above(stack, Some(clock.clone()))
    }

    pub(super) fn of_replica(&self, replica: &Replica) -> Box<dyn Check> {
        let known = self.known.clone();
        let prediction = Prediction {
            replica: replica.clone(),
            oracle: Arc::clone(&self.oracle),
            modes: self.modes.clone(),
            known: Box::new(move |key| known.get(key)),
        };
        self.above(Box::new(prediction), None)
    }

    /// The layers above what runs jobs. Without a clock they only read what the search knows.
    fn above(&self, mut stack: Box<dyn Check>, clock: Option<Clock>) -> Box<dyn Check> {
        let is_view = clock.is_none();
        if self.layers.screening {
            stack = Box::new(Screened { below: stack, rejected: self.rejected.clone() });
        }
        if self.layers.journal {
            stack = Box::new(Journalled { below: stack, journal: self.journal.clone(), clock });
        }
        if self.layers.cache {
            stack = Box::new(Cached { below: stack, known: self.known.clone(), is_view });
        }
        let fixed = if self.layers.limits { self.fixed } else { self.fixed.or(Some(FIRST)) };
        let never: fn(Outcome) -> bool = |_| false;
        let learns = if is_view { never } else { self.learns };
        Box::new(Limited { below: stack, fixed, slowest: self.slowest.clone(), learns })
    }
}

#[cfg(test)]
mod tests;
