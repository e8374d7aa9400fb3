//! `mcve reduce`: the smallest program that still fails.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcve_transforms::{Reduction, Transform};

use super::ui_test::UiTests;
use crate::check::baseline::{Runs, baseline, check_again, refuse_trivial};
use crate::check::cause::hold_cause;
use crate::check::checks::{Checks, Continuation};
use crate::check::confirm::try_fork_server;
use crate::check::hindrances::without_hindrances;
use crate::check::layers::Layers;
use crate::check::limits::{Limits, Stop};
use crate::check::queries::{hidden_errors, passes, query};
use crate::check::refusal::Refusal;
use crate::check::request::Query;
use crate::event::{Ending, Event, Nobody, Observer, Summary};
use crate::exec::job::{End, Executor, JobResult};
use crate::oracle::headers::Trust;
use crate::oracle::{Condition, FailureId, Oracle};
use crate::output::{Output, ResultFile, put, put_aside_message};
use crate::program::Program;
use crate::search::by_generator::ByGenerator;
use crate::search::engine::{Keep, Search};
use crate::search::filters::Phase;
use crate::search::passes::arguments::drop_unnamed;
use crate::search::passes::format::format;
use crate::search::passes::pipeline;
use crate::search::passes::schedule::Schedule;
use crate::state::journal::Journal;

/// The time after the budget in which the best program is tidied up.
const GRACE: Duration = Duration::from_secs(4);

/// A program to reduce, and how.
pub struct Config {
    /// The file that the user named.
    pub input: PathBuf,
    /// The program that it holds.
    pub program: Program,
    /// How the program was made, if a generator made it.
    pub made: Option<ByGenerator>,
    /// The destination of the result.
    pub output: Output,
    /// Whether the result replaces the (backed up) files of the program at the end, with nothing left at its destination. An
    /// interrupted run leaves its result there, so that it can be resumed.
    pub in_place: bool,
    /// Judges candidates.
    pub oracle: Arc<dyn Oracle>,
    /// Runs checks.
    pub executor: Arc<dyn Executor>,
    /// How the program is checked at the start.
    pub runs: Runs,
    /// How many checks run at once.
    pub jobs: usize,
    /// The limits that stop the search early.
    pub limits: Limits,
    /// The passes.
    pub schedule: Schedule,
    /// The transforms to use.
    pub transforms: Vec<&'static Transform>,
    /// The layers that decide candidates.
    pub layers: Layers,
    /// The results of earlier runs, to which this run adds its own.
    pub journal: Journal,
    /// The path to pass to `mcve resume`.
    pub place: PathBuf,
    /// The folder for other failures that candidates show, if they are to be recorded.
    pub finds: Option<PathBuf>,
    /// Whether candidates of a failing run must pass with the changes with which the unreduced program passes.
    pub holds_pair: bool,
    /// A version that passes, if the user knows one.
    pub fixed: Option<Program>,
    /// Whether the result is written as a test of rustc's suite, and which of its headers are then followed.
    pub as_ui_test: Option<Trust>,
}

/// Reduces a program: baseline, its generator if it has one, passes, proof, layout.
///
/// # Errors
/// When the program does not fail, or a check cannot be run, or the result cannot be written. An interrupt and a spent
/// budget are no errors: the best so far is kept.
pub fn reduce(config: Config, observer: &mut dyn Observer) -> Result<Summary, Refusal> {
    let (start, config) = (Instant::now(), &config);
    // A diagnostic is identified by its names, so they are traced.
    let is_question = config.oracle.properties().is_question;
    let is_run = config.oracle.properties().is_of_run;
    let holds_cause = config.holds_pair && is_run || config.fixed.is_some();
    let unreduced = if is_question || holds_cause { config.program.clone().traced() } else { config.program.clone() };
    let mut checks = checks(config)?;
    check_baseline(&mut checks, config, &unreduced, observer)?;
    // Early, so that an output that cannot be written is noticed before the search.
    config.record(&unreduced, observer)?;
    report_baseline(config, &unreduced, observer);
    let mut first = config.start(&mut checks, &unreduced)?;
    if holds_cause {
        // The changes are those of the program that the search begins with.
        first = first.traced();
        observer.event(&Event::PassStarted { pass: "cause" });
        checks = hold_cause(checks, &first, config.fixed.as_ref(), observer)?;
    }

    let put_aside = RefCell::new(Vec::new());
    let mut keep = |program: &Program| {
        put_aside.borrow_mut().extend(config.output.keep(program, &config.input)?);
        Ok(())
    };
    let search = Search::new(first, config.transforms.clone(), checks, observer, &mut keep);
    let mut search = search.with_schedule(&config.schedule);
    let ending = match pipeline::run(&mut search, config.made.clone(), &config.schedule) {
        Ok(()) => Ending::Complete,
        Err(Stop::Budget) => Ending::Budget,
        Err(Stop::Interrupted) => Ending::Interrupted,
        Err(stop) => return Err(Refusal::Stop(stop)),
    };
    // After this point an interrupt finds a checked result.
    let seen = if ending == Ending::Complete { rerun(&mut search) } else { None };
    if ending == Ending::Complete {
        warn_hidden_errors(&mut search);
    }
    let is_measured = ending == Ending::Complete && config.oracle.properties().is_of_usage;
    let messages =
        if seen.is_some() && is_run || is_measured { changed_messages(&mut search, &unreduced) } else { None };
    let difference = if seen.is_some() { difference(&mut search) } else { None };
    search.conclude();
    if ending != Ending::Complete {
        // Nobody wants to read what a search left in the middle, or to install what it does not use.
        search.go_on_for(GRACE);
        let _ = drop_unnamed(&mut search);
        let _ = format(&mut search);
        search.conclude();
    }
    if let Some(tokens) = config.journal.standing() {
        config.keep_over(tokens, ending, &mut search)?;
    }
    put_aside.borrow().iter().for_each(|aside| config.warn_put_aside(aside, search.observer));
    let best = search.best().clone();
    let result = config.result(best, &unreduced, ending, search.observer)?;
    let passing = passing(&mut search, &result);
    let has_conditions = !config.oracle.conditions().is_empty();
    let first = if has_conditions { result_of(&mut search, &result) } else { None };
    let (output, command) = config.finish(&unreduced, &result, first.as_deref(), ending, search.observer)?;
    let is_put = config.is_put(ending);
    let (FailureId { words: failure, fingerprint }, tally) = (config.oracle.failure(), search.checks.tally);
    let ((before, lines_before), (after, lines_after)) = (unreduced.size(), result.size());
    let summary = Summary {
        ending,
        one_minimal: ending == Ending::Complete,
        before,
        lines_before,
        after,
        lines_after,
        checks: tally.checks,
        cache_hits: tally.cache_hits,
        recalled: tally.recalled,
        wall: start.elapsed(),
        failure,
        fingerprint,
        seen,
        messages,
        difference,
        flaky: search.checks.flaky().map(|flaky| (flaky.input, flaky.runs)),
        command,
        output,
        passing,
        program: result,
        finds: None,
        resume: (ending != Ending::Complete && !is_put && config.journal.is_written()).then(|| config.place.clone()),
    };
    search.observer.event(&Event::Finished(Box::new(summary.clone())));
    Ok(summary)
}

fn unwritten(error: std::io::Error) -> Refusal {
    Refusal::Stop(Stop::Output(error))
}

/// The layers that decide candidates.
fn checks(config: &Config) -> Result<Checks, Refusal> {
    let (oracle, executor) = (Arc::clone(&config.oracle), Arc::clone(&config.executor));
    let checks = Checks::new(oracle, executor, config.jobs, config.limits.clone()).map_err(Refusal::Stop)?;
    Ok(checks.with_journal(config.journal.clone()).with_layers(config.layers).with_finds(config.finds.clone()))
}

/// Checks that the program fails, and that an empty one does not.
fn check_baseline(
    checks: &mut Checks,
    config: &Config,
    program: &Program,
    observer: &mut dyn Observer,
) -> Result<(), Refusal> {
    let next = continuation(program, config.made.clone(), config.runs, &config.transforms, &config.schedule);
    baseline(checks, program, config.runs, Some(next), observer)?;
    if !config.runs.accept_trivial {
        refuse_trivial(checks, program, observer)?;
    }
    try_fork_server(checks, program, observer).map_err(Refusal::Stop)
}

fn report_baseline(config: &Config, program: &Program, observer: &mut dyn Observer) {
    let FailureId { words: failure, fingerprint } = config.oracle.failure();
    let ((measure, lines), shown) = (program.size(), config.oracle.failures());
    observer.event(&Event::Baseline { failure, fingerprint, shown, measure, lines, unit: program.language.unit() });
}

/// Runs the result again if runs can end differently: the numbers of failing and of all runs. The output of a compiler does
/// not vary, and was confirmed.
fn rerun(search: &mut Search<'_>) -> Option<(usize, usize)> {
    let varies = search.checks.oracle().properties().runs_candidates || search.checks.flaky().is_some();
    let best = search.best().clone();
    varies.then(|| check_again(&mut search.checks, &best, search.observer).ok()).flatten()
}

/// The messages of the failure in the unreduced program and in the result, if they differ.
fn changed_messages(search: &mut Search<'_>, unreduced: &Program) -> Option<(String, String)> {
    let best = search.best().clone();
    let mut message = |program: &Program| {
        let result = result_of(search, program)?;
        search.checks.oracle().message(&result)
    };
    let messages = (message(unreduced)?, message(&best)?);
    (messages.0 != messages.1).then_some(messages)
}

/// The result with a small change, and how it passes with that, by a fresh process: a change that is held as the cause, or else the
/// nearest one.
fn passing(search: &mut Search<'_>, result: &Program) -> Option<(Program, String)> {
    let oracle = Arc::clone(search.checks.oracle());
    for condition in oracle.conditions() {
        let Some(changed) = condition.changed(result) else { continue };
        let job = condition.job(result, &JobResult::ended(End::Exited(0))).ok();
        let ran = query(&mut search.checks, Query::Values, &changed, job).ok()??;
        if condition.broken(&ran, &ran).is_none() {
            let is_of_run = oracle.properties().is_of_run;
            return Some((changed, if is_of_run { "it passes".to_owned() } else { oracle.verdict(&ran).reason }));
        }
    }
    let (change, base) = search.nearest.take()?;
    // The change is traced to the program that it was found for, and names are to the unreduced one.
    let changed = result.with_text(change.apply(&base.with_text(Arc::clone(&result.text)))?.text);
    let how = passes(&mut search.checks, &changed).ok()??;
    Some((changed, how))
}

/// How what the result prints differs between the configurations that are compared.
fn difference(search: &mut Search<'_>) -> Option<String> {
    let best = search.best().clone();
    let result = result_of(search, &best)?;
    search.checks.oracle().difference(&result)
}

/// The result of a check of `program`.
fn result_of(search: &mut Search<'_>, program: &Program) -> Option<Arc<JobResult>> {
    let job = search.checks.oracle().job(program);
    query(&mut search.checks, Query::Check, program, Some(job)).ok()?
}

fn warn_hidden_errors(search: &mut Search<'_>) {
    let best = search.best().clone();
    let hidden = hidden_errors(&mut search.checks, &best).unwrap_or_default();
    if !hidden.is_empty() {
        let message = format!("behind the crash the result has errors: {}", hidden.join("; "));
        search.observer.event(&Event::Warning { message });
    }
}

impl Config {
    /// The program that the search begins with. With a given neighbour it is the unreduced one, as the change is between these two.
    fn start(&self, checks: &mut Checks, unreduced: &Program) -> Result<Program, Refusal> {
        if self.fixed.is_some() || checks.flaky().is_some() {
            return Ok(unreduced.clone());
        }
        let proposes = |reduction: &Reduction| self.schedule.filters.propose(Phase::Passes, unreduced, reduction);
        without_hindrances(checks, unreduced, &self.transforms, proposes).map_err(Refusal::Stop)
    }

    /// Writes a program to the destination of the result, if the journal had another one there.
    fn record(&self, program: &Program, observer: &mut dyn Observer) -> Result<(), Refusal> {
        if self.journal.record_best(program.result_hash(), program.size().0.tokens) {
            let aside = self.output.keep(program, &self.input).map_err(unwritten)?;
            aside.iter().for_each(|aside| self.warn_put_aside(aside, observer));
        }
        Ok(())
    }

    /// Keeps the best program where the result holds one of so many tokens from before, which is not larger. A search that was
    /// complete replaces it, by a copy if it is smaller.
    fn keep_over(&self, tokens: usize, ending: Ending, search: &mut Search<'_>) -> Result<(), Refusal> {
        let Some((file, path)) = self.output.file().zip(self.output.path()) else { return Ok(()) };
        let (best, shown) = (search.best().clone(), path.display());
        let own = best.size().0.tokens;
        let what = format!("{shown} holds the result of an earlier run, of {tokens} tokens and not {own}");
        if ending == Ending::Complete {
            let aside = if tokens < own { file.put_earlier_aside().map_err(unwritten)? } else { None };
            let warnings = aside.iter().map(|aside| format!("{what}: a copy is kept as {}", aside.display()));
            warnings.for_each(|message| search.observer.event(&Event::Warning { message }));
            self.output.keep(&best, &self.input).map_err(unwritten)?;
        } else if tokens < own {
            search.observer.event(&Event::Warning { message: format!("{what}: it stays") });
        }
        Ok(())
    }

    /// Warns that an older file at the destination was moved aside.
    fn warn_put_aside(&self, aside: &Path, observer: &mut dyn Observer) {
        let message = put_aside_message(self.output.path().unwrap_or(aside), aside);
        observer.event(&Event::Warning { message });
    }

    /// The result: the best program, or a test of rustc's suite made of it.
    fn result(
        &self,
        best: Program,
        unreduced: &Program,
        ending: Ending,
        observer: &mut dyn Observer,
    ) -> Result<Program, Refusal> {
        let Some(trust) = self.as_ui_test.filter(|_| ending != Ending::Interrupted) else { return Ok(best) };
        // The time limit applies to the search only.
        let limits = &Limits { deadline: None, ..self.limits.clone() };
        let tests = UiTests { input: unreduced, oracle: &*self.oracle, executor: &*self.executor, trust, limits };
        match tests.write(&best) {
            Ok(test) => {
                // Recorded first, as the file will hold just this.
                self.record(&test, observer)?;
                Ok(test)
            }
            Err(error) => {
                let message = format!("the result is no test of rustc's suite: {error:#}");
                observer.event(&Event::Warning { message });
                Ok(best)
            }
        }
    }

    /// Whether the result replaces the program.
    fn is_put(&self, ending: Ending) -> bool {
        self.in_place && ending != Ending::Interrupted
    }

    /// Writes the result, whose check has the result `first`; returns its path, if it has one, and the command that shows the
    /// failure there.
    fn finish(
        &self,
        unreduced: &Program,
        result: &Program,
        first: Option<&JobResult>,
        ending: Ending,
        observer: &mut dyn Observer,
    ) -> Result<(Option<PathBuf>, String), Refusal> {
        self.output.finish(result, &self.input).map_err(unwritten)?;
        if self.is_put(ending) {
            let aside = put(&self.input, unreduced, result).map_err(unwritten)?;
            aside.into_iter().for_each(|message| observer.event(&Event::Warning { message }));
            self.output.file().map_or(Ok(()), ResultFile::discard).map_err(unwritten)?;
        }
        let place = if self.is_put(ending) { Some(self.input.clone()) } else { self.output.place(result) };
        let file = place.as_deref().filter(|_| self.output.file().is_some());
        let file = file.unwrap_or(Path::new("FILE"));
        let after = |condition: &Arc<dyn Condition>| Some(condition.command_after(result, file, first?));
        let after = self.oracle.conditions().iter().filter_map(after).filter(|line| !line.is_empty());
        let commands: Vec<String> = [self.oracle.command(result, file)].into_iter().chain(after).collect();
        Ok((place, commands.join("; ")))
    }
}

/// The search that follows on the baseline.
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
