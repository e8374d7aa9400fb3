//! The values that runs of a program show, to which candidates are held.

use std::sync::Arc;

use mcve_transforms::Seen;

use super::checks::Checks;
use super::limits::Stop;
use super::queries::{query, seen};
use super::request::Query;
use crate::exec::job::{Job, JobResult};
use crate::oracle::conditional::of_data;
use crate::oracle::run_conditions::SameValues;
use crate::oracle::{Condition, Oracle};
use crate::program::Program;

/// The condition that no run shows other values than those of `program`, which fails in `failing`.
pub(super) fn same_values(
    checks: &mut Checks,
    program: &Program,
    failing: &JobResult,
    has_cause: bool,
) -> Result<Option<SameValues>, Stop> {
    if checks.oracle().as_run().is_none() {
        return Ok(None);
    }
    let Some(seen) = seen(checks, program)? else { return Ok(None) };
    let Some(run) = checks.oracle().as_run() else { return Ok(None) };
    let mut condition = run.same_values(program, seen, failing, has_cause);
    let job = condition.job(program, failing);
    // Where the program cannot be observed, what is left of it could not either.
    let Some(reported) = in_another_folder(checks, program, job.ok())? else { return Ok(None) };
    let reported = Seen::of_run(&reported);
    condition.seen.forget_new_in(&reported);
    condition.repeated.retain(|name| reported.is_repeated(*name));
    Ok(Some(condition))
}

/// What the probes of `program` report in another folder, which shows which values depend on that.
fn in_another_folder(checks: &mut Checks, program: &Program, job: Option<Job>) -> Result<Option<String>, Stop> {
    let named = program.with_text(format!("{}\n// values", program.text));
    let result = query(checks, Query::Values, &named, job)?;
    let result = result.filter(|result| result.failed_step.is_none());
    Ok(result.map(|result| String::from_utf8_lossy(&result.stdout).into_owned()))
}

/// The oracle that holds candidates to the values of `program`, whose data were reduced. None if they cannot be observed.
pub(crate) fn observed_anew(checks: &mut Checks, program: &Program) -> Result<Option<Arc<dyn Oracle>>, Stop> {
    let failing = query(checks, Query::Check, program, Some(checks.oracle().job(program)))?;
    let (Some(failing), Some(mut seen)) = (failing, seen(checks, program)?) else { return Ok(None) };
    let oracle = of_data(checks.oracle(), Some(&seen));
    let job = oracle.and_then(|oracle| {
        oracle.conditions().iter().find(|condition| condition.of_data(None).is_some())?.job(program, &failing).ok()
    });
    let Some(reported) = in_another_folder(checks, program, job)? else { return Ok(None) };
    seen.forget_new_in(&Seen::of_run(&reported));
    Ok(of_data(checks.oracle(), Some(&seen)))
}
