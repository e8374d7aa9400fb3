//! `mcve reduce`: the smallest program that still fails.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcve_transforms::{Reduction, Transform, transforms};

use super::ui_test::UiTests;
use crate::check::baseline::{Runs, baseline, check_again, refuse_trivial};
use crate::check::carve::carve;
use crate::check::cause::Cause;
use crate::check::checks::{Checks, Continuation, Tally};
use crate::check::confirm::try_fork_server;
use crate::check::hindrances::without_hindrances;
use crate::check::layers::Layers;
use crate::check::limits::{Limits, Stop, ending};
use crate::check::queries::{hidden_errors, passes, places, query};
use crate::check::refusal::Refusal;
use crate::check::request::Query;
use crate::event::{Ending, Event, Flaky, Messages, Nobody, Observer, Rate, Summary};
use crate::exec::job::{End, JobResult};
use crate::failure::problem::Problem;
use crate::oracle::headers::Trust;
use crate::oracle::{Condition, FailureId, Oracle};
use crate::output::{Output, ResultFile, put, put_aside_message};
use crate::program::Program;
use crate::search::by_generator::ByGenerator;
use crate::search::engine::{Keep, Search};
use crate::search::filters::Phase;
use crate::search::passes::arguments::drop_unnamed;
use crate::search::passes::format::{format, formatted_like};
use crate::search::passes::pipeline;
use crate::search::passes::schedule::Schedule;
use crate::session::Session;

/// The time after the budget in which the best program is tidied up.
const GRACE: Duration = Duration::from_secs(4);

/// Fewer checks that time out are not mentioned.
const TIMEOUTS: usize = 5;

/// How a program is reduced, and where the result goes.
pub struct Plan {
    /// The file that the user named.
    pub input: PathBuf,
    /// How the program was made, if a generator made it.
    pub made: Option<ByGenerator>,
    /// The destination of the result.
    pub output: Output,
    /// Whether the result replaces the (backed up) files of the program at the end, with nothing left at its destination. An
    /// interrupted run leaves its result there, so that it can be resumed.
    pub in_place: bool,
    /// The passes.
    pub schedule: Schedule,
    /// The transforms to use.
    pub transforms: Vec<&'static Transform>,
    /// The layers that decide candidates.
    pub layers: Layers,
    /// The path to pass to `mcve resume`.
    pub place: PathBuf,
    /// The folder for other failures that candidates show, if they are to be recorded.
    pub finds: Option<PathBuf>,
    /// Whether candidates of a failing run must pass with the changes with which the unreduced program passes.
    pub holds_pair: bool,
    /// Whether the program is replaced by the innermost call that goes wrong, where a change shows the cause.
    pub carves: bool,
    /// A version that passes, if the user knows one.
    pub fixed: Option<Program>,
    /// Whether the result is written as a test of rustc's suite, and which of its headers are then followed.
    pub as_ui_test: Option<Trust>,
}

impl Plan {
    /// The plan to reduce `input` by all that there is, without holding a cause.
    pub fn new(input: PathBuf, output: Output) -> Self {
        Self {
            input,
            made: None,
            output,
            in_place: false,
            schedule: Schedule::default(),
            transforms: transforms().collect(),
            layers: Layers::default(),
            place: PathBuf::new(),
            finds: None,
            holds_pair: false,
            carves: false,
            fixed: None,
            as_ui_test: None,
        }
    }
}

/// A reduction under way.
#[derive(Clone, Copy)]
struct Run<'a> {
    problem: &'a Problem,
    session: &'a Session,
    plan: &'a Plan,
}

/// Reduces a program: baseline, its generator if it has one, passes, proof, layout.
///
/// # Errors
/// When the program does not fail, or a check cannot be run, or the result cannot be written. An interrupt and a spent
/// budget are no errors: the best so far is kept.
pub fn reduce(
    problem: &Problem,
    session: &Session,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<Summary, Refusal> {
    let (start, run) = (Instant::now(), Run { problem, session, plan });
    let (mut oracle, program) = (Arc::clone(&problem.oracle), &problem.program);
    // A diagnostic is identified by its names, so they are traced.
    let is_question = oracle.properties().is_question;
    let is_run = oracle.properties().is_of_run;
    let holds_cause = plan.holds_pair && is_run || plan.fixed.is_some();
    let unreduced = if is_question || holds_cause { program.clone().traced() } else { program.clone() };
    let mut checks = run.checks()?;
    run.check_input(&mut checks, &unreduced, observer)?;
    // Early, so that an output that cannot be written is noticed before the search.
    run.record(&unreduced, observer)?;
    problem.report(observer);
    let mut first = run.start(&mut checks, &unreduced)?;
    let put_aside = RefCell::new(Vec::new());
    let mut keep = |program: &Program| {
        put_aside.borrow_mut().extend(plan.output.keep(program, &plan.input)?);
        Ok(())
    };
    if holds_cause {
        (checks, first, oracle) = run.hold_cause(checks, first, observer, &mut keep)?;
    }
    let search = Search::new(first, plan.transforms.clone(), checks, observer, &mut keep);
    let mut search = search.with_schedule(&plan.schedule);
    let ending = ending(pipeline::run(&mut search, plan.made.clone(), &plan.schedule))?;
    // After this point an interrupt finds a checked result.
    let seen = if ending == Ending::Complete { rerun(&mut search) } else { None };
    let hidden_errors = if ending == Ending::Complete { warn_hidden_errors(&mut search) } else { Vec::new() };
    let is_measured = ending == Ending::Complete && oracle.properties().is_of_usage;
    let messages =
        if seen.is_some() && is_run || is_measured { changed_messages(&mut search, &unreduced) } else { None };
    let difference = if seen.is_some() { difference(&mut search) } else { None };
    search.conclude();
    if ending != Ending::Complete {
        // Nobody wants to read what a search left in the middle, or to install what it does not use.
        search.checks.clock.go_on_for(GRACE);
        let _ = drop_unnamed(&mut search);
        let _ = format(&mut search, plan.schedule.naming.readable);
        search.conclude();
    }
    if let Some(tokens) = session.journal.standing() {
        run.keep_over(tokens, ending, &mut search)?;
    }
    put_aside.borrow().iter().for_each(|aside| run.warn_put_aside(aside, search.observer));
    let best = search.best().clone();
    let result = run.result(best, &unreduced, ending, search.observer)?;
    let at = place(&mut search, &result);
    let passing = passing(&mut search, &result);
    let has_conditions = !oracle.conditions().is_empty();
    let first = if has_conditions { result_of(&mut search, &result) } else { None };
    let (output, command) = run.finish(&unreduced, &result, first.as_deref(), ending, search.observer)?;
    let is_put = run.is_put(ending);
    if plan.schedule.naming.scrub && search.left.is_none() {
        let message = "the result is not scrubbed, as the run ended before that".to_owned();
        search.observer.event(&Event::Warning { message });
    }
    warn_timeouts(search.checks.tally, search.observer);
    let (FailureId { words: failure, fingerprint }, tally) = (oracle.failure(), search.checks.tally);
    let summary = Summary {
        ending,
        one_minimal: ending == Ending::Complete,
        before: unreduced.size(),
        after: result.size(),
        checks: tally.checks,
        cache_hits: tally.cache_hits,
        recalled: tally.recalled,
        seconds: start.elapsed().as_secs_f64(),
        failure,
        fingerprint,
        seen: seen.map(|(times, runs)| Rate { times, runs }),
        hidden_errors,
        messages,
        difference,
        flaky: search.checks.flaky().map(|((times, runs), all_runs)| Flaky { input: Rate { times, runs }, all_runs }),
        command,
        output,
        at,
        is_unexplained: holds_cause && is_run && passing.is_none() && !problem.oracle.says_how_it_passes(),
        passing,
        left: search.left.take(),
        program: result,
        finds: None,
        resume: (ending != Ending::Complete && !is_put && session.journal.is_written()).then(|| plan.place.clone()),
    };
    search.observer.event(&Event::Finished(Box::new(summary.clone())));
    Ok(summary)
}

/// None where the budget is spent or the user interrupts: then the search ends at once, with what there is.
fn unless_over<T>(done: Result<T, Refusal>) -> Result<Option<T>, Refusal> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(Refusal::Stop(Stop::Budget | Stop::Interrupted)) => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

fn unwritten(error: std::io::Error) -> Refusal {
    Refusal::Stop(Stop::Output(error))
}

/// Runs the result again if runs can differ, unlike those of a compiler: the numbers of failing and of all runs.
fn rerun(search: &mut Search<'_>) -> Option<(usize, usize)> {
    let varies = search.checks.oracle().properties().runs_candidates || search.checks.flaky().is_some();
    let best = search.best().clone();
    varies.then(|| check_again(&mut search.checks, &best, search.observer).ok()).flatten()
}

/// The messages of the failure in the unreduced program and in the result, if they differ.
fn changed_messages(search: &mut Search<'_>, unreduced: &Program) -> Option<Messages> {
    let best = search.best().clone();
    let mut message = |program: &Program| {
        let result = result_of(search, program)?;
        search.checks.oracle().message(&result)
    };
    let messages = Messages { before: message(unreduced)?, after: message(&best)? };
    (messages.before != messages.after).then_some(messages)
}

/// The result with the change that is held as the cause, or the nearest one, and how it passes by a fresh process.
fn passing(search: &mut Search<'_>, result: &Program) -> Option<(Program, String)> {
    let oracle = Arc::clone(search.checks.oracle());
    for condition in oracle.conditions() {
        let Some(changed) = condition.changed(result) else { continue };
        let job = condition.job(result, &JobResult::ended(End::Exited(0))).ok();
        let ran = query(&mut search.checks, Query::Values, &changed, job).ok()??;
        if condition.broken(&ran, &ran).is_none() {
            let is_of_run = oracle.properties().is_of_run;
            let how = if is_of_run { "it passes".to_owned() } else { oracle.verdict(&ran).reason };
            return Some((formatted_like(result, changed), how));
        }
    }
    let (change, base) = search.nearest.take()?;
    // The change is traced to the program that it was found for, and names are to the unreduced one.
    let changed = result.with_text(change.apply(&base.with_text(Arc::clone(&result.text)))?.text);
    let how = passes(&mut search.checks, &changed).ok()??;
    Some((formatted_like(result, changed), how))
}

/// How what the result prints differs between the configurations that are compared.
fn difference(search: &mut Search<'_>) -> Option<String> {
    let best = search.best().clone();
    let result = result_of(search, &best)?;
    search.checks.oracle().difference(&result)
}

fn result_of(search: &mut Search<'_>, program: &Program) -> Option<Arc<JobResult>> {
    let job = search.checks.oracle().job(program);
    query(&mut search.checks, Query::Check, program, Some(job)).ok()?
}

/// The line of the result that its failure names.
fn place(search: &mut Search<'_>, result: &Program) -> Option<usize> {
    if !result.is_lone() {
        return None;
    }
    let places = places(&mut search.checks, result).ok()?;
    let (_, above) = result.place(*places.bytes.first()?);
    Some(above.matches('\n').count() + 1)
}

fn warn_hidden_errors(search: &mut Search<'_>) -> Vec<String> {
    let best = search.best().clone();
    let hidden = hidden_errors(&mut search.checks, &best).unwrap_or_default();
    if !hidden.is_empty() {
        let message = format!("behind the crash the result has errors: {}", hidden.join("; "));
        search.observer.event(&Event::Warning { message });
    }
    hidden
}

/// Warns where many checks timed out: on a busy machine these may be candidates that fail as they should.
fn warn_timeouts(tally: Tally, observer: &mut dyn Observer) {
    if tally.timed_out >= TIMEOUTS && tally.timed_out * 10 > tally.checks {
        let (timed_out, checks) = (tally.timed_out, tally.checks);
        let message = format!(
            "{timed_out} of {checks} checks timed out; if the machine is busy, `--timeout` gives them more time"
        );
        observer.event(&Event::Warning { message });
    }
}

impl Run<'_> {
    /// The layers that decide candidates.
    fn checks(self) -> Result<Checks, Refusal> {
        let Self { problem, session, plan } = self;
        let (oracle, executor) = (Arc::clone(&problem.oracle), Arc::clone(&problem.executor));
        let jobs = session.jobs.max(executor.slots_elsewhere());
        let checks = Checks::new(oracle, executor, jobs, session.limits.clone())?;
        Ok(checks.with_journal(session.journal.clone()).with_layers(plan.layers).with_finds(plan.finds.clone()))
    }

    /// Checks that the program fails, and that an empty one does not.
    fn check_input(self, checks: &mut Checks, program: &Program, observer: &mut dyn Observer) -> Result<(), Refusal> {
        let runs = self.problem.runs;
        baseline(checks, program, runs, Some(continuation(program, runs, self.plan)), observer)?;
        if !runs.accept_trivial {
            refuse_trivial(checks, program, observer)?;
        }
        Ok(try_fork_server(checks, program, observer)?)
    }

    /// The program that the search begins with. With a given neighbour it is the unreduced one, as the change is between these two.
    fn start(self, checks: &mut Checks, unreduced: &Program) -> Result<Program, Refusal> {
        if self.plan.fixed.is_some() || checks.flaky().is_some() {
            return Ok(unreduced.clone());
        }
        let proposes =
            |reduction: &Reduction| self.plan.schedule.filters.refuse(Phase::Passes, unreduced, reduction).is_none();
        without_hindrances(checks, unreduced, &self.plan.transforms, proposes).map_err(Refusal::Stop)
    }

    /// The begin and the judge of a search for a failing run: what runs, held to its cause, or the call that goes wrong.
    fn hold_cause(
        self,
        checks: Checks,
        first: Program,
        observer: &mut dyn Observer,
        keep: &mut Keep<'_>,
    ) -> Result<(Checks, Program, Arc<dyn Oracle>), Refusal> {
        let Self { problem, plan, .. } = self;
        // The changes are those of the program that the search begins with.
        let whole = first.traced();
        let mut search = Search::new(whole.clone(), plan.transforms.clone(), checks, observer, keep);
        if plan.fixed.is_none() && search.checks.flaky().is_none() {
            pipeline::keep_what_runs(&mut search, &plan.schedule);
        }
        let (mut checks, left) = search.into_parts();
        let uncarved = Arc::clone(checks.oracle());
        let first = left.clone().traced();
        observer.event(&Event::PassStarted { pass: "cause", doing: "looking for the cause" });
        let given: Vec<_> = plan.fixed.iter().map(|fixed| (fixed.clone(), "the given change".to_owned())).collect();
        let cause = Cause { whole: &whole, left: &left, program: &first, fixed: &given };
        let Some(shown) = unless_over(cause.hold(&mut checks, observer))? else { return Ok((checks, first, uncarved)) };
        let of_whole = Arc::clone(checks.oracle());
        // The conditions of the user are about what the program does.
        let may_carve = plan.carves && problem.oracle.conditions().is_empty();
        let carved = if may_carve { unless_over(carve(&mut checks, &first).map_err(Refusal::Stop))? } else { None };
        if let Some(carved) = carved.flatten() {
            checks.judge_by(Arc::clone(&carved.oracle));
            let (program, fixed) = (carved.program.traced(), carved.fixed.into_iter().zip(shown).collect::<Vec<_>>());
            let cause = Cause { whole: &program, left: &program, program: &program, fixed: &fixed };
            match cause.hold(&mut checks, &mut Nobody) {
                Ok(_) => {
                    observer.event(&Event::Note { message: format!("carved: {}", carved.words) });
                    return Ok((checks, program, carved.oracle));
                }
                failed @ Err(Refusal::Stop(_)) => _ = unless_over(failed)?,
                Err(_) => {}
            }
            checks.judge_by(of_whole);
        }
        Ok((checks, first, uncarved))
    }

    /// Writes a program to the destination of the result, if the journal had another one there.
    fn record(self, program: &Program, observer: &mut dyn Observer) -> Result<(), Refusal> {
        if self.session.journal.record_best(program.result_hash(), program.size().tokens) {
            let aside = self.plan.output.keep(program, &self.plan.input).map_err(unwritten)?;
            aside.iter().for_each(|aside| self.warn_put_aside(aside, observer));
        }
        Ok(())
    }

    /// Keeps the best program where the result holds one of so many tokens from before, which is not larger. A search that was
    /// complete replaces it, by a copy if it is smaller.
    fn keep_over(self, tokens: usize, ending: Ending, search: &mut Search<'_>) -> Result<(), Refusal> {
        let Some((file, path)) = self.plan.output.file().zip(self.plan.output.path()) else { return Ok(()) };
        let (best, shown) = (search.best().clone(), path.display());
        let own = best.size().tokens;
        let what = format!("{shown} holds the result of an earlier run, of {tokens} tokens and not {own}");
        if ending == Ending::Complete {
            let aside = if tokens < own { file.put_earlier_aside().map_err(unwritten)? } else { None };
            let warnings = aside.iter().map(|aside| format!("{what}: a copy is kept as {}", aside.display()));
            warnings.for_each(|message| search.observer.event(&Event::Warning { message }));
            self.plan.output.keep(&best, &self.plan.input).map_err(unwritten)?;
        } else if tokens < own {
            search.observer.event(&Event::Warning { message: format!("{what}: it stays") });
        }
        Ok(())
    }

    /// Warns that an older file at the destination was moved aside.
    fn warn_put_aside(self, aside: &Path, observer: &mut dyn Observer) {
        let message = put_aside_message(self.plan.output.path().unwrap_or(aside), aside);
        observer.event(&Event::Warning { message });
    }

    /// The result: the best program, or a test of rustc's suite made of it.
    fn result(
        self,
        best: Program,
        unreduced: &Program,
        ending: Ending,
        observer: &mut dyn Observer,
    ) -> Result<Program, Refusal> {
        let Some(trust) = self.plan.as_ui_test.filter(|_| ending != Ending::Interrupted) else { return Ok(best) };
        // The time limit applies to the search only.
        let limits = &Limits { deadline: None, ..self.session.limits.clone() };
        let Problem { oracle, executor, .. } = self.problem;
        let tests = UiTests { input: unreduced, oracle: &**oracle, executor: &**executor, trust, limits };
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
    fn is_put(self, ending: Ending) -> bool {
        self.plan.in_place && ending != Ending::Interrupted
    }

    /// Writes the result, whose check gave `first`. Returns its path, if any, and the command that shows the failure.
    fn finish(
        self,
        unreduced: &Program,
        result: &Program,
        first: Option<&JobResult>,
        ending: Ending,
        observer: &mut dyn Observer,
    ) -> Result<(Option<PathBuf>, String), Refusal> {
        self.plan.output.finish(result, &self.plan.input).map_err(unwritten)?;
        if self.is_put(ending) {
            let aside = put(&self.plan.input, unreduced, result).map_err(unwritten)?;
            aside.into_iter().for_each(|message| observer.event(&Event::Warning { message }));
            self.plan.output.file().map_or(Ok(()), ResultFile::discard).map_err(unwritten)?;
        }
        let place = if self.is_put(ending) { Some(self.plan.input.clone()) } else { self.plan.output.place(result) };
        let file = place.as_deref().filter(|_| self.plan.output.file().is_some());
        let file = file.unwrap_or(Path::new("FILE"));
        let after = |condition: &Arc<dyn Condition>| Some(condition.command_after(result, file, first?));
        let after = self.problem.oracle.conditions().iter().filter_map(after).filter(|line| !line.is_empty());
        let commands: Vec<String> = [self.problem.oracle.command(result, file)].into_iter().chain(after).collect();
        Ok((place, commands.join("; ")))
    }
}

/// The search that follows on the baseline.
fn continuation(program: &Program, runs: Runs, plan: &Plan) -> Continuation {
    let (program, made) = (program.clone(), plan.made.clone());
    let (transforms, schedule) = (plan.transforms.clone(), plan.schedule.clone());
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
