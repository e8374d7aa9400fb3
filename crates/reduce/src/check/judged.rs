//! The layer of the oracle: makes a verdict of the result of a job, and of the jobs of its conditions.

use std::sync::Arc;

use super::limits::Stop;
use super::request::{About, Check, Key, Ran, Reply, Request, Run, Source};
use crate::exec::job::{End, Job, Trust};
use crate::oracle::{Oracle, Verdict, WORKS};
use mcve_dd::outcome::Outcome;

/// Runs jobs and judges their results.
pub(super) struct JudgedBy {
    pub(super) below: Box<dyn Run>,
    pub(super) oracle: Arc<dyn Oracle>,
    /// Whether the conditions have to hold of programs that pass, too.
    pub(super) holds_passing: bool,
    /// The number of the condition that did not hold last.
    pub(super) broken: usize,
}

impl JudgedBy {
    /// Runs the jobs of the conditions until one does not hold: then the verdict is unresolved.
    fn judge_conditions(&mut self, request: &Request<'_>, ran: &mut Ran, verdict: Verdict) -> Result<Verdict, Stop> {
        let Some(program) = ran.result.subject.clone() else { return Ok(verdict) };
        let oracle = Arc::clone(&self.oracle);
        let conditions = oracle.conditions();
        let unresolved = |reason| Verdict { outcome: Outcome::Unresolved, reason };
        let jobs = conditions.iter().map(|condition| condition.job(&program, &ran.result));
        let mut jobs: Vec<(usize, Job)> = match jobs.collect::<Result<Vec<Job>, String>>() {
            Ok(jobs) => jobs.into_iter().enumerate().collect(),
            Err(why) => return Ok(unresolved(why)),
        };
        // The one that did not hold last is the most likely not to hold now.
        jobs.sort_by_key(|(number, _)| *number != self.broken);
        for (number, job) in jobs {
            let condition = &conditions[number];
            let job = || job.clone();
            let key = Key { about: About::Condition(number), ..request.key };
            let other = self.below.run(&Request { key, job: &job, given: None, out_of_band: true, ..*request })?;
            ran.result.wall += other.result.wall;
            ran.trust = ran.trust.min(other.trust);
            if let Some(why) = condition.broken(&other.result, &ran.result) {
                self.broken = number;
                if other.result.end == End::TimedOut {
                    ran.result.end = End::TimedOut;
                }
                let words = condition.words();
                let is_known = words.is_empty() || why == WORKS;
                return Ok(unresolved(if is_known { why } else { format!("{why} (asked for: {words})") }));
            }
        }
        Ok(verdict)
    }
}

impl Check for JudgedBy {
    fn ask(&mut self, request: &Request<'_>) -> Result<Reply, Stop> {
        let mut ran = match request.given {
            Some(result) => Ran { result: result.clone(), trust: Trust::Certain },
            None => {
                let mut ran = self.below.run(request)?;
                // A replica of the search may have begun the job for the same text that it had come to in another way.
                if ran.result.subject.is_some() {
                    ran.result.subject = (request.job)().subject;
                }
                ran
            }
        };
        let has_verdict = !matches!(request.key.about, About::Output(_));
        let mut verdict = has_verdict.then(|| self.oracle.verdict(&ran.result));
        if let Some(judged) = verdict.take_if(|verdict| match verdict.outcome {
            Outcome::Fail => true,
            Outcome::Pass => self.holds_passing,
            Outcome::Unresolved => false,
        }) {
            verdict = Some(self.judge_conditions(request, &mut ran, judged)?);
        }
        let Ran { result, trust } = ran;
        let fails = verdict.as_ref().is_some_and(|verdict| verdict.outcome == Outcome::Fail);
        self.below.settle(request.key, fails);
        let wall = result.wall;
        Ok(Reply { verdict, result: Some(Arc::new(result)), trust, wall, source: Source::Run })
    }
}
