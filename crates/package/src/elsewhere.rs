//! Whether a result shows the failure elsewhere: in an empty folder, with a fresh environment.

use std::time::Duration;

use anyhow::anyhow;

use super::stages::Stages;
use mcve_dd::Outcome;
use mcve_reduce::event::Summary;
use mcve_reduce::exec::cancel::Cancel;
use mcve_reduce::exec::job::Job;
use mcve_reduce::oracle::{Oracle, by_hand};

/// The variables of a fresh environment: those needed to find a compiler.
const FRESH: [&str; 7] = ["CARGO_HOME", "HOME", "LANG", "PATH", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "TMPDIR"];

/// The time limit for the command of a result.
const LONGEST: Duration = Duration::from_secs(120);

/// The runs of a result that does not fail each time, as a multiple of those in which the input failed once.
const TIMES: usize = 5;

/// Runs the command of a result, and reports whether it shows the failure.
pub(super) fn report(stages: &Stages<'_>, last: &Summary) {
    let observer = &stages.observer;
    // The failure is found anew, in the names that the result has.
    let last = &Summary { program: last.program.clone().traced(), ..last.clone() };
    match shown(stages, last) {
        Ok(None) => observer.note("checked: the file shows it in an empty folder with a fresh environment".to_owned()),
        _ if stages.session.limits.proceed().is_err() => {
            observer.warn("not checked in an empty folder: the budget is spent".to_owned());
        }
        Ok(Some(warning)) => observer.warn(warning),
        Err(error) => observer.warn(format!("the result could not be run in an empty folder: {error:#}")),
    }
}

/// What the user has to know if the command of a result does not show the failure; none if it does.
fn shown(stages: &Stages<'_>, last: &Summary) -> anyhow::Result<Option<String>> {
    let mut found = (0..tries(last)).map(|_| stages.oracle(last));
    let oracle = found.find(|found| !matches!(found, Ok(None))).transpose().map_err(|error| anyhow!("{error}"))?;
    let Some(oracle) = oracle.flatten() else { return Ok(Some("the result shows another failure".to_owned())) };
    let missing = |is_fresh| missing(stages, last, &*oracle, is_fresh);
    let Some(why) = missing(true)? else { return Ok(None) };
    Ok(Some(match missing(false)? {
        None => format!(
            "in a fresh environment the command does not show the failure ({why}): it needs variables that are set here"
        ),
        Some(_) => format!("in an empty folder the command does not show the failure: {why}"),
    }))
}

/// Why the command of a result does not show the failure in an empty folder in any run; none if it does.
fn missing(stages: &Stages<'_>, last: &Summary, oracle: &dyn Oracle, is_fresh: bool) -> anyhow::Result<Option<String>> {
    let mut job = by_hand::job(oracle, &last.program);
    if is_fresh {
        let others = std::env::vars_os().map(|(name, _)| name);
        let others = others.filter(|name| !FRESH.iter().any(|fresh| name == fresh)).map(|name| (name, None));
        job = Job { env: others.chain(job.env).collect(), ..job };
    }
    let mut why = None;
    for _ in 0..tries(last) {
        let result = stages.session.executor().run(&job, stages.session.limits.left(LONGEST), &Cancel::default())?;
        let verdict = by_hand::verdict(oracle, result);
        if verdict.outcome == Outcome::Fail {
            return Ok(None);
        }
        why = Some(verdict.reason);
    }
    Ok(why)
}

fn tries(last: &Summary) -> usize {
    last.flaky.map_or(1, |flaky| TIMES * flaky.input.runs.div_ceil(flaky.input.times.max(1)))
}
