//! Which candidates have errors: a compiler looks at several of them at once, so that those that it refuses need no run of their
//! own.
//!
//! Where a program has to compile before it can fail, most candidates are refused, and a compiler spends most of its time on
//! what they share: the standard library. The fewer candidates fail of late, the more of the next ones are looked at together.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use mcve_transforms::Batch;

use super::checks::Checks;
use super::limits::{POLL, Stop};
use super::pool::{Mode, Pool, Task};
use super::queries::user_errors;
use super::request::{About, Check, Key, Reply, Request, Source};
use crate::dd::outcome::Outcome;
use crate::exec::job::{End, JobResult, Trust};
use crate::oracle::Verdict;
use crate::program::{ContentHash, Program};

/// How many of the candidates fail, before anything is known, and how much each one counts for that.
const FAILING: f64 = 0.25;
const WEIGHT: f64 = 0.125;

/// At most so many candidates are in one batch, of at most so many bytes.
const CANDIDATES: usize = 24;
const BYTES: usize = 256 * 1024;

/// Fewer candidates are not worth a batch.
const LEAST: usize = 3;

/// A batch pays where a compiler refuses one of so many of its candidates. Else the next candidates, as many, are in none.
const SHARE: usize = 4;

/// Errors that may be due to what else is in the batch: two of a name, two that implement the same, types that are then ambiguous.
const OF_BATCH: [&str; 7] = ["E0119", "E0252", "E0255", "E0283", "E0284", "E0428", "E0659"];

/// Why candidates are refused. Clones are the same.
#[derive(Clone, Default)]
pub(super) struct Refused(Arc<Mutex<HashMap<ContentHash, (String, Duration)>>>);

impl Refused {
    fn add(&self, text: ContentHash, code: String, wall: Duration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(text, (code, wall));
    }

    fn reply(&self, key: Key) -> Option<Reply> {
        let refused = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (code, wall) = refused.get(&key.text).filter(|_| key.about == About::Verdict)?;
        let verdict = Verdict::new(Outcome::Unresolved, format!("new error {code}"));
        let result = JobResult { failed_step: Some(0), wall: *wall, ..JobResult::ended(End::Exited(1)) };
        Some(Reply {
            verdict: Some(verdict),
            result: Some(Arc::new(result)),
            trust: Trust::Likely,
            wall: *wall,
            source: Source::Run,
        })
    }
}

/// The layer that knows which candidates are refused.
pub(super) struct Screened {
    /// Answers the rest.
    pub(super) below: Box<dyn Check>,
    /// Those that are refused.
    pub(super) refused: Refused,
}

impl Check for Screened {
    fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        match self.refused.reply(request.key).filter(|reply| reply.trust >= request.trust) {
            Some(reply) => Ok(reply),
            None => self.below.ask(request),
        }
    }
}

/// Whether candidates are screened now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Screening {
    /// The share of candidates that fail, of late.
    failing: f64,
    /// For how many more there is no batch.
    pause: usize,
    /// Whether this program cannot be put in batches.
    is_off: bool,
}

impl Default for Screening {
    fn default() -> Self {
        Self { failing: FAILING, pause: 0, is_off: false }
    }
}

impl Screening {
    /// Takes notice of an outcome.
    pub(super) fn observe(&mut self, outcome: Outcome) {
        let fails = if outcome == Outcome::Fail { 1.0 } else { 0.0 };
        self.failing += (fails - self.failing) * WEIGHT;
        self.pause = self.pause.saturating_sub(1);
    }

    /// How many candidates of so many bytes are in the next batch: about as many as come before one fails, as then all that is known
    /// of the others is of no use. 0 where there is none.
    fn size(self, bytes: usize) -> usize {
        let most = CANDIDATES.min(BYTES / bytes.max(1));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is at least 1 and is cut off")]
        let size = most.min((1.0 / self.failing.max(0.01)) as usize);
        if self.is_off || self.pause > 0 || size < LEAST { 0 } else { size }
    }
}

impl Checks {
    /// How many of the candidates that come next are to be screened, where `best` is the best program; 0 where none is.
    #[must_use]
    pub fn screens(&self, best: &Program) -> usize {
        let can_be = self.least_trust() == Trust::Likely && self.parts.layers.screening && is_one_file(best);
        let Some(pool) = self.pool.as_ref().filter(|_| can_be) else { return 0 };
        self.screening.size(best.text.len()) * pool.board.count
    }

    /// Has a compiler look at `candidates`, variants of `best`, in as many batches as there are workers. Nothing where the oracle
    /// has nothing to do with errors.
    ///
    /// # Errors
    /// When the search has to stop.
    pub fn screen(&mut self, best: &Program, candidates: &[Program]) -> Result<(), Stop> {
        let Some(pool) = self.pool.clone() else { return Ok(()) };
        let is_new = |candidate: &&Program| {
            let key = Key { text: candidate.hash(), about: About::Verdict };
            let is_known = self.parts.known.get(key).is_some() || self.parts.refused.reply(key).is_some();
            !is_known && self.parts.journal.verdict(key.text, Trust::Likely).is_none()
        };
        let new: Vec<&Program> = candidates.iter().filter(is_new).collect();
        let size = new.len().div_ceil(pool.board.count).max(LEAST);
        let batches = new.chunks(size).filter(|candidates| candidates.len() >= LEAST);
        let begun: Vec<_> = batches.filter_map(|candidates| self.begin(&pool, best, candidates)).collect();
        self.screening.is_off |= begun.is_empty() && new.len() >= LEAST;
        let mut refused = 0;
        let mut all = begun.iter();
        for batch in all.by_ref() {
            self.clock.resume();
            match self.wait(&pool, batch.ticket) {
                Ok(result) => refused += self.note_refused(batch, &result),
                Err(stop) => {
                    all.for_each(|batch| pool.cancel(batch.ticket));
                    return Err(stop);
                }
            }
        }
        let count: usize = begun.iter().map(|batch| batch.candidates.len()).sum();
        if count > 0 && refused * SHARE < count {
            self.screening.pause = 2 * count;
        }
        Ok(())
    }

    /// Begins to look at candidates.
    fn begin(&self, pool: &Pool, best: &Program, candidates: &[&Program]) -> Option<Begun> {
        let (original, lists) = best.text.split_at(best.lists());
        // Those with other lists have nothing that is common to all.
        let variants = candidates.iter().map(|candidate| candidate.text.strip_suffix(lists));
        let batch = Batch::of(original, variants);
        let program = best.with_text(format!("{}{lists}", batch.text));
        let job = self.parts.oracle.errors(&program)?;
        let (limit, mode) = (self.parts.slowest.limit(self.parts.fixed), Mode::ForkServer);
        let ticket = pool.submit(Task { job, mode, limit });
        Some(Begun {
            candidates: candidates.iter().map(|candidate| candidate.hash()).collect(),
            batch,
            program,
            ticket,
        })
    }

    fn wait(&self, pool: &Pool, ticket: u64) -> Result<JobResult, Stop> {
        loop {
            self.proceed().inspect_err(|_| pool.cancel(ticket))?;
            if let Some(result) = pool.wait(ticket, POLL) {
                return result.map_err(Stop::Exec);
            }
        }
    }

    /// Notes which candidates are refused, and returns how many.
    fn note_refused(&mut self, begun: &Begun, result: &JobResult) -> usize {
        let errors = user_errors(result, &begun.program);
        let is_sound = matches!(result.end, End::Exited(0 | 1));
        if !is_sound || errors.iter().any(|(place, _)| begun.batch.is_original(place)) {
            self.screening.is_off = true;
            return 0;
        }
        let own = errors.iter().filter(|(_, code)| !OF_BATCH.contains(&&**code));
        let refused: BTreeMap<usize, &String> =
            own.rev().filter_map(|(place, code)| Some((begun.batch.variant(place)?, code))).collect();
        let share = result.wall / u32::try_from(begun.candidates.len()).unwrap_or(u32::MAX);
        for (&index, &code) in &refused {
            self.parts.refused.add(begun.candidates[index], code.clone(), share);
        }
        refused.len()
    }
}

/// Whether all Rust of a program is in one file.
fn is_one_file(program: &Program) -> bool {
    match (&program.layout, program.document()) {
        (None, _) => true,
        (Some(_), document) => document.is_some_and(|document| document.files.len() == 1),
    }
}

/// A batch under way.
struct Begun {
    candidates: Vec<ContentHash>,
    batch: Batch,
    program: Program,
    ticket: u64,
}

#[cfg(test)]
mod tests;
