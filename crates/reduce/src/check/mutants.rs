//! Runs the mutants of a program, small changes that may repair it, and finds those that pass.

use std::collections::HashMap;
use std::ops::Range;
use std::time::Duration;

use mcve_transforms::{MUTANT, Mutable, Mutants, Reduction, Schema, Source, Tree};

use super::checks::Checks;
use super::compiler_errors::{errors, reasons};
use super::limits::Stop;
use super::queries::query;
use super::request::Query;
use super::suspects::rank;
use crate::exec::job::{End, Job, Word};
use crate::oracle::CompilerJob;
use crate::oracle::runs::{self, Run};
use crate::oracle::rustc::JSON;
use crate::program::Program;

/// How often mutants that do not compile are removed: a compiler names one of several at a place, and checks borrows last.
const REPAIRS: usize = 25;

/// The exit code of a program with mutants that asked too often which are active, as it may loop.
pub(super) const LOOPS: i32 = 97;

/// The exit code of a harness of which tests fail.
const TESTS_FAIL: i32 = 101;

/// In so many of these rounds only types are checked.
const TYPED: usize = 3;

/// How many mutants are run by the first job, which may take no longer than a check.
const BATCH: usize = 50;

/// The next job runs twice as many if one took no longer than this: each compiles the program anew.
const QUICK: Duration = Duration::from_secs(3);

/// How long all tests may run with mutants that pass: in all jobs, and likely in one.
const WHOLE: Duration = Duration::from_secs(15);
const WHOLE_JOB: Duration = Duration::from_secs(3);

/// So many mutants that may loop are run again by one job, for longer.
const PATIENT_BATCH: usize = 5;

/// How often these may ask which mutants are active, behind their numbers: this takes some seconds.
const PATIENT_CALLS: &str = "@200000000";

/// The exit code, and how many tests fail.
type Ended = (i32, usize);

/// The mutants with which a program passes.
#[derive(Default)]
pub(crate) struct Passing {
    /// Those that break the fewest other tests.
    pub(crate) mutants: Vec<Reduction>,
    /// Whether all tests pass with them.
    pub(crate) pass_all: bool,
}

/// The mutants of `program` with which the check passes. Nothing where a check runs no program. None of
/// them is certain: each has to be checked before use. The most specific are run first, and no more once all jobs have taken `longest`:
/// a recorded job counts as it did, so that a run that is resumed finds the same.
pub(crate) fn passing_mutants(
    checks: &mut Checks,
    program: &Program,
    mutable: Mutable,
    is_reached: &dyn Fn(&Range<usize>) -> bool,
    longest: Duration,
) -> Result<Passing, Stop> {
    let mut left = longest;
    let source = Source::parse(&*program.text);
    let tree = Tree::new(&source);
    let mut mutants = Mutants::of(&tree, mutable, is_reached);
    for round in 0..REPAIRS {
        let schema = mutants.schema(round < TYPED);
        let changed = program.with_text(&*schema.text);
        let job = checks.oracle().compiler_job(CompilerJob::Hints, &changed);
        let job = job.map(|job| with_features(job, &changed));
        let Some(compiled) = query(checks, Query::Lints, &changed, job)? else { break };
        left = left.saturating_sub(compiled.wall);
        let has_errors = compiled.end != End::Exited(0);
        // Another compiler may not have the features.
        let is_removed = has_errors
            && (mutants.remove(&schema, &errors(&compiled, &changed), &reasons(&compiled, &changed))
                || mutants.remove_const());
        if is_removed || round < TYPED {
            continue;
        }
        if compiled.end != End::Exited(0) {
            break;
        }
        let mut all: Vec<(usize, Reduction)> =
            mutants.numbers().into_iter().filter_map(|number| Some((number, mutants.change(number)?))).collect();
        all.sort_by_cached_key(|(_, mutant)| rank(&program.text, mutant));
        let numbers: Vec<usize> = all.iter().map(|(number, _)| *number).collect();
        let mut trial = Trial { checks, changed: &changed, is_patient: false };
        let ended = trial.run_all(&numbers, &mut left)?;
        let mut passing = with_code(&ended, 0);
        let loops = with_code(&ended, LOOPS);
        // What seems to loop may take long, as it goes on where the failure ends the program.
        trial.is_patient = passing.is_empty() && !loops.is_empty();
        if trial.is_patient {
            passing = with_code(&trial.run_all(&loops, &mut left)?, 0);
        }
        let (kept, pass_all) = trial.without_damage(passing)?;
        let mutants = all.into_iter().filter(|(number, _)| kept.contains(number)).map(|(_, mutant)| mutant).collect();
        return Ok(Passing { mutants, pass_all });
    }
    Ok(Passing::default())
}

fn with_code(ended: &[(usize, Ended)], code: i32) -> Vec<usize> {
    ended.iter().filter(|(_, (own, _))| *own == code).map(|(number, _)| *number).collect()
}

/// A program with mutants, which is run with each of them.
struct Trial<'c> {
    checks: &'c mut Checks,
    changed: &'c Program,
    /// Whether the mutants seem to loop, so that they get more time.
    is_patient: bool,
}

impl Trial<'_> {
    /// The mutants with which the fewest tests fail, of those run in [`WHOLE`], the most specific first; and whether none fails.
    fn without_damage(&mut self, passing: Vec<usize>) -> Result<(Vec<usize>, bool), Stop> {
        let mut ended: HashMap<usize, Ended> = HashMap::new();
        let (mut waiting, mut batch, mut left) = (&passing[..], 1, WHOLE);
        while !waiting.is_empty() && !left.is_zero() {
            let (numbers, others) = waiting.split_at(batch.min(waiting.len()));
            let (runs, wall) = self.run_batch(numbers, true)?;
            ended.extend(runs);
            left = left.saturating_sub(wall);
            let fitting = WHOLE_JOB.as_millis() * numbers.len() as u128 / wall.as_millis().max(1);
            batch = usize::try_from(fitting).unwrap_or(BATCH).clamp(1, BATCH);
            waiting = others;
        }
        // Where a test ends all of them, nobody knows of the others.
        let failing = |number: &usize| match ended.get(number) {
            Some((0 | TESTS_FAIL, failing)) => *failing,
            _ => usize::MAX,
        };
        let least = passing.iter().map(failing).min().unwrap_or_default();
        Ok((passing.into_iter().filter(|number| failing(number) == least).collect(), least == 0))
    }

    /// The end of the program with each of these mutants, until no time is `left`.
    fn run_all(&mut self, numbers: &[usize], left: &mut Duration) -> Result<Vec<(usize, Ended)>, Stop> {
        let (mut waiting, mut batch) = (numbers, if self.is_patient { PATIENT_BATCH } else { BATCH });
        let mut ended = Vec::new();
        while !waiting.is_empty() && !left.is_zero() {
            self.checks.proceed()?;
            let (numbers, others) = waiting.split_at(batch.min(waiting.len()));
            let (more, wall) = self.run_batch(numbers, false)?;
            ended.extend(more);
            *left = left.saturating_sub(wall);
            batch = if wall <= QUICK { 2 * batch } else { batch };
            waiting = others;
        }
        Ok(ended)
    }

    /// The end of the program with each of these mutants, in one job, and how long that took.
    fn run_batch(&mut self, numbers: &[usize], whole: bool) -> Result<(Vec<(usize, Ended)>, Duration), Stop> {
        let calls = if self.is_patient { PATIENT_CALLS } else { "" };
        let values: Vec<String> = numbers.iter().map(|number| format!("{number}{calls}")).collect();
        let (runs, wall) = runs(self.checks, self.changed, &values, whole)?;
        let ended = runs.into_iter().filter_map(|run| Some((*numbers.get(run.value)?, (run.code, run.failing))));
        Ok((ended.collect(), wall))
    }
}

/// `job`, in which each crate of the schema `changed` may use the unstable features that it needs.
fn with_features(mut job: Job, changed: &Program) -> Job {
    let Some(features) = Schema::features(&changed.text) else { return job };
    let calls = job.steps.iter_mut().map(|step| &mut step.argv).chain([&mut job.argv]);
    let compilers = calls.filter(|argv| argv.iter().any(|word| matches!(word, Word::Text(text) if text == JSON)));
    compilers.for_each(|argv| argv.insert(1, Word::Text(format!("-Zcrate-attr=feature({features})").into())));
    job.env.push(("RUSTC_BOOTSTRAP".into(), Some("1".into())));
    job
}

/// The names of the tests of `program` that fail. None where a check runs no program.
pub(crate) fn failing_tests(checks: &mut Checks, program: &Program) -> Result<Vec<String>, Stop> {
    let (runs, _) = runs(checks, program, &[String::new()], true)?;
    Ok(runs.into_iter().next().map(|run| run.failed).unwrap_or_default())
}

/// The ends of a program with each of these mutants active, in one job, and its time. Nothing if a check runs no program.
pub(super) fn runs(
    checks: &mut Checks,
    changed: &Program,
    active: &[String],
    whole: bool,
) -> Result<(Vec<Run>, Duration), Stop> {
    let Some(run) = checks.oracle().as_run() else { return Ok((Vec::new(), Duration::ZERO)) };
    let job = with_features(run.to_pass().runs_by(changed, MUTANT, active, whole), changed);
    // Of one text there are several such questions, each with a name of its own.
    let named = changed.with_text(format!("{}\n// {active:?} {whole}", changed.text));
    let result = query(checks, Query::Values, &named, Some(job))?;
    Ok(result.map(|result| (runs::read(&result.stdout), result.wall)).unwrap_or_default())
}
