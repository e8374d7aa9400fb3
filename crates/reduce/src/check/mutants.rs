//! Runs the mutants of a program, small changes that may repair it, and finds those that pass.

use std::collections::HashMap;
use std::ops::Range;

use mcve_transforms::{MUTANT, Mutable, Mutants, Reduction, Source, Tree};

use super::checks::Checks;
use super::compiler_errors::errors;
use super::limits::Stop;
use super::queries::{ask_compiler, query};
use super::request::Query;
use crate::exec::job::End;
use crate::oracle::CompilerJob;
use crate::oracle::runs::{self, Run};
use crate::program::Program;

/// How often mutants that do not compile are removed: of several at one place a compiler names the first one, and it checks types before
/// borrows.
const REPAIRS: usize = 25;

/// The exit code of a program with mutants that asked too often which are active, as it may loop.
pub(super) const LOOPS: i32 = 97;

/// The exit code of a harness of which tests fail.
const TESTS_FAIL: i32 = 101;

/// In so many of these rounds only types are checked.
const TYPED: usize = 3;

/// How many mutants are run by one job, which may take no longer than a check.
const BATCH: usize = 50;

/// The exit code, and how many tests fail.
type Ended = (i32, usize);

/// The mutants of `program` with which the check passes and that break no other test, in the order of the program. Nothing where a
/// check runs no program. None of them is certain: each has to be checked before use.
pub(crate) fn passing_mutants(
    checks: &mut Checks,
    program: &Program,
    mutable: Mutable,
    is_reached: &dyn Fn(&Range<usize>) -> bool,
) -> Result<Vec<Reduction>, Stop> {
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    let mut mutants = Mutants::of(&tree, mutable, is_reached);
    for round in 0..REPAIRS {
        let schema = mutants.schema(round < TYPED);
        let changed = program.with_text(&*schema.text);
        let Some(compiled) = ask_compiler(checks, Query::Lints, CompilerJob::Hints, &changed)? else { break };
        let is_removed = compiled.end != End::Exited(0) && mutants.remove(&schema, &errors(&compiled, &changed));
        if is_removed || round < TYPED {
            continue;
        }
        if compiled.end != End::Exited(0) {
            break;
        }
        let passing = run_mutants(checks, &changed, &mutants.numbers(), false)?;
        let passing: Vec<usize> =
            passing.into_iter().filter(|(_, (code, _))| *code == 0).map(|(number, _)| number).collect();
        let kept = without_damage(checks, &changed, passing)?;
        return Ok(kept.into_iter().filter_map(|number| mutants.change(number)).collect());
    }
    Ok(Vec::new())
}

/// The mutants with which the fewest tests fail.
fn without_damage(checks: &mut Checks, changed: &Program, passing: Vec<usize>) -> Result<Vec<usize>, Stop> {
    let ended: HashMap<usize, Ended> = run_mutants(checks, changed, &passing, true)?.into_iter().collect();
    // Where a test ends all of them, nobody knows of the others.
    let failing = |number: &usize| match ended.get(number) {
        Some((0 | TESTS_FAIL, failing)) => *failing,
        _ => usize::MAX,
    };
    let least = passing.iter().map(failing).min().unwrap_or_default();
    Ok(passing.into_iter().filter(|number| failing(number) == least).collect())
}

/// The end of the program with each of these mutants.
fn run_mutants(
    checks: &mut Checks,
    changed: &Program,
    numbers: &[usize],
    whole: bool,
) -> Result<Vec<(usize, Ended)>, Stop> {
    let mut ended = Vec::new();
    for numbers in numbers.chunks(BATCH) {
        checks.proceed()?;
        let values: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        let runs = runs(checks, changed, &values, whole)?;
        ended.extend(runs.into_iter().filter_map(|run| Some((*numbers.get(run.value)?, (run.code, run.failing)))));
    }
    Ok(ended)
}

/// The names of the tests of `program` that fail. None where a check runs no program.
pub(crate) fn failing_tests(checks: &mut Checks, program: &Program) -> Result<Vec<String>, Stop> {
    let runs = runs(checks, program, &[String::new()], true)?;
    Ok(runs.into_iter().next().map(|run| run.failed).unwrap_or_default())
}

/// The end of a program with mutants for each of these active ones, in one job. Nothing where a check runs no program.
pub(super) fn runs(checks: &mut Checks, changed: &Program, active: &[String], whole: bool) -> Result<Vec<Run>, Stop> {
    let Some(job) = checks.oracle().advice().runs_by(changed, MUTANT, active, whole) else { return Ok(Vec::new()) };
    // Of one text there are several such questions, each with a name of its own.
    let named = changed.with_text(format!("{}\n// {active:?} {whole}", changed.text));
    let result = query(checks, Query::Values, &named, Some(job))?;
    Ok(result.map(|result| runs::read(&result.stdout)).unwrap_or_default())
}
