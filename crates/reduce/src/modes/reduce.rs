//! `mcve reduce`: the smallest program that still fails.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use mcve_transforms::Transform;

use super::ui_test::UiTests;
use crate::check::baseline::{Runs, baseline, check_again, refuse_trivial};
use crate::check::checks::{Checks, Continuation};
use crate::check::confirm::try_fork_server;
use crate::check::layers::Layers;
use crate::check::limits::{Limits, Stop};
use crate::check::queries::hidden_errors;
use crate::check::refusal::Refusal;
use crate::event::{Ending, Event, Nobody, Observer, Summary};
use crate::exec::job::Executor;
use crate::oracle::headers::Trust;
use crate::oracle::{FailureId, Oracle};
use crate::output::{Output, ResultFile, put, put_aside_message};
use crate::program::Program;
use crate::search::by_generator::ByGenerator;
use crate::search::engine::{Keep, Search};
use crate::search::passes::pipeline;
use crate::search::passes::schedule::Schedule;
use crate::state::journal::Journal;

/// What is to be reduced, and how.
pub struct Config {
    /// The file that the user named.
    pub input: PathBuf,
    /// What it holds.
    pub program: Program,
    /// How it was made, if a generator made it.
    pub made: Option<ByGenerator>,
    /// Where the result goes.
    pub output: Output,
    /// Whether the files of the result take the place of those of the program at the end, and nothing stays where results go. All
    /// were backed up. A run that is interrupted leaves its result there, so that it can be resumed.
    pub in_place: bool,
    /// Judges candidates.
    pub oracle: Arc<dyn Oracle>,
    /// Runs checks.
    pub executor: Arc<dyn Executor>,
    /// How the program is checked at the beginning.
    pub runs: Runs,
    /// How many checks run at once.
    pub jobs: usize,
    /// When the search stops before its end.
    pub limits: Limits,
    /// The passes.
    pub schedule: Schedule,
    /// The transforms to use.
    pub transforms: Vec<&'static Transform>,
    /// The layers that decide candidates.
    pub layers: Layers,
    /// What an earlier run found, and where this one writes down what it finds.
    pub journal: Journal,
    /// What to name to `mcve resume`.
    pub place: PathBuf,
    /// The folder for other failures that candidates show, if they are to be told.
    pub finds: Option<PathBuf>,
    /// Whether the result is written as a test of rustc's suite, and which of its headers are followed then.
    pub as_ui_test: Option<Trust>,
}

/// Reduces a program: baseline, its generator if it has one, passes, proof, layout.
///
/// # Errors
/// When the program does not fail, or a check cannot be run, or the result cannot be written. An interrupt and a spent
/// budget are no errors: the best so far is kept.
pub fn reduce(config: Config, observer: &mut dyn Observer) -> Result<Summary, Refusal> {
    let Config {
        input,
        program,
        made,
        output,
        in_place,
        oracle,
        executor,
        runs,
        jobs,
        limits,
        schedule,
        transforms,
        layers,
        journal,
        place,
        finds,
        as_ui_test,
    } = config;
    let start = Instant::now();
    // A diagnostic is known by its names, which are followed.
    let program = if oracle.advice().properties().is_question { program.traced() } else { program };
    let unreduced = program.clone();
    let (tests_run_by, tests_end_by) = (Arc::clone(&executor), limits.clone());
    let checks = Checks::new(Arc::clone(&oracle), executor, jobs, limits).map_err(|source| {
        let doing = "cannot start the threads that check, fewer of them by --jobs".to_owned();
        Refusal::Stop(Stop::Exec(crate::exec::job::ExecError { doing, source }))
    })?;
    let mut checks = checks.with_journal(journal.clone()).with_layers(layers).with_finds(finds);
    let next = continuation(&program, made.clone(), runs, &transforms, &schedule);
    baseline(&mut checks, &program, runs, Some(next), observer)?;
    if !runs.accept_trivial {
        refuse_trivial(&mut checks, &program, observer)?;
    }
    try_fork_server(&mut checks, &program, observer).map_err(Refusal::Stop)?;
    // Early, so that an output that cannot be written is told before the work and not after it.
    if journal.record_best(program.result_hash()) {
        let aside = output.keep(&program, &input).map_err(|error| Refusal::Stop(Stop::Output(error)))?;
        aside.iter().for_each(|aside| warn_put_aside(&output, aside, observer));
    }
    let (before, lines_before) = program.size();
    let (FailureId { words: failure, fingerprint }, shown) = (oracle.failure(), oracle.advice().failures());
    let fingerprint = fingerprint.map(|fingerprint| fingerprint.to_string());
    let told = fingerprint.clone();
    observer.event(&Event::Baseline { failure, fingerprint: told, shown, measure: before, lines: lines_before });

    let put_aside = RefCell::new(Vec::new());
    let mut keep = |program: &Program| {
        put_aside.borrow_mut().extend(output.keep(program, &input)?);
        Ok(())
    };
    let mut search = Search::new(program, transforms, checks, observer, &mut keep).with_schedule(&schedule);
    let (ending, one_minimal) = match pipeline::run(&mut search, made, &schedule) {
        Ok(()) => (Ending::Complete, true),
        Err(Stop::Budget) => (Ending::Budget, false),
        Err(Stop::Interrupted) => (Ending::Interrupted, false),
        Err(stop) => return Err(Refusal::Stop(stop)),
    };
    let seen = match ending {
        // What a compiler says of a text does not vary, and was confirmed. An interrupt that comes now finds a result that was
        // checked.
        Ending::Complete if oracle.advice().properties().runs_candidates || search.checks.flaky().is_some() => {
            let best = search.best().clone();
            check_again(&mut search.checks, &best, search.observer).ok()
        }
        Ending::Complete | Ending::Budget | Ending::Interrupted => None,
    };
    if ending == Ending::Complete {
        let best = search.best().clone();
        let hidden = hidden_errors(&mut search.checks, &best).unwrap_or_default();
        if !hidden.is_empty() {
            let message = format!("behind the crash the result has errors: {}", hidden.join("; "));
            search.observer.event(&Event::Warning { message });
        }
    }
    search.conclude();
    if ending == Ending::Complete && journal.is_astray() {
        output.keep(search.best(), &input).map_err(|error| Refusal::Stop(Stop::Output(error)))?;
    }
    put_aside.borrow().iter().for_each(|aside| warn_put_aside(&output, aside, search.observer));
    let result = match as_ui_test.filter(|_| ending != Ending::Interrupted) {
        None => search.best().clone(),
        Some(trust) => {
            // The budget is for the search.
            let limits = Limits { deadline: None, ..tests_end_by };
            let tests =
                UiTests { input: &unreduced, oracle: &*oracle, executor: &*tests_run_by, trust, limits: &limits };
            match tests.write(search.best()) {
                Ok(test) => {
                    // Written down first, as all that the file holds.
                    if journal.record_best(test.result_hash()) {
                        let aside = output.keep(&test, &input).map_err(|error| Refusal::Stop(Stop::Output(error)))?;
                        aside.iter().for_each(|aside| warn_put_aside(&output, aside, search.observer));
                    }
                    test
                }
                Err(error) => {
                    let message = format!("the result is no test of rustc's suite: {error:#}");
                    search.observer.event(&Event::Warning { message });
                    search.best().clone()
                }
            }
        }
    };
    output.finish(&result, &input).map_err(|error| Refusal::Stop(Stop::Output(error)))?;
    let is_put = in_place && ending != Ending::Interrupted;
    if is_put {
        let aside = put(&input, &unreduced, &result).map_err(|error| Refusal::Stop(Stop::Output(error)))?;
        aside.into_iter().for_each(|message| search.observer.event(&Event::Warning { message }));
        let discarded = output.file().map_or(Ok(()), ResultFile::discard);
        discarded.map_err(|error| Refusal::Stop(Stop::Output(error)))?;
    }
    let place_of_result = if is_put { Some(input.clone()) } else { output.place(&result) };
    let file = place_of_result.as_deref().filter(|_| output.file().is_some());
    let (after, lines_after) = result.size();
    let summary = Summary {
        ending,
        one_minimal,
        before,
        lines_before,
        after,
        lines_after,
        checks: search.checks.tally.checks,
        cache_hits: search.checks.tally.cache_hits,
        recalled: search.checks.tally.recalled,
        wall: start.elapsed(),
        failure: oracle.failure().words,
        fingerprint,
        seen,
        flaky: search.checks.flaky().map(|flaky| (flaky.input, flaky.runs)),
        command: oracle.command(&result, file.unwrap_or(Path::new("FILE"))),
        output: place_of_result,
        program: result,
        finds: None,
        resume: (ending != Ending::Complete && !is_put && journal.is_written()).then_some(place),
    };
    search.observer.event(&Event::Finished(Box::new(summary.clone())));
    Ok(summary)
}

/// Tells that what stood where the result goes was put aside.
fn warn_put_aside(output: &Output, aside: &Path, observer: &mut dyn Observer) {
    let message = put_aside_message(output.path().unwrap_or(aside), aside);
    observer.event(&Event::Warning { message });
}

/// What follows on the baseline.
fn continuation(
    program: &Program,
    made: Option<ByGenerator>,
    runs: Runs,
    transforms: &[&'static Transform],
    schedule: &Schedule,
) -> Continuation {
    let (program, transforms, schedule) = (program.clone(), transforms.to_vec(), schedule.clone());
    Arc::new(move |mut checks| {
        if !runs.accept_trivial {
            match refuse_trivial(&mut checks, &program, &mut Nobody) {
                Err(Refusal::Stop(stop)) => return Err(stop),
                // Then there is no search.
                Err(_) => return Ok(()),
                Ok(()) => {}
            }
        }
        let (program, transforms) = (program.clone(), transforms.clone());
        let (observer, keep): (&mut dyn Observer, &mut Keep<'_>) = (&mut Nobody, &mut |_| Ok(()));
        let search = Search::new(program, transforms, checks, observer, keep);
        pipeline::run(&mut search.with_schedule(&schedule), made.clone(), &schedule)
    })
}
