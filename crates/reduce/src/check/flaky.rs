//! Measures and rechecks a failure that shows in some of the runs only.
//!
//! A verdict by a sequential test is wrong now and then, and a search makes hundreds. So the best program is tested again with other
//! runs, every few answers and at the end, just as the answers of the fork server are confirmed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::checks::Checks;
use super::limits::Stop;
use super::refusal::Refusal;
use super::request::{Key, Reply};
use super::rerun::{count, run_again};
use super::sequential::{Repetition, Rule, SELDOM};
use super::speculation::speculates;
use crate::event::{Event, Observer};
use crate::oracle::Verdict;
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// The number of runs of the unreduced program, and of the result, where the failure shows in some of the runs only.
pub(super) const RATE_RUNS: usize = 20;

/// Measures the rate at which `program` fails, beginning with these runs, and holds candidates to it. Stops if it is less than
/// a fifth, unless that was `accepted`.
pub(super) fn measure(
    checks: &mut Checks,
    program: &Program,
    mut replies: Vec<Reply>,
    accepted: bool,
    observer: &mut dyn Observer,
) -> Result<(), Refusal> {
    while replies.len() < RATE_RUNS {
        let reply = run_again(checks, program, replies.len(), RATE_RUNS)?;
        checks.note(&reply, observer);
        replies.push(reply);
    }
    let (times, reason) = count(&replies);
    let (runs, reason) = (replies.len(), reason.unwrap_or_default().to_owned());
    let rate = times as f64 / runs as f64;
    if rate < SELDOM && !accepted {
        return Err(Refusal::Flaky { times, runs, reason });
    }
    let message = format!(
        "the failure is there in {times} of {runs} runs ({reason}): a candidate counts if it fails nearly as often, by a sequential test"
    );
    observer.event(&Event::Note { message });
    repeat_runs(checks, program, Rule::Ratio(rate), &replies);
    Ok(())
}

/// Makes each check as many runs as `rule` takes, from now on. The unreduced program failed in these runs.
pub(super) fn repeat_runs(checks: &mut Checks, program: &Program, rule: Rule, replies: &[Reply]) {
    let (input, runs) = ((count(replies).0, replies.len()), Arc::new(AtomicUsize::new(replies.len())));
    let mut others = replies.iter().map(Reply::outcome).filter(|outcome| *outcome != Outcome::Fail).peekable();
    let passes_otherwise = others.peek().is_some() && others.all(|outcome| outcome == Outcome::Pass);
    checks.parts.repetition = Some(Repetition { rule, input, passes_otherwise, runs });
    // What compiles in the process of another compiler may have its addresses, and with them its luck.
    checks.demand_certainty();
    // The workers are for the runs of one check now.
    if let Some(board) = speculates(checks) {
        board.forget();
    }
    let failing = replies.iter().find(|reply| reply.outcome() == Outcome::Fail);
    failing.iter().for_each(|reply| checks.parts.known.record(Key::verdict(program), reply));
    checks.rechecked.insert(program.hash());
}

/// Checks whether `program`, which was seen to fail, fails in other runs. If not, forgets the failures that were seen since the last
/// time.
pub(super) fn recheck(
    checks: &mut Checks,
    rule: Rule,
    program: &Program,
    observer: &mut dyn Observer,
) -> Result<bool, Stop> {
    if checks.rechecked.contains(&program.hash()) {
        return Ok(true);
    }
    let mut replies = Vec::new();
    let fails = loop {
        let (times, runs) = (count(&replies).0, replies.len());
        if let Some(fails) = rule.decide(times, runs).filter(|_| runs > 0) {
            break fails;
        }
        // It is a run of a check that was counted.
        replies.push(run_again(checks, program, runs, runs + rule.least_left(times, runs))?);
        checks.parts.repetition.iter().for_each(|repetition| _ = repetition.runs.fetch_add(1, Ordering::Relaxed));
    };
    let (times, runs) = (count(&replies).0, replies.len());
    let last = replies.pop().expect("there was a run");
    if fails {
        checks.rechecked.insert(program.hash());
        let verdict = Some(Verdict::new(Outcome::Fail, "the same failure"));
        checks.parts.known.record(Key::verdict(program), &Reply { verdict, ..last });
        return Ok(true);
    }
    let reason = Rule::describe_rejection(times, runs);
    let message = format!("the best program was run again, and {reason}: the search goes back");
    observer.event(&Event::Note { message });
    checks.parts.known.forget_failing(&checks.rechecked);
    let verdict = Some(Verdict::new(Outcome::Unresolved, reason));
    checks.parts.known.record(Key::verdict(program), &Reply { verdict, ..last });
    Ok(false)
}

#[cfg(test)]
mod tests;
