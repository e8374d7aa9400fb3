//! The layer of the cache: each question is asked below once.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::limits::Stop;
use super::request::{About, Check, Key, Query, Reply, Request, Source};
use crate::exec::job::Trust;
use crate::program::ContentHash;
use mcve_dd::outcome::Outcome;

/// The answers so far. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct Answers(Arc<Mutex<HashMap<Key, Reply>>>);

impl Answers {
    pub(super) fn get(&self, key: Key) -> Option<Reply> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned()
    }

    pub(super) fn record(&self, key: Key, reply: &Reply) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut insert = |about, reply| _ = known.insert(Key { about, ..key }, reply);
        let without_result = || Reply { result: None, source: Source::Cache, ..reply.clone() };
        match key.about {
            About::Verdict => insert(About::Verdict, without_result()),
            About::Output(query) => insert(About::Output(query), Reply { source: Source::Cache, ..reply.clone() }),
            About::Run(run) => {
                insert(About::Verdict, without_result());
                // What the first run prints need not be asked for again.
                if run == 0 && reply.result.is_some() {
                    let output = Reply { verdict: None, source: Source::Cache, ..reply.clone() };
                    insert(About::Output(Query::Check), output);
                }
            }
            About::Condition(_) => {}
        }
    }
}

pub(super) struct Cached {
    pub(super) below: Box<dyn Check>,
    pub(super) known: Answers,
    /// Whether it only reads.
    pub(super) is_view: bool,
}

impl Check for Cached {
    fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        // An answer that is less certain than it has to be is none.
        let suffices = |reply: &Reply| reply.trust >= request.trust;
        if let Some(reply) = self.known.get(request.key).filter(suffices) {
            return Ok(reply);
        }
        let reply = self.below.ask(request)?;
        if !self.is_view {
            self.known.record(request.key, &reply);
        }
        Ok(reply)
    }
}

impl Answers {
    /// Forgets which texts fail, but for these.
    pub(super) fn forget_failing(&self, but: &HashSet<ContentHash>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fails = |reply: &Reply| reply.verdict.as_ref().is_some_and(|verdict| verdict.outcome == Outcome::Fail);
        known.retain(|key, reply| !fails(reply) || but.contains(&key.text));
    }

    /// Whether it is known of a text that it fails, or that it does not, for certain.
    pub(super) fn is_certain(&self, key: Key) -> bool {
        self.get(key).is_some_and(|reply| reply.trust == Trust::Certain)
    }
}
