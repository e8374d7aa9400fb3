//! The layer of limits: how long a run may take.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::limits::Stop;
use super::request::{Check, Reply, Request};
use mcve_dd::outcome::Outcome;

/// The shortest limit that is learned.
const SHORTEST: Duration = Duration::from_secs(10);

/// A run may take so many times as long as the slowest so far.
const TIMES: u32 = 10;

/// The limit as long as nothing is known.
pub(super) const FIRST: Duration = Duration::from_secs(3600);

/// How long the slowest run took of those that are learned from. Clones are the same.
///
/// It is a maximum over the answers in the order in which they were asked for, so it never falls, and a resumed run learns the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Slowest(Arc<Mutex<Option<Duration>>>);

impl Slowest {
    /// How long a run may take, where the user may have set a limit.
    pub(super) fn limit(&self, fixed: Option<Duration>) -> Duration {
        let slowest = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        fixed.unwrap_or_else(|| slowest.map_or(FIRST, |slowest| (slowest * TIMES).max(SHORTEST)))
    }

    fn learn(&self, wall: Duration) {
        let mut slowest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *slowest = (*slowest).max(Some(wall));
    }
}

/// Sets the limit of each run.
pub(super) struct Limited {
    pub(super) below: Box<dyn Check>,
    /// The limit that the user set.
    pub(super) fixed: Option<Duration>,
    /// The times learned from checks.
    pub(super) slowest: Slowest,
    /// Which outcomes are learned from.
    pub(super) learns: fn(Outcome) -> bool,
}

impl Check for Limited {
    fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        let limit = self.slowest.limit(self.fixed);
        let reply = self.below.ask(&Request { limit, ..*request })?;
        if reply.verdict.as_ref().is_some_and(|verdict| (self.learns)(verdict.outcome)) {
            self.slowest.learn(reply.wall);
        }
        Ok(reply)
    }
}
