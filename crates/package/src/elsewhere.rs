//! Whether a result shows the failure elsewhere: in an empty folder, with a fresh environment.

use std::time::Duration;

use super::stages::Stages;
use mcve_dd::Outcome;
use mcve_reduce::event::Summary;
use mcve_reduce::exec::cancel::Cancel;
use mcve_reduce::exec::job::Job;
use mcve_reduce::oracle::by_hand;

/// The variables of a fresh environment: those needed to find a compiler.
const FRESH: [&str; 7] = ["CARGO_HOME", "HOME", "LANG", "PATH", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "TMPDIR"];

/// The time limit for the command of a result.
const LONGEST: Duration = Duration::from_secs(120);

/// The runs of a result that does not fail each time.
const TRIES: usize = 20;

/// Runs the command of a result, and reports whether it shows the failure.
pub(super) fn report(stages: &Stages<'_>, last: &Summary) {
    let observer = &stages.observer;
    let shown = missing(stages, last, true);
    if stages.session.limits.proceed().is_err() && !matches!(shown, Ok(None)) {
        observer.warn("not checked in an empty folder: the budget is spent".to_owned());
        return;
    }
    match shown {
        Ok(None) => observer.note("checked: the file shows it in an empty folder with a fresh environment".to_owned()),
        Ok(Some(why)) => observer.warn(match missing(stages, last, false) {
            Ok(None) => format!("in a fresh environment the command does not show the failure ({why}): it needs variables that are set here"),
            _ => format!("in an empty folder the command does not show the failure: {why}"),
        }),
        Err(error) => observer.warn(format!("the result could not be run in an empty folder: {error:#}")),
    }
}

/// Why the command of a result does not show the failure in an empty folder; none if it does.
fn missing(stages: &Stages<'_>, last: &Summary, is_fresh: bool) -> anyhow::Result<Option<String>> {
    let mut job = by_hand::job(&*last.oracle, &last.program);
    if is_fresh {
        let others = std::env::vars_os().map(|(name, _)| name);
        let others = others.filter(|name| !FRESH.iter().any(|fresh| name == fresh)).map(|name| (name, None));
        job = Job { env: others.chain(job.env).collect(), ..job };
    }
    let tries = if last.flaky.is_some() { TRIES } else { 1 };
    let mut why = None;
    for _ in 0..tries {
        let result = stages.session.executor().run(&job, stages.session.limits.left(LONGEST), &Cancel::default())?;
        let verdict = by_hand::verdict(&*last.oracle, result);
        if verdict.outcome == Outcome::Fail {
            return Ok(None);
        }
        why = Some(verdict.reason);
    }
    Ok(why)
}
