//! Measures and rechecks a failure that shows in some of the runs only.
//!
//! A verdict by a sequential test is wrong now and then, and a search makes hundreds. So the best program is tested again with more
//! runs, every few answers and at the end, just as the answers of the fork server are confirmed.

use std::sync::Arc;

use super::checks::Checks;
use super::limits::Stop;
use super::repeated::{add, is_hopeless, turn};
use super::request::{About, Key, Query, Reply};
use super::rerun::{LONGEST, count, may_go_on, run_again};
use super::sequential::{Repetition, Rule, SELDOM};
use super::speculation::{speculates, workers};
use crate::event::{Event, Observer};
use crate::oracle::{Oracle, Verdict};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// The least number of runs of the unreduced program, and of the result, where the failure shows in some of the runs only.
const RATE_RUNS: usize = 20;

/// So many failures show how often a program fails.
const ENOUGH: usize = 10;

/// Where a single run does not fail, so many show whether that was an accident: another process may have killed it.
const NEARLY_ALL: usize = 90;

/// Runs `program` on until it is known how often it fails, or most likely does not fail at all.
pub(super) fn run_on(
    checks: &mut Checks,
    program: &Program,
    replies: &mut Vec<Reply>,
    observer: &mut dyn Observer,
) -> Result<(), Stop> {
    let may_vary = checks.oracle().properties().may_vary();
    while !is_known(replies, may_vary) {
        let wanted = RATE_RUNS.max(replies.len() + workers(checks));
        let reply = run_again(checks, program, replies.len(), wanted)?;
        checks.note(&reply, observer);
        replies.push(reply);
    }
    Ok(())
}

fn is_known(replies: &[Reply], may_vary: bool) -> bool {
    let (times, runs) = (count(replies).0, replies.len());
    let is_over = !may_go_on(&replies.iter().map(|reply| reply.wall).collect::<Vec<_>>());
    match times {
        0 => is_over || !may_vary || replies.iter().all(is_hopeless),
        _ if times == runs || is_over => times == runs || runs >= RATE_RUNS,
        _ => times >= ENOUGH && runs >= if times + 1 < runs { RATE_RUNS } else { NEARLY_ALL },
    }
}

/// Whether a program that failed in some of these runs fails too seldom for a search: in less than a fifth, and its runs take long.
pub(super) fn is_too_seldom(replies: &[Reply]) -> bool {
    let rate = count(replies).0 as f64 / replies.len() as f64;
    let quickest = replies.iter().map(|reply| reply.wall).min().unwrap_or_default();
    rate < SELDOM && quickest.div_f64(rate) > LONGEST
}

/// Holds candidates to the rate at which `program` fails in these runs. A single one that does not is taken for an accident.
pub(super) fn hold_rate(checks: &mut Checks, program: &Program, replies: &[Reply], observer: &mut dyn Observer) {
    let ((times, reason), runs) = (count(replies), replies.len());
    let reason = reason.unwrap_or_default();
    let message = format!(
        "the failure is there in {times} of {runs} runs ({reason}): a candidate counts if it fails nearly as often, by a sequential test"
    );
    observer.event(&Event::Note { message });
    let failing = if times + 1 == runs { runs } else { times };
    repeat_runs(checks, program, Rule::Ratio(failing as f64 / runs as f64), replies);
}

/// Makes each check as many runs as `rule` takes, from now on. The unreduced program failed in these runs.
pub(super) fn repeat_runs(checks: &mut Checks, program: &Program, rule: Rule, replies: &[Reply]) {
    let input = (count(replies).0, replies.len());
    let mut others = replies.iter().map(Reply::outcome).filter(|outcome| *outcome != Outcome::Fail).peekable();
    let passes_otherwise = others.peek().is_some() && others.all(|outcome| outcome == Outcome::Pass);
    checks.parts.repetition = Some(Repetition { rule, input, passes_otherwise });
    checks.seen.insert(program.hash(), input);
    // What compiles in the process of another compiler may have its addresses, and with them its luck.
    checks.demand_certainty();
    // The workers are for the runs of one check now.
    if let Some(board) = speculates(checks) {
        board.forget();
    }
    if let Some(failing) = replies.iter().find(|reply| reply.outcome() == Outcome::Fail) {
        // Who asks what the check shows asks for the failure, which the first run may not have shown.
        checks.parts.known.record(Key { about: About::Run(0), ..Key::verdict(program) }, failing);
        let shown = failing.result.iter();
        shown.for_each(|result| checks.parts.journal.record_output(Query::Check, program.hash(), result));
    }
    checks.rechecked.insert(program.hash());
}

/// Runs the unreduced program again, whose first runs all failed. If some of these do not, candidates are held to its rate from now on,
/// and no more to a cause that was seen in a single run.
pub(super) fn turns_out_flaky(checks: &mut Checks, observer: &mut dyn Observer) -> Result<bool, Stop> {
    let held = Arc::clone(checks.oracle());
    let is_same = |oracle: &Arc<dyn Oracle>| oracle.properties().may_vary() && oracle.failure() == held.failure();
    let Some((input, oracle)) = checks.input.clone().filter(|(_, oracle)| is_same(oracle)) else { return Ok(false) };
    checks.judge_by(oracle);
    let runs = (0..RATE_RUNS).map(|run| run_again(checks, &input, run, RATE_RUNS));
    let replies = runs.collect::<Result<Vec<Reply>, Stop>>();
    match &replies {
        Ok(replies) if (1..RATE_RUNS).contains(&count(replies).0) => hold_rate(checks, &input, replies, observer),
        _ => checks.judge_by(held),
    }
    replies.map(|_| checks.parts.repetition.is_some())
}

/// Runs `program` until there are [`RATE_RUNS`] that count. Returns in how many of how many it failed.
pub(super) fn rate(checks: &mut Checks, program: &Program) -> Result<(usize, usize), Stop> {
    Ok(run_more(checks, program, |_, _, runs| RATE_RUNS.saturating_sub(runs))?.0)
}

/// Runs `program` as long as more runs are `wanted` in its turn. Returns in how many of how many it failed, and the last of these runs,
/// which belong to a check that was counted.
fn run_more(
    checks: &mut Checks,
    program: &Program,
    wanted: impl Fn(Rule, usize, usize) -> usize,
) -> Result<((usize, usize), Option<Reply>), Stop> {
    let (rule, mut times, mut runs) = turn(checks, program.hash());
    let mut last = None;
    while wanted(rule, times, runs) > 0 {
        let reply = run_again(checks, program, runs, runs + wanted(rule, times, runs))?;
        times += usize::from(add(checks, program.hash(), &reply));
        (runs, last) = (runs + 1, Some(reply));
    }
    Ok(((times, runs), last))
}

/// Checks whether `program` fails in more runs. If not, forgets the failures that were seen since the last time.
pub(super) fn recheck(checks: &mut Checks, program: &Program, observer: &mut dyn Observer) -> Result<bool, Stop> {
    if checks.rechecked.contains(&program.hash()) {
        return Ok(true);
    }
    let (rule, ..) = turn(checks, program.hash());
    let ((times, runs), last) = run_more(checks, program, |rule, times, runs| match rule.decide(times, runs) {
        Some(_) if runs > 0 => 0,
        _ => rule.least_left(times, runs),
    })?;
    let fails = rule.decide(times, runs) == Some(true);
    let verdict = if fails {
        checks.rechecked.insert(program.hash());
        Verdict::fail("the same failure")
    } else {
        let reason = Rule::describe_rejection(times, runs);
        let message = format!("the best program was run again, and {reason}: the search goes back");
        observer.event(&Event::Note { message });
        checks.parts.known.forget_failing(&checks.rechecked);
        Verdict::unresolved(reason)
    };
    if let Some(last) = last {
        checks.parts.known.record(Key::verdict(program), &Reply { verdict: Some(verdict), ..last });
    }
    Ok(fails)
}

#[cfg(test)]
mod tests;
