//! Jobs without a verdict, which are run for their output.

use std::ops::Range;
use std::sync::Arc;

use mcve_transforms::{Complaint, Coverage, Covered, FILE, Hint, MUTANT, Probes, Reached, Seen, Tree, covers};

use super::checks::Checks;
use super::compiler_errors::{self, errors};
use super::limits::Stop;
use super::request::{About, Key, Query, Reply, Request};
use crate::exec::job::{Answer, End, Job, JobResult, Trust};
use crate::oracle::hints;
use crate::oracle::places::Places;
use crate::oracle::valid::IsValid;
use crate::oracle::{CompilerJob, Verdict};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// How often what was added and does not compile is removed: a compiler checks types first, and borrows after them.
const REPAIRS: usize = 8;

/// The lints of the compiler that the oracle knows; nothing where there is none, or it cannot be run.
pub(crate) fn hints(checks: &mut Checks, program: &Program) -> Result<Vec<Hint>, Stop> {
    let result = ask_compiler(checks, Query::Lints, CompilerJob::Hints, program)?;
    Ok(result.map(|result| hints::read(&result.stderr, program)).unwrap_or_default())
}

/// The places that the failure names in `program`, by the output of a check, or else of the compiler that the oracle knows.
pub(crate) fn places(checks: &mut Checks, program: &Program) -> Result<Places, Stop> {
    let job = checks.oracle().job(program);
    let checked = query(checks, Query::Check, program, Some(job))?;
    let places = checked.map(|result| Places::read(&result, program)).filter(|places| !places.is_empty());
    if let Some(places) = places {
        return Ok(places);
    }
    let compiled = compiled(checks, program)?;
    Ok(compiled.map(|result| Places::read(&result, program)).unwrap_or_default())
}

/// The result of the compiler that the oracle knows and does not ask itself; none if there is none, or it cannot be run.
pub(crate) fn compiled(checks: &mut Checks, program: &Program) -> Result<Option<Arc<JobResult>>, Stop> {
    ask_compiler(checks, Query::Compiler, CompilerJob::Output, program)
}

/// The result of such a job of the compiler that the oracle knows; none where there is none, or it cannot be run.
pub(super) fn ask_compiler(
    checks: &mut Checks,
    about: Query,
    what: CompilerJob,
    program: &Program,
) -> Result<Option<Arc<JobResult>>, Stop> {
    let job = checks.oracle().compiler_job(what, program);
    query(checks, about, program, job)
}

/// How `program` passes for certain, by fresh processes: the words of the oracle. None if it does not.
pub(crate) fn passes(checks: &mut Checks, program: &Program) -> Result<Option<String>, Stop> {
    let verdict = checks.certain_reply(program, About::Verdict)?.verdict;
    Ok(verdict.filter(Verdict::is_passing).map(|verdict| verdict.reason))
}

/// Whether `program` fails for certain: by a fresh process.
pub(crate) fn fails(checks: &mut Checks, program: &Program) -> Result<bool, Stop> {
    let job = checks.oracle().job(program);
    let result = query(checks, Query::Check, program, Some(job))?;
    Ok(result.is_some_and(|result| checks.oracle().verdict(&result).outcome == Outcome::Fail))
}

/// `program` as a formatter prints it; none where there is no formatter, or it cannot read the program.
pub(crate) fn layout(checks: &mut Checks, program: &Program) -> Result<Option<String>, Stop> {
    let result = ask_compiler(checks, Query::Layout, CompilerJob::Layout, program)?;
    let text = result.filter(|result| result.end == End::Exited(0)).map(|result| result.stdout.clone());
    let text = text.and_then(|stdout| String::from_utf8(stdout).ok());
    Ok(text.filter(|text| !text.trim().is_empty()))
}

/// The errors of `program` that its crash hides, by a way of compiling that does not crash; none where no such way is known.
pub(crate) fn hidden_errors(checks: &mut Checks, program: &Program) -> Result<Vec<String>, Stop> {
    for (number, job) in checks.oracle().hidden(program).into_iter().enumerate() {
        let result = query(checks, Query::Hidden(number), program, Some(job))?;
        if let Some(errors) = result.and_then(|result| IsValid::errors(&result)) {
            return Ok(errors);
        }
    }
    Ok(Vec::new())
}

/// The values that expressions of `program` have when a check runs it; nothing where it does not.
pub(crate) fn values(checks: &mut Checks, program: &Program) -> Result<Vec<Hint>, Stop> {
    let source = mcve_transforms::Source::parse(&*program.text);
    let tree = Tree::new(&source);
    let mut probes = Probes::of(&tree);
    let Some(probed) = probed(checks, program, &mut probes)? else { return Ok(Vec::new()) };
    let job = checks.oracle().job(&probed);
    Ok(probes.hints(&run_probed(checks, &probed, job)?))
}

/// Which blocks of `program`, which is traced, runs reach, and which values its expressions have; none where a check runs no program.
pub(crate) fn seen(checks: &mut Checks, program: &Program) -> Result<Option<Seen>, Stop> {
    let source = mcve_transforms::Source::parse(&*program.text);
    let tree = Tree::new(&source);
    let origin = |byte| program.origin_of(byte).map(|from| from.start);
    let all = [Probes::of(&tree).and_blocks(), Probes::blocks(&tree)];
    for mut probes in all.map(|probes| probes.called(origin, None)) {
        if let Some(probed) = probed(checks, program, &mut probes)? {
            let reported = run_often(checks, &probed)?;
            return Ok((!reported.is_empty()).then(|| probes.seen(&reported)));
        }
    }
    Ok(None)
}

/// `program` with those of these probes with which it compiles, which are left; none if there are none.
fn probed(checks: &mut Checks, program: &Program, probes: &mut Probes<'_>) -> Result<Option<Program>, Stop> {
    instrumented(checks, program, |errors| {
        let is_new = errors.is_none_or(|errors| probes.remove(errors));
        (is_new && !probes.is_empty()).then(|| probes.program())
    })
}

/// `program` with as much of what `add` adds to it as compiles; none where nothing does. `add` gets the places of the errors in the last text
/// that it made, if it made one, and leaves out what is there.
pub(super) fn instrumented(
    checks: &mut Checks,
    program: &Program,
    mut add: impl FnMut(Option<&[Range<usize>]>) -> Option<String>,
) -> Result<Option<Program>, Stop> {
    let mut text = add(None);
    for _ in 0..REPAIRS {
        let Some(instrumented) = text.map(|text| program.with_text(text)) else { break };
        match ask_compiler(checks, Query::Lints, CompilerJob::Hints, &instrumented)? {
            Some(compiled) if compiled.end != End::Exited(0) => text = add(Some(&errors(&compiled, &instrumented))),
            _ => return Ok(Some(instrumented)),
        }
    }
    Ok(None)
}

/// The parts of `program` that a check reaches; none where it does not run it.
pub(crate) fn reached(checks: &mut Checks, program: &Program) -> Result<Option<Reached>, Stop> {
    let source = mcve_transforms::Source::parse(&*program.text);
    let tree = Tree::new(&source);
    let mut tried = 0;
    // A macro may not take more, and an arm may be no block for a reason: then the bodies of functions will do.
    for covered in [Covered::AlsoInMacros, Covered::Blocks, Covered::Bodies] {
        let coverage = Coverage::of(&tree, covered);
        if coverage.count() == tried {
            continue;
        }
        tried = coverage.count();
        let probed = program.with_text(Probes::of_blocks(&tree, &coverage.blocks()).program());
        let conditions = Arc::clone(checks.oracle());
        // What a changed program reaches is needed for its run.
        let changed = conditions.conditions().iter().filter_map(|condition| condition.changed(&probed));
        let mut reached = run_often(checks, &probed)?;
        if !reached.is_empty() {
            for changed in changed {
                reached += &run_often(checks, &changed)?;
            }
            return Ok(coverage.read(&reached));
        }
    }
    Ok(None)
}

/// Returns a predicate: may a check reach these bytes of `program`?
pub(crate) fn reaches(checks: &mut Checks, program: &Program) -> Result<impl Fn(&Range<usize>) -> bool + use<>, Stop> {
    let not_reached = reached(checks, program)?.map(|reached| reached.hints).unwrap_or_default();
    Ok(move |bytes: &Range<usize>| !not_reached.iter().any(|hint| covers(&hint.site, bytes)))
}

/// How often a program is run for what it reaches: it may make random choices.
const RUNS: usize = 3;

/// What several runs of a program reach. They do not have the limit of a run that fails: one that passes may take longer.
pub(super) fn run_often(checks: &mut Checks, probed: &Program) -> Result<String, Stop> {
    // No mutant is in it.
    let job = match checks.oracle().as_run() {
        Some(run) => run.to_pass().runs_by(probed, MUTANT, &[const { String::new() }; RUNS], false),
        None => checks.oracle().job(probed),
    };
    run_probed(checks, probed, job)
}

/// The file that the probes of a program write when this job runs it.
fn run_probed(checks: &mut Checks, probed: &Program, mut job: Job) -> Result<String, Stop> {
    job.answer = Some(Answer::NamedBy(FILE.into()));
    let result = query(checks, Query::Values, probed, Some(job))?;
    Ok(result.map(|result| String::from_utf8_lossy(&result.stdout).into_owned()).unwrap_or_default())
}

/// The result of a job without a verdict; none where there is no job, or it cannot be run: no answer depends on it.
pub(crate) fn query(
    checks: &mut Checks,
    query: Query,
    program: &Program,
    job: Option<Job>,
) -> Result<Option<Arc<JobResult>>, Stop> {
    let Some(job) = job else { return Ok(None) };
    match output(checks, query, program, &job) {
        Ok(reply) => Ok(reply.result),
        Err(Stop::Exec(_)) => Ok(None),
        Err(stop) => Err(stop),
    }
}

/// The answer of a job without a verdict.
pub(super) fn output(checks: &mut Checks, query: Query, program: &Program, job: &Job) -> Result<Reply, Stop> {
    let trust = match query {
        // The failure is recognised by it, or it is no compiler.
        Query::Check | Query::Layout => Trust::Certain,
        // Nothing is built on these that is not checked.
        Query::Lints | Query::Compiler | Query::Values | Query::Hidden(_) | Query::ForkServer => Trust::Likely,
    };
    let (key, job) = (Key { text: program.hash(), about: About::Output(query) }, || job.clone());
    let out_of_band = query == Query::ForkServer;
    checks.ask(&Request { trust, out_of_band, ..Request::certain(key, &job) })
}

/// The items that the compiler misses in `program`, from which parts are gone; nothing where it accepts the program, or none is known.
pub(crate) fn complaints(checks: &mut Checks, program: &Program) -> Result<Vec<Complaint>, Stop> {
    let compiled = ask_compiler(checks, Query::Lints, CompilerJob::Hints, program)?;
    let compiled = compiled.filter(|compiled| compiled.end != End::Exited(0));
    Ok(compiled.map(|compiled| compiler_errors::complaints(&compiled, program)).unwrap_or_default())
}

#[cfg(test)]
mod tests;
