//! Makes a verdict of the result of a job, and of the jobs of the conditions of the oracle.

use std::sync::Arc;

use super::checks::Checks;
use super::dispatch::run;
use super::limits::Stop;
use super::request::{About, Key, Ran, Reply, Request, Source};
use crate::exec::job::{End, Job, Trust};
use crate::oracle::{Verdict, WORKS};
use mcve_dd::outcome::Outcome;

/// Runs the job of a question, and judges its result.
pub(super) fn judge(checks: &mut Checks, request: &Request<'_>) -> Result<Reply, Stop> {
    let mut ran = match request.given {
        Some(result) => Ran { result: result.clone(), trust: Trust::Certain },
        None => {
            let mut ran = run(checks, request)?;
            // A replica of the search may have begun the job for the same text that it had come to in another way.
            if ran.result.subject.is_some() {
                ran.result.subject = (request.job)().subject;
            }
            ran
        }
    };
    let has_verdict = !matches!(request.key.about, About::Output(_));
    let mut verdict = has_verdict.then(|| checks.oracle().verdict(&ran.result));
    if let Some(judged) = verdict.take_if(|verdict| match verdict.outcome {
        Outcome::Fail => true,
        Outcome::Pass => checks.parts.holds_passing,
        Outcome::Unresolved => false,
    }) {
        verdict = Some(judge_conditions(checks, request, &mut ran, judged)?);
    }
    let Ran { result, trust } = ran;
    let fails = verdict.as_ref().is_some_and(|verdict| verdict.outcome == Outcome::Fail);
    checks.pool().board.settle(request.key, fails);
    Ok(Reply::of(result, verdict, trust, Source::Run))
}

/// Runs the jobs of the conditions until one does not hold: then the verdict is unresolved.
fn judge_conditions(
    checks: &mut Checks,
    request: &Request<'_>,
    ran: &mut Ran,
    verdict: Verdict,
) -> Result<Verdict, Stop> {
    let Some(program) = ran.result.subject.clone() else { return Ok(verdict) };
    let oracle = Arc::clone(checks.oracle());
    let conditions = oracle.conditions();
    let unresolved = |reason| Verdict { outcome: Outcome::Unresolved, reason };
    let jobs = conditions.iter().map(|condition| condition.job(&program, &ran.result));
    let mut jobs: Vec<(usize, Job)> = match jobs.collect::<Result<Vec<Job>, String>>() {
        Ok(jobs) => jobs.into_iter().enumerate().collect(),
        Err(why) => return Ok(unresolved(why)),
    };
    // The one that did not hold last is the most likely not to hold now.
    jobs.sort_by_key(|(number, _)| *number != checks.broken);
    for (number, job) in jobs {
        let condition = &conditions[number];
        let job = || job.clone();
        let key = Key { about: About::Condition(number), ..request.key };
        let other = run(checks, &Request { key, job: &job, given: None, out_of_band: true, ..*request })?;
        ran.result.wall += other.result.wall;
        ran.trust = ran.trust.min(other.trust);
        if let Some(why) = condition.broken(&other.result, &ran.result) {
            checks.broken = number;
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
