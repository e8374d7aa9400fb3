//! Runs the check of a program again, whatever is known of it.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::checks::{Checks, Continuation};
use super::limits::Stop;
use super::request::{About, Key, Reply, Source};
use super::speculation::{expect_job, set_continuation, speculates};
use crate::event::Observer;
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// The number of runs of the unreduced program, unless it is set.
pub const RUNS: usize = 3;

/// The number of runs where a run is cheap and may depend on more than the program: a script, a program that is run.
const MORE_RUNS: usize = 5;

/// The number of slow runs that depend on the program alone. Most programs ran once before, to recognise the failure.
const FEWER_RUNS: usize = 2;

/// A run that takes longer is not cheap.
const CHEAP: Duration = Duration::from_secs(1);

/// The most runs until one fails. A failure in 3 of 100 runs does not show by then in one of 9,000 cases.
const MOST_RUNS: usize = 300;

/// How long these runs may take: by the quickest of them, and by the clock, which a busy machine and compilers slow down.
pub(super) const LONGEST: Duration = Duration::from_secs(5);
const LONGEST_BY_CLOCK: Duration = Duration::from_secs(20);

/// Whether another run may follow on runs that took so long. How long the first took says nothing: it compiles.
pub(crate) fn may_go_on(walls: &[Duration]) -> bool {
    let later = walls.get(1..).unwrap_or_default();
    let by_quickest = later.iter().min().copied().unwrap_or_default() * walls.len() as u32;
    walls.len() < MOST_RUNS && by_quickest < LONGEST && later.iter().sum::<Duration>() < LONGEST_BY_CLOCK
}

/// Runs the check of a program several times in fresh processes, at once as far as there are workers. Without `times` the number is
/// [`RUNS`], or [`MORE_RUNS`] where a run is cheap and may depend on more than the program, or [`FEWER_RUNS`] where neither holds.
/// The questions of `next` are begun before the last run ends.
pub(super) fn repeat(
    checks: &mut Checks,
    program: &Program,
    times: Option<NonZeroUsize>,
    mut next: Option<Continuation>,
    observer: &mut dyn Observer,
) -> Result<Vec<Reply>, Stop> {
    let (fixed, may_vary) = (times.map(NonZeroUsize::get), checks.oracle().properties().runs_candidates);
    let mut runs = fixed.unwrap_or(FEWER_RUNS);
    let mut replies: Vec<Reply> = Vec::new();
    while replies.len() < runs {
        let reply = run_again(checks, program, replies.len(), runs)?;
        checks.note(&reply, observer);
        // Not before: how long a check may take depends on the first.
        let is_news = reply.source == Source::Run;
        if let Some(next) = next.take_if(|_| is_news && reply.outcome() == Outcome::Fail) {
            set_continuation(checks, || next);
        }
        if replies.is_empty() {
            runs = fixed.unwrap_or_else(|| runs_of(may_vary, reply.wall));
        }
        replies.push(reply);
    }
    Ok(replies)
}

/// The number of runs, by whether a run may depend on more than the program, and how long the first took.
fn runs_of(may_vary: bool, wall: Duration) -> usize {
    match (may_vary, wall < CHEAP) {
        (true, true) => MORE_RUNS,
        (false, false) => FEWER_RUNS,
        (true, false) | (false, true) => RUNS,
    }
}

/// Runs the check of a program as its run of this number. The runs up to `wanted` are begun meanwhile.
pub(super) fn run_again(checks: &mut Checks, program: &Program, number: usize, wanted: usize) -> Result<Reply, Stop> {
    // Known answers come first.
    if let Some(board) = speculates(checks).filter(|_| !checks.journal().has_baseline()) {
        let key = |run| Key { text: program.hash(), about: About::Run(run) };
        (number..wanted).for_each(|run| expect_job(checks, &board, key(run), program));
    }
    checks.certain_reply(program, About::Run(number))
}

/// In how many of these answers the failure was there, and the reason of the first other one.
pub(super) fn count(replies: &[Reply]) -> (usize, Option<&str>) {
    let times = replies.iter().filter(|reply| reply.outcome() == Outcome::Fail).count();
    let other = replies.iter().find(|reply| reply.outcome() != Outcome::Fail);
    (times, other.and_then(|reply| reply.verdict.as_ref()).map(|verdict| &*verdict.reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_tried_for_some_seconds_by_the_quickest_run() {
        let runs = |millis: fn(usize) -> u64| {
            let walls: Vec<Duration> = (0..301).map(millis).map(Duration::from_millis).collect();
            (1..301).find(|&runs| !may_go_on(&walls[..runs]))
        };
        assert_eq!(runs(|_| 5), Some(300));
        assert_eq!(runs(|run| if run % 9 == 8 { 5 } else { 50 }), Some(300), "it is as quick on a busy machine");
        assert_eq!(runs(|run| if run == 0 { 9000 } else { 500 }), Some(10));
        assert_eq!(runs(|run| if run == 3 { 5 } else { 1000 }), Some(22));
    }

    #[test]
    fn what_takes_long_runs_less_often_and_what_may_vary_more_often() {
        let long = Duration::from_secs(2);
        let runs = [true, false].map(|may_vary| [Duration::ZERO, long].map(|wall| runs_of(may_vary, wall)));
        assert_eq!(runs, [[5, 3], [3, 2]]);
    }
}
