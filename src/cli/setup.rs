//! What the runs of all commands have: when they end, how many checks run at once, who observes them, how to exit.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Context;
use nix::sys::signal::Signal;
use signal_hook::flag::{register, register_conditional_shutdown};

use super::args::{MessageFormat, OutputArgs};
use super::exit::{Exit, Failed, OrExit, failed};
use super::messages::cannot_print;
use crate::report::begun::Begun;
use crate::report::console::{Console, Verbosity};
use crate::report::finds::KeepFinds;
use crate::report::history::History;
use crate::report::json::Json;
use crate::report::log::{Log, kept};
use mcve_reduce::check::limits::{Limits, Skip};
use mcve_reduce::event::{Ending, Event, Observer};
use mcve_reduce::exec::inherited::is_ignored;
use mcve_reduce::exec::tool;

/// When a run ends: by its arguments and by Ctrl-C. Call it once, before all else.
pub(super) fn limits(timeout: Option<Duration>, budget: Option<Duration>) -> Result<Limits, Failed> {
    // A time that no clock shows is as good as none.
    let deadline = budget.and_then(|budget| Instant::now().checked_add(budget));
    let interrupt = interrupt()?;
    tool::end_by(&interrupt, deadline);
    Ok(Limits { timeout, deadline, interrupt, skip: Skip::default() })
}

/// Returns the flag that the signals set which end a run early: Ctrl-C, SIGTERM, a closed terminal. The second Ctrl-C or SIGTERM ends
/// the run at once. A signal that mcve was started to ignore stays ignored: that is what `nohup` is for.
fn interrupt() -> Result<Arc<AtomicBool>, Failed> {
    let flag = Arc::new(AtomicBool::new(false));
    // A terminal that closes may send its signal twice.
    for (signal, second_ends) in [(Signal::SIGINT, true), (Signal::SIGTERM, true), (Signal::SIGHUP, false)] {
        if !is_ignored(signal) {
            catch(signal as i32, second_ends, &flag).context("cannot catch Ctrl-C").or_exit(Exit::Check)?;
        }
    }
    Ok(flag)
}

fn catch(signal: i32, second_ends: bool, flag: &Arc<AtomicBool>) -> std::io::Result<()> {
    if second_ends {
        // It comes first, so that it finds the flag that the signal before this one has set.
        register_conditional_shutdown(signal, Exit::Interrupted.code().into(), Arc::clone(flag))?;
    }
    register(signal, Arc::clone(flag)).map(drop)
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

/// An observer that keeps the log of the run for `mcve why` and for a page, if there is to be one, and writes one to `path`, if
/// there is one.
pub(super) fn keep_log(
    mut observer: Box<dyn Observer>,
    words: &[OsString],
    path: Option<&Path>,
    page: Option<&Path>,
) -> Result<Box<dyn Observer>, Failed> {
    super::page::check(page)?;
    match kept::begin() {
        Ok(file) => observer = Box::new(Log::keep(file, words, page, observer)),
        Err(error) if page.is_some() => return Err(failed!(Output, "--html needs the log of the run: {error}")),
        // Where nothing can be kept, `mcve why` asks again.
        Err(_) => {}
    }
    let Some(path) = path else { return Ok(observer) };
    let log = Log::begin(path, words, observer).with_context(|| format!("cannot write the log {}", path.display()));
    Ok(Box::new(log.or_exit(Exit::Output)?))
}

/// An observer that keeps each step of the run of the command line `words` in `folder`, if there is one.
///
/// # Errors
/// When the folder cannot be written, or has something else.
pub(super) fn keep_history(
    observer: Box<dyn Observer>,
    words: &[OsString],
    folder: Option<&Path>,
) -> Result<Box<dyn Observer>, Failed> {
    let Some(folder) = folder else { return Ok(observer) };
    let history = History::begin(folder, Begun::now(words), observer);
    let history = history.with_context(|| format!("cannot keep a history in {}", folder.display()));
    Ok(Box::new(history.or_exit(Exit::Output)?))
}

/// Goes to the folder in which a run was begun.
pub(super) fn go_to(folder: &Path) -> Result<(), Failed> {
    let gone = || format!("cannot go to {}, where the run was begun", folder.display());
    std::env::set_current_dir(folder).with_context(gone).or_exit(Exit::Input)
}

/// How much is said.
pub(super) fn verbosity(args: &OutputArgs) -> Verbosity {
    match (args.quiet, args.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    }
}

/// Reports what happens in a run that ends at `deadline`, in colours where these are wanted.
pub(super) fn observer(args: &OutputArgs, deadline: Option<Instant>) -> Result<Box<dyn Observer>, Failed> {
    anstream::ColorChoice::from(args.color).write_global();
    Ok(match args.message_format {
        MessageFormat::Human => Box::new(Console::new(verbosity(args), deadline)),
        MessageFormat::Json => Box::new(Json::begin(std::io::stdout()).map_err(cannot_print)?),
    })
}
