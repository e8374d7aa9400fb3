//! The layer of screening: answers for candidates that a batch rejected.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::limits::Stop;
use super::request::{About, Check, Key, Reply, Request, Source};
use crate::exec::job::{JobResult, Trust};
use crate::oracle::Verdict;
use crate::program::ContentHash;

/// The output of a rejected candidate is kept up to so many bytes: other failures are recognised by it.
const KEPT: usize = 16 * 1024;

/// Candidates that do not fail. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Rejected(Arc<Mutex<HashMap<ContentHash, Reply>>>);

impl Rejected {
    pub(super) fn add(&self, text: ContentHash, verdict: Verdict, mut result: JobResult) {
        for output in [&mut result.stdout, &mut result.stderr] {
            output.truncate(KEPT);
            output.shrink_to_fit();
        }
        let reply = Reply {
            verdict: Some(verdict),
            wall: result.wall,
            result: Some(Arc::new(result)),
            trust: Trust::Likely,
            source: Source::Screening,
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(text, reply);
    }

    /// The answer to a question about a rejected candidate.
    pub(super) fn reply(&self, key: Key) -> Option<Reply> {
        let rejected = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rejected.get(&key.text).filter(|_| key.about == About::Verdict).cloned()
    }
}

/// Answers for candidates that were rejected.
pub(super) struct Screened {
    pub(super) below: Box<dyn Check>,
    pub(super) rejected: Rejected,
}

impl Check for Screened {
    fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        match self.rejected.reply(request.key).filter(|reply| reply.trust >= request.trust) {
            Some(reply) => Ok(reply),
            None => self.below.ask(request),
        }
    }
}
