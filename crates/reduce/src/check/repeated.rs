//! If the failure shows in some of the runs only, a check is as many runs as its verdict takes.

use super::checks::Checks;
use super::judged::judge;
use super::limits::Stop;
use super::request::{About, Key, Reply, Request};
use super::sequential::Rule;
use super::speculation::speculates;
use crate::exec::job::{End, Trust};
use crate::oracle::Verdict;
use crate::program::ContentHash;
use mcve_dd::outcome::Outcome;

/// The question for one run, out of band.
fn run_of<'a>(request: &Request<'a>, run: usize) -> Request<'a> {
    let key = Key { about: About::Run(run), ..request.key };
    Request { key, trust: Trust::Certain, out_of_band: true, ..*request }
}

/// The rule for the next turn of a program, and in how many of how many runs it failed that count in it.
pub(super) fn turn(checks: &Checks, program: ContentHash) -> (Rule, usize, usize) {
    let rule = checks.parts.repetition.expect("the failure shows in some of the runs only").rule;
    match (rule, checks.seen.get(&program)) {
        (Rule::Ratio(rate), Some(&(times, runs))) => (Rule::Again(rate), times, runs),
        _ => (rule, 0, 0),
    }
}

/// Adds a run of a program to those that count, and returns whether it fails.
pub(super) fn add(checks: &mut Checks, program: ContentHash, reply: &Reply) -> bool {
    let fails = reply.outcome() == Outcome::Fail;
    let (times, runs) = checks.seen.entry(program).or_default();
    (*times, *runs) = (*times + usize::from(fails), *runs + 1);
    fails
}

/// Whether no other run can fail: this one was not compiled or did not end, and that is not the failure.
pub(super) fn is_hopeless(reply: &Reply) -> bool {
    let Some(result) = &reply.result else { return false };
    reply.outcome() != Outcome::Fail && (result.failed_step.is_some() || result.end == End::TimedOut)
}

/// Asks for a verdict as often as it takes. All these runs are one check.
pub(super) fn judge_repeatedly(checks: &mut Checks, request: &Request<'_>) -> Result<Reply, Stop> {
    let passes_otherwise = checks.parts.repetition.is_some_and(|repetition| repetition.passes_otherwise);
    let board = speculates(checks);
    let (mut failing, mut other): (Option<Reply>, Option<Reply>) = (None, None);
    let (rule, mut times, before) = turn(checks, request.key.text);
    for run in before.. {
        // Whether it is compiled at all is seen by the first.
        let needed = if run == 0 { 1 } else { rule.least_left(times, run) };
        if let Some(board) = &board {
            let begun = (run..run + needed).take(board.count).map(|run| run_of(request, run));
            begun.for_each(|request| board.expect(request.key, || checks.parts.task(&request)));
        }
        let reply = judge(checks, &run_of(request, run))?;
        let is_hopeless = times == 0 && is_hopeless(&reply);
        if add(checks, request.key.text, &reply) {
            times += 1;
            // Limits are learned from the slowest.
            failing = failing.filter(|slowest| slowest.wall >= reply.wall).or(Some(reply));
        } else if other.as_ref().is_none_or(|other| other.outcome() == Outcome::Pass) {
            // A program passes if nothing else was said of it.
            other = Some(reply);
        }
        let decided = if is_hopeless { Some(false) } else { rule.decide(times, run + 1) };
        let Some(fails) = decided else { continue };
        if let Some(board) = &board {
            // Those that were begun are not needed.
            (run + 1..=run + board.count).for_each(|run| board.cancel(run_of(request, run).key));
        }
        let is_other = |other: &Reply| passes_otherwise && other.outcome() != Outcome::Pass;
        let reason = match (fails, &other) {
            (true, Some(other)) if is_other(other) => Some("its other runs do not pass".to_owned()),
            (false, _) if times > 0 => Some(Rule::describe_rejection(times, run + 1)),
            _ => None,
        };
        let mut reply = if fails { failing.or(other) } else { other.or(failing) }.expect("there was a run");
        if let Some(reason) = reason {
            reply.verdict = Some(Verdict::unresolved(reason));
        }
        return Ok(reply);
    }
    unreachable!("a rule decides after a number of runs")
}
