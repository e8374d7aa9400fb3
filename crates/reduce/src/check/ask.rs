//! Asks for candidates, layer by layer: from what is known to what has to be run.

use std::sync::Arc;

use super::checks::Checks;
use super::journalled::{recall, write_down};
use super::judged::judge;
use super::limits::Stop;
use super::queries::output;
use super::repeated::judge_repeatedly;
use super::request::{About, Key, Query, Reply, Request, Source};
use super::speculation::predict;
use crate::event::{Event, Observer};
use crate::exec::job::{JobResult, Trust};
use crate::oracle::Verdict;
use crate::program::Program;
use mcve_dd::outcome::Outcome;

impl Checks {
    /// Checks a candidate. While the fork server is used, the answer is only likely, until it is confirmed.
    pub fn outcome(&mut self, program: &Program, observer: &mut dyn Observer) -> Result<Outcome, Stop> {
        Ok(self.reply(program, observer)?.map_or(Outcome::Unresolved, |reply| reply.outcome()))
    }

    /// As [`outcome`](Self::outcome), with the reason. None if the text is not a whole program: then nothing is run.
    pub(crate) fn reply(&mut self, program: &Program, observer: &mut dyn Observer) -> Result<Option<Reply>, Stop> {
        if !program.is_whole() {
            return Ok(None);
        }
        let reply = self.counted_reply(program, About::Verdict, None, observer)?;
        self.report_find(program, &reply, observer)?;
        self.shares.observe(&reply);
        Ok(Some(reply))
    }

    /// The verdict on a program, or on its run of this number, which is made whatever is known.
    pub fn verdict(
        &mut self,
        program: &Program,
        run: Option<usize>,
        observer: &mut dyn Observer,
    ) -> Result<Verdict, Stop> {
        let about = run.map_or(About::Verdict, About::Run);
        Ok(self.counted_reply(program, about, None, observer)?.verdict.expect("it was asked for"))
    }

    /// The verdict on a program by the result of a job that was run before, as its run of this number.
    pub fn verdict_on(
        &mut self,
        program: &Program,
        run: usize,
        result: &JobResult,
        observer: &mut dyn Observer,
    ) -> Result<Verdict, Stop> {
        Ok(self.counted_reply(program, About::Run(run), Some(result), observer)?.verdict.expect("it was asked for"))
    }

    /// The result of the check of a program.
    pub fn result(&mut self, program: &Program) -> Result<Arc<JobResult>, Stop> {
        let job = self.oracle().job(program);
        Ok(output(self, Query::Check, program, &job)?.result.expect("it was asked for"))
    }

    fn counted_reply(
        &mut self,
        program: &Program,
        about: About,
        given: Option<&JobResult>,
        observer: &mut dyn Observer,
    ) -> Result<Reply, Stop> {
        let oracle = Arc::clone(self.oracle());
        let (key, job) = (Key { text: program.hash(), about }, || oracle.job(program));
        let reply = self.ask(&Request { trust: self.least_trust(), given, ..Request::certain(key, &job) })?;
        self.note(&reply, observer);
        Ok(reply)
    }

    /// The certain answer to a question about the check of `program`, which neither confirms nor refutes a prediction.
    pub(super) fn certain_reply(&mut self, program: &Program, about: About) -> Result<Reply, Stop> {
        let oracle = Arc::clone(self.oracle());
        let (key, job) = (Key { text: program.hash(), about }, || oracle.job(program));
        self.ask(&Request { out_of_band: true, ..Request::certain(key, &job) })
    }

    pub(crate) fn known_verdict(&self, program: &Program) -> Option<Verdict> {
        self.parts.known.get(Key::verdict(program))?.verdict
    }

    /// Answers a question by the first layer that can. A replica of the search only reads what that knows.
    pub(super) fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        let reply = self.ask_cache(request)?;
        if let Some(verdict) = &reply.verdict {
            if !request.out_of_band {
                self.course.observe(verdict.outcome);
            }
            // Answers of the journal have to be seen as well: a run that is resumed learns the same limits.
            if !self.is_replica() && (self.parts.learns)(verdict.outcome) {
                self.parts.slowest.learn(reply.wall);
            }
        }
        if let (About::Output(_), Source::Run, false) = (request.key.about, reply.source, request.out_of_band) {
            self.tally.outputs += 1;
        }
        Ok(reply)
    }

    /// The layer of the cache: each question is asked below once.
    fn ask_cache(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        let known = self.parts.layers.cache.then(|| self.parts.known.clone());
        if let Some(reply) = known.as_ref().and_then(|known| known.get(request.key)).filter(suffices(request)) {
            return Ok(reply);
        }
        let reply = self.ask_journal(request)?;
        if let Some(known) = known.filter(|_| !self.is_replica()) {
            known.record(request.key, &reply);
        }
        Ok(reply)
    }

    /// The layer of the journal: what a run that was cut short knew is not asked again, and what is new is written down.
    fn ask_journal(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        let journal = self.parts.layers.journal.then(|| self.parts.journal.clone());
        if let Some(reply) = journal.as_ref().and_then(|journal| recall(journal, request)) {
            self.clock.pause();
            return Ok(reply);
        }
        let reply = self.ask_batch(request)?;
        if let Some(journal) = journal.filter(|_| !self.is_replica()) {
            write_down(&journal, request, &reply);
        }
        Ok(reply)
    }

    /// The layer of screening: no candidate is run that a batch rejected.
    fn ask_batch(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        if self.parts.layers.screening
            && let Some(reply) = self.parts.rejected.get(request.key).filter(suffices(request))
        {
            return Ok(reply);
        }
        if let Some(replica) = &self.replica {
            return predict(self, replica, request);
        }
        let is_verdict = request.key.about == About::Verdict && request.given.is_none();
        let is_repeated = is_verdict && self.parts.repetition.is_some();
        if is_repeated { judge_repeatedly(self, request) } else { judge(self, request) }
    }

    /// Reports another failure that the check of `program` showed, unless a smaller program showed it before. One that the fork
    /// server showed has to show in a fresh process as well.
    fn report_find(&mut self, program: &Program, reply: &Reply, observer: &mut dyn Observer) -> Result<(), Stop> {
        let oracle = Arc::clone(self.oracle());
        let other = self.finds.as_ref().and_then(|finds| finds.other_failure(&*oracle, program, reply));
        let Some(other) = other else { return Ok(()) };
        if reply.trust == Trust::Likely {
            let again = oracle.other_failure(&*self.result(program)?);
            if again.is_none_or(|again| again.fingerprint != other.fingerprint) {
                return Ok(());
            }
        }
        if let Some(finds) = &mut self.finds {
            observer.event(&Event::Found(Box::new(finds.add(&*oracle, program, other))));
        }
        Ok(())
    }
}

/// Whether an answer is as certain as it has to be. One that is less certain is none.
fn suffices<'a>(request: &'a Request<'_>) -> impl Fn(&Reply) -> bool + use<'a> {
    |reply| reply.trust >= request.trust
}

#[cfg(test)]
mod tests;
