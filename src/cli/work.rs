//! `mcve reduce`: what a run is made of, and its end.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::args::{MessageFormat, OutputArgs, ReduceArgs};
use super::catalogue;
use super::exit::{Exit, Failed, OrExit, failed};
use super::interrupt::interrupt;
use super::messages::cannot_print;
use crate::report::console::{Console, Verbosity};
use crate::report::finds::KeepFinds;
use crate::report::json::Json;
use crate::report::log::Log;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::check::sequential::SELDOM;
use mcve_reduce::event::{Ending, Event, Observer};
use mcve_reduce::exec::tool;
use mcve_reduce::failure::spec::FailureSpec;
use mcve_reduce::modes::reduce::Plan;
use mcve_reduce::modes::task::{Before, Task};
use mcve_reduce::output::Output;
use mcve_reduce::program::Program;
use mcve_reduce::search::by_generator::ByGenerator;
use mcve_reduce::session::Session;
use mcve_transforms::Transform;

/// A program, and how it was made, if a generator made it.
pub(super) type Made = (Program, Option<ByGenerator>);

/// The reduction that `args` ask for, by these transforms.
pub(super) fn task(
    args: &ReduceArgs,
    spec: FailureSpec,
    transforms: Vec<&'static Transform>,
    (program, made): Made,
    output: Output,
) -> Task {
    let plan = Plan {
        made,
        in_place: args.in_place,
        place: output.path().map(Path::to_owned).unwrap_or_default(),
        schedule: catalogue::schedule(&args.search.only, &args.search.skip),
        transforms,
        finds: args.finds.clone(),
        holds_pair: !spec.no_pair,
        as_ui_test: args.as_ui_test.then_some(spec.trust),
        ..Plan::new(args.file.clone(), output)
    };
    let choices = args.choices.then(|| args.generator.clone());
    Task { spec, choices, program, plan, lock: None, keep: args.keep.clone(), before: Before::default() }
}

/// The session of a reduction.
///
/// # Errors
/// When no process can be started.
pub(super) fn session(args: &ReduceArgs, toolchain: Option<String>, limits: Limits) -> Result<Session, Failed> {
    let failure = &args.oracle.failure;
    let mut session = failure.sandbox.session(toolchain, limits, failure.memory)?;
    session.has_fork_servers = !args.no_fork_server;
    Ok(session)
}

/// Runs, and leaves the journal if there is more to do.
pub(super) fn run(
    args: &ReduceArgs,
    task: Task,
    mut session: Session,
    mut observer: Box<dyn Observer>,
) -> Result<Exit, Failed> {
    let replaces_several = args.in_place && !task.program.is_lone();
    session.jobs = jobs(args.search.jobs, &mut *observer);
    let done = task.run(&session, &mut *observer).map_err(Failed::from);
    let done = done.and_then(|summary| observer.close().map(|()| summary).map_err(cannot_print));
    let is_over = match &done {
        // The input of a run that has replaced it is gone.
        Ok(summary) => summary.ending == Ending::Complete || replaces_several && summary.ending == Ending::Budget,
        // A run whose time was over may go on.
        Err(_) if session.limits.proceed().is_err() => false,
        Err(failed) => matches!(failed.exit, Exit::NotFailing | Exit::Flaky | Exit::Usage),
    };
    session.journal.end(is_over);
    done.map(|summary| match summary.seen {
        Some(seen) if !fails_enough(seen, summary.flaky.map(|(input, _)| input)) => Exit::Flaky,
        _ => exit(summary.ending),
    })
}

/// Whether a result that failed in so many of so many runs is one: it fails each time, or not much less often than the input.
fn fails_enough((times, runs): (usize, usize), input: Option<(usize, usize)>) -> bool {
    input.map_or(times == runs, |(input_times, input_runs)| {
        times as f64 / runs as f64 > SELDOM * input_times as f64 / input_runs as f64
    })
}

/// When a run ends: by its arguments and by Ctrl-C. Call it once, before all else.
pub(super) fn limits(timeout: Option<Duration>, budget: Option<Duration>) -> Result<Limits, Failed> {
    // A time that no clock shows is as good as none.
    let deadline = budget.and_then(|budget| Instant::now().checked_add(budget));
    let interrupt = interrupt()?;
    tool::end_by(&interrupt, deadline);
    Ok(Limits { timeout, deadline, interrupt })
}

/// The most checks that run at once: more for each processor only wait for each other.
const JOBS: usize = 64;
const JOBS_PER_PROCESSOR: usize = 8;

/// How many checks run at once where so many are `wanted`; by default as many as there are processors. Reports where it is fewer.
pub(super) fn jobs(wanted: Option<NonZeroUsize>, observer: &mut dyn Observer) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let most = (JOBS_PER_PROCESSOR * processors).max(JOBS);
    let wanted = wanted.map_or(processors, usize::from);
    if wanted > most {
        let message = format!("{most} checks run at once, not {wanted}: --jobs is no larger");
        observer.event(&Event::Note { message });
    }
    wanted.min(most)
}

/// How to exit where there is a result.
pub(super) fn exit(ending: Ending) -> Exit {
    match ending {
        Ending::Complete | Ending::Budget => Exit::Done,
        Ending::Interrupted => Exit::Interrupted,
    }
}

/// An observer that keeps finds in `folder`, if there is one.
///
/// # Errors
/// When that folder cannot be used, or nobody recognises what would be kept.
pub(super) fn keep_finds(
    observer: Box<dyn Observer>,
    folder: Option<&Path>,
    recognises_failures: bool,
) -> Result<Box<dyn Observer>, Failed> {
    let Some(folder) = folder else { return Ok(observer) };
    if !recognises_failures {
        return Err(failed!(
            Usage,
            "--finds keeps the other crashes that mcve recognises: it recognises none with a script, a command, rustfmt or rust-analyzer"
        ));
    }
    let keeper = KeepFinds::begin(folder, observer)
        .with_context(|| format!("cannot keep finds in {}", folder.display()))
        .or_exit(Exit::Output)?;
    Ok(Box::new(keeper))
}

/// An observer that keeps a log at `path`, if there is one.
///
/// # Errors
/// When the log cannot be written.
pub(super) fn keep_log(observer: Box<dyn Observer>, path: Option<&Path>) -> Result<Box<dyn Observer>, Failed> {
    let Some(path) = path else { return Ok(observer) };
    let log = Log::begin(path, observer).with_context(|| format!("cannot write the log {}", path.display()));
    Ok(Box::new(log.or_exit(Exit::Output)?))
}

/// Reports what happens.
///
/// # Errors
/// When events cannot be written.
pub(super) fn observer(args: &OutputArgs) -> Result<Box<dyn Observer>, Failed> {
    let verbosity = match (args.quiet, args.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    };
    Ok(match args.message_format {
        MessageFormat::Human => Box::new(Console::new(verbosity)),
        MessageFormat::Json => Box::new(Json::begin(std::io::stdout()).map_err(cannot_print)?),
    })
}
