//! The answers so far: each question is asked once.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use super::request::{About, Key, Query, Reply, Source};
use crate::locked::lock;
use crate::program::ContentHash;
use mcve_dd::outcome::Outcome;

/// Answers by their questions. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct Answers(Arc<Mutex<HashMap<Key, Reply>>>);

impl Answers {
    pub(super) fn get(&self, key: Key) -> Option<Reply> {
        lock(&self.0).get(&key).cloned()
    }

    pub(super) fn insert(&self, key: Key, reply: Reply) {
        lock(&self.0).insert(key, reply);
    }

    /// Records an answer, and those to other questions that follow from it.
    pub(super) fn record(&self, key: Key, reply: &Reply) {
        let insert = |about, reply| self.insert(Key { about, ..key }, Reply { source: Source::Cache, ..reply });
        let without_result = || Reply { result: None, ..reply.clone() };
        match key.about {
            About::Verdict => insert(About::Verdict, without_result()),
            About::Output(query) => insert(About::Output(query), reply.clone()),
            About::Run(run) => {
                insert(About::Verdict, without_result());
                // What the first run prints need not be asked for again.
                if run == 0 && reply.result.is_some() {
                    insert(About::Output(Query::Check), Reply { verdict: None, ..reply.clone() });
                }
            }
            About::Condition(_) => {}
        }
    }

    /// Forgets which texts fail, but for these.
    pub(super) fn forget_failing(&self, but: &HashSet<ContentHash>) {
        let fails = |reply: &Reply| reply.verdict.as_ref().is_some_and(|verdict| verdict.outcome == Outcome::Fail);
        lock(&self.0).retain(|key, reply| !fails(reply) || but.contains(&key.text));
    }
}
