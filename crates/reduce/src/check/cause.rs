//! Holds candidates to the cause of a failure: finds the neighbours of a program, small changes with which it passes.
//!
//! A program that keeps only the words of its failure may fail for another reason. One that also passes with the same change
//! has the same cause (Zeller, *Isolating Cause-Effect Chains from Computer Programs*, 2002: a cause is a difference).

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use mcve_transforms::{Completed, Ended, Mutable, Reduction, Source, Tree, function};

use super::checks::Checks;
use super::limits::Stop;
use super::mutants::passing_mutants;
use super::queries::{query, reaches};
use super::refusal::Refusal;
use super::request::Query;
use super::suspects::{describe, line, rank, sort_suspects};
use crate::event::{Event, Observer};
use crate::exec::job::JobResult;
use crate::oracle::Condition;
use crate::oracle::conditional::with_conditions;
use crate::oracle::run_conditions::PassesChanged;
use crate::program::{Change, Program};

/// The number of functions in which a neighbour is kept.
const MOST: usize = 3;

/// The number of mutants of one function that are tried.
const TRIED: usize = 3;

/// How long the jobs that look for neighbours may take in all.
const LONGEST: Duration = Duration::from_secs(40);

/// The highest rank of a change that is specific.
const SPECIFIC: usize = 1;

/// Holds candidates to the cause of the failure of `program`, which is traced, as far as that is known, and reports it: to the expression
/// that fails, to what was completed before, and to the neighbours. `fixed` is a neighbour
/// that the user knows; otherwise mcve looks for them where a check runs the program. Where the failure shows in some of the runs only, the
/// expression is all that is held, as another run may end in another way.
///
/// # Errors
/// When `fixed` does not pass, or the search has to stop.
pub(crate) fn hold_cause(
    mut checks: Checks,
    program: &Program,
    fixed: Option<&Program>,
    observer: &mut dyn Observer,
) -> Result<Checks, Refusal> {
    let job = checks.oracle().job(program);
    let Some(failing) = query(&mut checks, Query::Check, program, Some(job))? else { return Ok(checks) };
    let mut held = Vec::new();
    match checks.oracle().at_place(program, &failing) {
        Some(oracle) => checks = checks.judged_by(oracle),
        None if checks.flaky().is_none() => held.extend(ends_at(&mut checks, program, &failing)?),
        None => {}
    }
    let (mut completed, mut neighbours) = (None, Vec::new());
    if let Some(fixed) = fixed {
        neighbours.push(neighbour_of_user(&mut checks, program, fixed)?);
    } else if checks.flaky().is_none() {
        let message = "looking for small changes with which it passes".to_owned();
        observer.event(&Event::Note { message });
        neighbours = find_neighbours(&mut checks, program)?;
    }
    // A specific change holds more than what was completed before.
    if checks.flaky().is_none() && neighbours.iter().all(|neighbour| neighbour.rank > SPECIFIC) {
        completed = completed_before(&mut checks, program, &failing)?;
    }
    observer.event(&Event::Note { message: describe_cause(completed.is_some(), &neighbours) });
    held.extend(completed.into_iter().chain(neighbours.into_iter().map(|neighbour| neighbour.condition)));
    if !held.is_empty() {
        let failure = Arc::clone(checks.oracle());
        let conditions = failure.conditions().iter().cloned().chain(held).collect();
        checks = checks.judged_by(with_conditions(failure, conditions));
    }
    Ok(checks)
}

/// The neighbour of `program` that has the source of `fixed`.
fn neighbour_of_user(checks: &mut Checks, program: &Program, fixed: &Program) -> Result<Neighbour, Refusal> {
    // The lists at the end are no source: arguments, files of data.
    let changed = program.with_text(fixed.text[..fixed.lists()].to_owned() + &program.text[program.lists()..]);
    if !changed.is_whole() {
        return Err(Refusal::FixedFails("it has other files".to_owned()));
    }
    let change = Change::between(&program.text, &changed.text);
    let oracle = Arc::clone(checks.oracle());
    let judge = oracle.with_time_to_pass();
    let Some(result) = query(checks, Query::Values, &changed, Some(judge.job(&changed)))? else {
        return Err(Refusal::FixedFails("it cannot be checked".to_owned()));
    };
    let condition = match oracle.as_run() {
        Some(run) => run.passes_with(change, &result),
        None => Arc::new(PassesChanged { change, oracle }),
    };
    match condition.broken(&result, &result) {
        Some(why) => Err(Refusal::FixedFails(why)),
        None => Ok(Neighbour { condition, shown: "the given change".to_owned(), rank: 0 }),
    }
}

/// A program that passes, next to one that fails.
struct Neighbour {
    /// The condition that a candidate passes with the change.
    condition: Arc<dyn Condition>,
    /// The words for the change.
    shown: String,
    /// The rank of the change: 0 is the most specific.
    rank: usize,
}

/// Neighbours of `program` in different functions, which break the fewest other tests.
fn find_neighbours(checks: &mut Checks, program: &Program) -> Result<Vec<Neighbour>, Stop> {
    let mut found = Vec::new();
    if checks.oracle().as_run().is_none() {
        return Ok(found);
    }
    let passes = checks.oracle().with_time_to_pass();
    for mutants in mutants_by_function(checks, program)? {
        if found.len() == MOST {
            break;
        }
        for mutant in mutants.iter().take(TRIED) {
            let changed = program.reduced_by([mutant]);
            let Some(result) = query(checks, Query::Values, &changed, Some(passes.job(&changed)))? else { continue };
            let change = Change::between(&program.text, &changed.text);
            let condition = checks.oracle().as_run().map(|run| run.passes_with(change, &result));
            let condition = condition.filter(|condition| condition.broken(&result, &result).is_none());
            let Some(condition) = condition else { continue };
            let shown = format!("{} in {}", describe(&program.text, mutant), line(program, mutant));
            let rank = rank(&program.text, mutant);
            found.push(Neighbour { condition, shown, rank });
            break;
        }
    }
    Ok(found)
}

/// The words for the cause that is kept.
fn describe_cause(has_completed: bool, neighbours: &[Neighbour]) -> String {
    let before = has_completed.then(|| "what fails had succeeded earlier in the run".to_owned());
    let shown: Vec<&str> = neighbours.iter().map(|neighbour| &*neighbour.shown).collect();
    let passes = (!shown.is_empty()).then(|| format!("it passes with {}", shown.join("; with ")));
    let kept: Vec<String> = before.into_iter().chain(passes).collect();
    match kept.is_empty() {
        true => "no small change makes it pass, so the result may fail for another reason".to_owned(),
        false => format!("kept as the cause: {}", kept.join("; ")),
    }
}

/// The condition that the run of `program` ends by the same statement, for a failure that names no place.
fn ends_at(checks: &mut Checks, program: &Program, failing: &JobResult) -> Result<Option<Arc<dyn Condition>>, Stop> {
    let condition = |checks: &Checks, ended| checks.oracle().as_run()?.ends_at(program, ended);
    let job = condition(checks, Ended::default()).and_then(|any| any.job(program, failing).ok());
    let Some(job) = job else { return Ok(None) };
    let result = query(checks, Query::Values, program, Some(job))?;
    let ended = result.and_then(|result| Ended::read(&String::from_utf8_lossy(&result.stdout)));
    Ok(ended.and_then(|ended| condition(checks, ended)))
}

/// The condition that what fails was completed before in the same run, by the innermost such part of `program`.
fn completed_before(
    checks: &mut Checks,
    program: &Program,
    failing: &JobResult,
) -> Result<Option<Arc<dyn Condition>>, Stop> {
    let Some(run) = checks.oracle().as_run() else { return Ok(None) };
    let parts = [Completed::Statement, Completed::Function, Completed::Caller].map(|part| run.completes_before(part));
    let Ok(job) = parts[0].job(program, failing) else { return Ok(None) };
    let result = query(checks, Query::Values, program, Some(job))?;
    let holds = |result: &JobResult| parts.into_iter().find(|part| part.broken(result, result).is_none());
    Ok(result.and_then(|result| Some(Arc::new(holds(&result)?) as Arc<dyn Condition>)))
}

/// The mutants with which `program` passes, by function: the most specific first, of functions and in each.
fn mutants_by_function(checks: &mut Checks, program: &Program) -> Result<Vec<Vec<Reduction>>, Stop> {
    let is_reached = reaches(checks, program)?;
    let mutants = passing_mutants(checks, program, Mutable::CodeAndInput, &is_reached, LONGEST)?;
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    let mut by_function: HashMap<usize, Vec<Reduction>> = HashMap::new();
    for mutant in mutants {
        by_function.entry(function(&tree, &mutant.site).start).or_default().push(mutant);
    }
    let mut functions: Vec<Vec<Reduction>> = by_function.into_values().collect();
    functions.iter_mut().for_each(|mutants| sort_suspects(&program.text, mutants));
    functions.sort_by_key(|mutants| (rank(&program.text, &mutants[0]), Reverse(mutants.len()), mutants[0].site.start));
    Ok(functions)
}
