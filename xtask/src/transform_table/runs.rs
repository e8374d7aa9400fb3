//! Runs: programs reduced with all transforms or without one, two at a time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use mcve_reduce::check::baseline::Runs;
use mcve_reduce::check::layers::Layers;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::event::{Ending, Summary};
use mcve_reduce::failure::problem::Problem;
use mcve_reduce::modes::reduce::{Plan, reduce};
use mcve_reduce::output::Output;
use mcve_reduce::search::passes::schedule::Schedule;
use mcve_reduce::session::Session;
use mcve_transforms::transforms;

use super::cases::Case;
use super::counting::{Counter, Counts};

/// How many runs there are at once, each with one worker.
const THREADS: usize = 2;

/// How many checks a run has: the table depends on no clock unless a run needs the time below.
const CHECKS: usize = 2500;

/// The longest that a run may take, for programs of which a check takes long: of the corpus, and others.
const SECONDS: [u64; 2] = [120, 40];

/// What came of a run.
pub(super) struct Outcome {
    pub(super) summary: Summary,
    pub(super) counts: Counts,
}

/// A case by its number, and the transform that is left out.
pub(super) type Run = (usize, Option<&'static str>);

/// What came of runs.
pub(super) type Outcomes = BTreeMap<Run, Outcome>;

/// Makes these runs, until none is left or the time is over.
pub(super) fn all(cases: &[Case], runs: &[Run], until: Option<Instant>) -> anyhow::Result<Outcomes> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Outcomes::new()));
    let work = || -> anyhow::Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(case, without)) = runs.get(number) else { return Ok(()) };
            if until.is_some_and(|until| Instant::now() > until) {
                return Ok(());
            }
            match one(&cases[case], without) {
                Ok(outcome) => {
                    let Summary { before, after, checks, wall, ending, .. } = &outcome.summary;
                    eprintln!(
                        "[{number} of {}] {}, without {without:?}: {} -> {} tokens, {checks} checks, {:.1} s, {ending:?}",
                        runs.len(),
                        cases[case].name,
                        before.tokens,
                        after.tokens,
                        wall.as_secs_f64()
                    );
                    done.lock().unwrap_or_else(PoisonError::into_inner).insert((case, without), outcome);
                }
                Err(error) => eprintln!("[{number} of {}] {error:#}", runs.len()),
            }
        }
    };
    std::thread::scope(|scope| {
        let builder = || std::thread::Builder::new().stack_size(mcve_transforms::STACK);
        let threads: Vec<_> = (0..THREADS).map(|_| builder().spawn_scoped(scope, work)).collect::<Result<_, _>>()?;
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| anyhow!("what panics has said so"))?)
    })?;
    Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Reduces a case, with one worker.
fn one(case: &Case, without: Option<&str>) -> anyhow::Result<Outcome> {
    let interrupt = Arc::new(AtomicBool::new(false));
    let mut counter = Counter::new(CHECKS, Arc::clone(&interrupt));
    let mut schedule = Schedule::default();
    for filter in counter.filters() {
        schedule.filters = schedule.filters.with(filter);
    }
    let results = tempfile::tempdir()?;
    let [corpus, others] = SECONDS;
    let seconds = if case.is_corpus { corpus } else { others };
    let deadline = Some(Instant::now() + Duration::from_secs(seconds));
    let session = Session::new(None, Limits { deadline, interrupt, ..Limits::default() }, None, None)?;
    let problem = Problem {
        program: case.program.clone(),
        oracle: Arc::clone(&case.oracle),
        executor: Arc::clone(&case.executor),
        runs: Runs { accept_trivial: true, ..Runs::default() },
        notes: Vec::new(),
    };
    let plan = Plan {
        schedule,
        transforms: transforms().filter(|transform| Some(transform.name) != without).collect(),
        layers: Layers { speculation: false, ..Layers::default() },
        ..Plan::new(case.program.name.clone(), Output::at(&results.path().join("out.rs"))?)
    };
    let summary = reduce(&problem, &session, &plan, &mut counter);
    let summary = summary.map_err(|refusal| anyhow!("{}: {refusal:?}", case.name))?;
    Ok(Outcome { summary, counts: counter.counts() })
}

/// Whether a run came to its end.
pub(super) fn is_complete(outcome: &Outcome) -> bool {
    outcome.summary.ending == Ending::Complete
}
