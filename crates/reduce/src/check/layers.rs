//! The layers that decide candidates, all of them or some, and what they share.

use std::sync::Arc;
use std::time::Duration;

use super::cached::Answers;
use super::limits::{FIRST, Slowest};
use super::modes::Modes;
use super::pool::Task;
use super::request::{About, Request};
use super::sequential::Repetition;
use crate::exec::job::{Executor, Trust};
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
    /// The candidates that a batch rejected.
    pub(super) rejected: Answers,
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
        let (layers, known, rejected, slowest, holds_passing, repetition) = Default::default();
        let (modes, journal) = (Modes::new(executor), Journal::nowhere(None));
        let learns = |outcome| outcome == Outcome::Fail;
        Self { layers, oracle, modes, journal, known, rejected, slowest, fixed, holds_passing, learns, repetition }
    }

    /// How long a run may take now.
    pub(super) fn limit(&self) -> Duration {
        self.fixed.unwrap_or_else(|| if self.layers.limits { self.slowest.limit() } else { FIRST })
    }

    /// What a thread does to answer a question.
    pub(super) fn task(&self, request: &Request<'_>) -> Task {
        let job = (request.job)();
        let is_worth = matches!(request.key.about, About::Output(_)) || self.modes.is_worth(&job);
        Task { job, trust: if is_worth { request.trust } else { Trust::Certain }, limit: self.limit() }
    }
}
