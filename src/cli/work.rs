//! A run, from what it works on to its end.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};

use super::args::{MessageFormat, OracleArgs, OutputArgs, ReduceArgs};
use super::exit::{Exit, Failed};
use super::failure::{Shown, excerpt};
use super::input::Given;
use super::interrupt::interrupt;
use super::oracle::{Choice, Chosen};
use super::output::{default_output, journal, lock, output};
use super::sandbox::{admit, advice};
use super::ui_test::as_ui_test;
use super::{catalogue, input};
use crate::check::baseline::{Refusal, Runs};
use crate::check::layers::Layers;
use crate::check::limits::{Limits, Stop};
use crate::check::sequential::SELDOM;
use crate::event::{Ending, Event, Observer, Summary};
#[cfg(target_os = "linux")]
use crate::exec::fork_server::{ForkServers, cache_folder};
use crate::exec::job::Executor;
use crate::exec::process::Processes;
use crate::exec::tool;
use crate::modes::reduce::{Config, reduce};
use crate::oracle::{FailureId, Oracle};
use crate::output::{Output, back_up_all, default_path};
use crate::program::Program;
use crate::project::neighbours;
use crate::report::console::{Console, Verbosity};
use crate::report::finds::KeepFinds;
use crate::report::json::Json;
use crate::search::by_generator::ByGenerator;
use crate::search::filters::Kept;
use crate::state::journal::Journal;
use crate::state::lock::OutputLock;

/// What a run works on.
pub(super) struct Work {
    /// The unreduced program.
    pub(super) program: Program,
    /// How it was made, if a generator made it.
    pub(super) made: Option<ByGenerator>,
    /// Where the result goes.
    pub(super) output: Output,
    /// Keeps other runs from writing the result.
    pub(super) lock: Option<OutputLock>,
    /// What is known from before, and where more is written down.
    pub(super) journal: Journal,
    /// What to name to `mcve resume`.
    pub(super) place: PathBuf,
    /// Listens.
    pub(super) observer: Box<dyn Observer>,
    /// When the run ends before its end.
    pub(super) limits: Limits,
    /// What is known from before.
    pub(super) before: Before,
}

/// What is known from before a run: of a package from cargo and the stages that were, of a file nothing.
#[derive(Default)]
pub(super) struct Before {
    /// The failure that has to be there, where one is known from before.
    pub(super) expected: Option<Expected>,
    /// What cargo showed of the program, where it is the crate of a package: the first check shows nothing else.
    pub(super) shown: Option<Shown>,
    /// What stays as it is, besides what the arguments name.
    pub(super) kept: Kept,
}

/// A failure that is known from before.
#[derive(Clone, Debug)]
pub(super) struct Expected {
    /// In words.
    failure: String,
    /// In a form that two runs can compare, if there is one.
    fingerprint: Option<String>,
}

impl Expected {
    /// That of a result.
    pub(super) fn of(summary: &Summary) -> Self {
        Self { failure: summary.failure.clone(), fingerprint: summary.fingerprint.clone() }
    }

    /// Whether it is what `oracle` looks for.
    fn is_that_of(&self, oracle: &dyn Oracle) -> bool {
        let FailureId { words, fingerprint } = oracle.failure();
        let own = fingerprint.map(|fingerprint| fingerprint.to_string());
        words == self.failure || own.is_some() && own == self.fingerprint
    }
}

/// Begins a run.
///
/// # Errors
/// When the arguments, the input or the output cannot be used; and as [`run`].
pub(super) fn begin(args: &ReduceArgs, toolchain: Option<&str>, words: &[OsString]) -> Result<Exit, Failed> {
    let limits = limits(args.oracle.failure.timeout, args.search.budget)?;
    catalogue::choose(&args.search.only, &args.search.skip)?;
    let read = if args.choices {
        input::made(args).map(|(program, made)| (program, Some(made)))
    } else {
        input::read_any(args).map(|program| (program, None))
    };
    limits.proceed().map_err(stopped)?;
    let (program, made) = read?;
    let output = output(args, &program)?;
    let observer = observer(&args.output_args)?;
    let lock = lock(&output)?;
    let journal = journal(args, words, &program, &output)?;
    let observer = keep_finds(observer, args.finds.as_deref(), args.oracle.recognises_failures())?;
    let place = args.state.clone().or_else(|| output.path().map(Path::to_owned)).unwrap_or_default();
    let work = Work { program, made, output, lock, journal, place, observer, limits, before: Before::default() };
    run(args, toolchain, work)
}

/// Runs, and leaves the journal if there is more to do.
pub(super) fn run(args: &ReduceArgs, toolchain: Option<&str>, work: Work) -> Result<Exit, Failed> {
    let (journal, limits) = (work.journal.clone(), work.limits.clone());
    let replaces_several = args.in_place && !work.program.is_lone();
    let done = reduce_by(args, toolchain, work);
    let is_over = match &done {
        // The input of a run that has replaced it is gone.
        Ok(summary) => summary.ending == Ending::Complete || replaces_several && summary.ending == Ending::Budget,
        // A run whose time was over may go on.
        Err(_) if limits.proceed().is_err() => false,
        Err(failed) => matches!(failed.exit, Exit::NotFailing | Exit::Flaky | Exit::Usage),
    };
    if args.state.is_none() {
        journal.end(is_over);
    }
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

/// Finds the failure and reduces the program.
///
/// # Errors
/// When the failure is not there, and as of [`reduce`].
pub(super) fn reduce_by(args: &ReduceArgs, toolchain: Option<&str>, work: Work) -> Result<Summary, Failed> {
    let Work { program, made, output, lock: _lock, journal, place, mut observer, limits, before } = work;
    let Before { expected, shown, kept } = before;
    let transforms = catalogue::choose(&args.search.only, &args.search.skip)?;
    let processes = args.oracle.failure.sandbox.processes(args.oracle.failure.memory)?;
    let (jobs, fewer) = jobs(args.search.jobs);
    let choice = Choice {
        args: &args.oracle,
        given: Given { shown: shown.as_ref(), ..Given::of(args) },
        toolchain,
        program: &program,
        processes: &processes,
        journal: &journal,
        limits: &limits,
        reduces_arguments: true,
    };
    let Chosen { oracle, program, compiler, notes } = choice.oracle()?;
    if expected.is_some_and(|expected| !expected.is_that_of(&*oracle)) {
        let error = anyhow!("another failure is there: {}", oracle.failure().words);
        return Err(Failed::new(Exit::NotFailing, error));
    }
    let test = as_ui_test(args, &*oracle)?;
    let notes = notes
        .into_iter()
        .chain(test)
        .chain(fewer)
        .chain(admit(&processes, oracle.advice().properties().runs_candidates)?);
    let files = program.files().len();
    let folder = program.folder_at(&args.file);
    let taken = (files > 1)
        .then(|| format!("program: {files} files in {}{}", folder.display(), outside_of_root_folder(&program)));
    let notes = taken.into_iter().chain(notes);
    let linked = program.linked().into_iter().map(|path| format!("{path} is large: checks read it where it is"));
    let outside = neighbours::outside(&program).into_iter();
    let outside =
        outside.map(|path| format!("{} is outside of the program: checks read it where it is", path.display()));
    let notes = notes.chain(linked.collect::<Vec<_>>()).chain(outside);
    notes.for_each(|message| observer.event(&Event::Note { message }));
    let is_confined = processes.held().is_some() && oracle.advice().properties().runs_candidates;
    let executor = executor(processes, compiler.filter(|_| !args.no_fork_server));
    if args.in_place {
        back_up_all(&args.file, &program)
            .context("cannot back up the input")
            .map_err(|error| Failed::new(Exit::Output, error))?;
    }
    let mut schedule = catalogue::schedule(&args.search.only, &args.search.skip);
    let named = self::kept(&program, &args.file, &args.keep).map_err(|name| {
        Failed::new(Exit::Usage, anyhow!("nothing in {} is called {name}, which is to be kept", args.file.display()))
    })?;
    schedule.filters = schedule.filters.with(Box::new([kept, named].into_iter().collect::<Kept>()));
    // Files that were found only now are replaced at the end, as all of several are.
    let in_place = args.in_place && !program.is_lone();
    let (output, _beside) = if in_place && output.path() == Some(&args.file) {
        let beside = default_output(&default_path(&args.file))?;
        let lock = lock(&beside)?;
        (beside, lock)
    } else {
        (output, None)
    };
    let command = Given::of(args).by_hand(&|path| oracle.command(&program, path));
    let failure = oracle.failure().words;
    let input = args.file.clone();
    let config = Config {
        input,
        program,
        made,
        output,
        in_place,
        oracle,
        executor,
        runs: runs(&args.oracle),
        jobs,
        limits,
        schedule,
        transforms,
        layers: Layers::default(),
        journal,
        place,
        finds: args.finds.clone(),
        as_ui_test: args.as_ui_test.then(|| args.oracle.trust()),
    };
    let done = reduce(config, &mut *observer)
        .map_err(|refusal| refused(refusal, &args.file, &failure, &command, is_confined))?;
    observer.close().map_err(cannot_print)?;
    Ok(done)
}

/// The files of a program that are not in the folder of its root file, as the end of a sentence.
fn outside_of_root_folder(program: &Program) -> String {
    let own = program.name.parent().unwrap_or(Path::new(""));
    let files = program.files().into_iter().map(|(path, _)| path).filter(|path| !path.starts_with(own));
    let files: Vec<String> = files.map(|path| path.display().to_string()).collect();
    if files.is_empty() { String::new() } else { format!("; outside of {}: {}", own.display(), files.join(", ")) }
}

/// What `names` name in a program whose root file is at `root`: paths of files as they are seen from the current folder, or from one
/// that the root file is in; and paths of items.
///
/// # Errors
/// With the name that names nothing.
pub(super) fn kept(program: &Program, root: &Path, names: &[String]) -> Result<Kept, String> {
    let folder = program.folder_at(root).canonicalize().ok();
    let inside = |name: &String| {
        let folder = folder.as_ref()?;
        let places = std::iter::once(PathBuf::from(name)).chain(folder.ancestors().map(|above| above.join(name)));
        let path = places.into_iter().find_map(|path| path.canonicalize().ok().filter(|path| path.is_file()))?;
        path.strip_prefix(folder).ok()?.to_str().map(str::to_owned)
    };
    names.iter().map(|name| Kept::of(program, &inside(name).unwrap_or_else(|| name.clone()))).collect()
}

/// Whether `program` shows a failure that is known from before.
///
/// # Errors
/// When it shows none, or it cannot be said.
pub(super) fn shows(
    args: &ReduceArgs,
    toolchain: Option<&str>,
    program: &Program,
    limits: &Limits,
    expected: &Expected,
) -> Result<bool, Failed> {
    let processes = &*args.oracle.failure.sandbox.processes(args.oracle.failure.memory)?;
    let (given, journal) = (Given::of(args), &Journal::nowhere(None));
    let choice =
        Choice { args: &args.oracle, given, toolchain, program, processes, journal, limits, reduces_arguments: true };
    Ok(expected.is_that_of(&*choice.oracle()?.oracle))
}

/// Says that events could not be told.
pub(super) fn cannot_print(error: std::io::Error) -> Failed {
    Failed::new(Exit::Output, anyhow::Error::new(error).context("cannot write events to standard output"))
}

/// When a run ends, by its arguments and by Ctrl-C. To be asked once, before all else.
pub(super) fn limits(timeout: Option<Duration>, budget: Option<Duration>) -> Result<Limits, Failed> {
    // A time that no clock shows is as good as none.
    let deadline = budget.and_then(|budget| Instant::now().checked_add(budget));
    let interrupt = interrupt()?;
    tool::end_by(&interrupt, deadline);
    Ok(Limits { timeout, deadline, interrupt })
}

/// How the program is checked at the beginning.
pub(super) fn runs(args: &OracleArgs) -> Runs {
    let times = args.failure.runs.unwrap_or_default();
    Runs { times, refuse_flaky: false, accept_flaky: args.failure.force, accept_trivial: args.failure.force }
}

/// The most checks that run at once: more for each processor only wait for each other.
const JOBS: usize = 64;
const JOBS_PER_PROCESSOR: usize = 8;

/// How many checks run at once where so many are `wanted`, and what to say where that is fewer.
pub(super) fn jobs(wanted: Option<NonZeroUsize>) -> (usize, Option<String>) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let most = (JOBS_PER_PROCESSOR * processors).max(JOBS);
    match wanted.map_or(processors, usize::from) {
        wanted if wanted > most => {
            (most, Some(format!("{most} checks run at once, not {wanted}: --jobs is no larger")))
        }
        wanted => (wanted, None),
    }
}

/// What runs the checks: plain processes, or fork servers of `compiler`, if they are that and there can be any.
#[cfg(target_os = "linux")]
pub(super) fn executor(processes: Arc<Processes>, compiler: Option<PathBuf>) -> Arc<dyn Executor> {
    let Some(compiler) = compiler else { return processes };
    let cache = cache_folder().unwrap_or_else(|| processes.own_cache());
    Arc::new(ForkServers::new(processes, compiler, cache))
}

/// What runs the checks: plain processes.
#[cfg(not(target_os = "linux"))]
pub(super) fn executor(processes: Arc<Processes>, _: Option<PathBuf>) -> Arc<dyn Executor> {
    processes
}

/// How to exit where there is a result.
pub(super) fn exit(ending: Ending) -> Exit {
    match ending {
        Ending::Complete | Ending::Budget => Exit::Done,
        Ending::Interrupted => Exit::Interrupted,
    }
}

/// The same, where finds are kept in `folder` if there is one.
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
        let error = anyhow!(
            "--finds keeps the other crashes that mcve recognises: it recognises none with a script, a command, rustfmt or rust-analyzer"
        );
        return Err(Failed::new(Exit::Usage, error));
    }
    let keeper = KeepFinds::begin(folder, observer)
        .with_context(|| format!("cannot keep finds in {}", folder.display()))
        .map_err(|error| Failed::new(Exit::Output, error))?;
    Ok(Box::new(keeper))
}

pub(super) fn check(error: anyhow::Error) -> Failed {
    Failed::new(Exit::Check, error)
}

/// Who is told what happens.
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

/// Why there is no result, in words that help.
pub(super) fn refused(refusal: Refusal, file: &Path, failure: &str, command: &str, is_confined: bool) -> Failed {
    let file = file.display();
    let by_hand = format!("to see it by hand: {command}");
    match refusal {
        Refusal::NotFailing(reason, output) => {
            let advice = if is_confined { advice(output.as_deref()) } else { String::new() };
            let printed = output.map(|result| format!("\nit printed:\n{}", excerpt(&result))).unwrap_or_default();
            let error = anyhow!("{file} does not show the failure ({failure}): {reason}{printed}{advice}\n{by_hand}");
            Failed::new(Exit::NotFailing, error)
        }
        Refusal::TimedOut(limit) => {
            let limit = humantime::format_duration(limit);
            let error = anyhow!("the check of {file} did not end in {limit}: see --timeout\n{by_hand}");
            Failed::new(Exit::NotFailing, error)
        }
        Refusal::Flaky { times, runs, reason } => Failed::new(
            Exit::Flaky,
            anyhow!(
                "{file} shows the failure ({failure}) in {times} of {runs} runs only: {reason}\nto go on all the same: --force\n{by_hand}"
            ),
        ),
        Refusal::Trivial(text, result) => {
            let what = if text.is_empty() { "an empty file" } else { "`fn main() {}`" };
            let printed = excerpt(&result);
            let error = anyhow!(
                "the check accepts {what}, so that nothing of {file} would be left ({failure}); it printed:\n{printed}\nto go on all the same: --force\n{by_hand}"
            );
            Failed::new(Exit::Usage, error)
        }
        Refusal::Stop(stop) => stopped(stop),
    }
}

/// Why there is no result where a run was stopped before there was one.
pub(super) fn stopped(stop: Stop) -> Failed {
    match stop {
        Stop::Interrupted => Failed::new(Exit::Interrupted, anyhow!("interrupted before the first result")),
        Stop::Budget => Failed::new(Exit::OutOfTime, anyhow!("the budget was spent before there was a result")),
        Stop::Refuted => unreachable!("the search goes on"),
        Stop::Exec(error) => check(error.into()),
        Stop::Output(error) => Failed::new(Exit::Output, anyhow::Error::new(error).context("cannot write the result")),
    }
}
