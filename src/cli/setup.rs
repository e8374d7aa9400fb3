//! What the runs of all commands have: when they end, how many checks run at once, how to exit.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Context;
use nix::sys::signal::Signal;
use signal_hook::flag::{register, register_conditional_shutdown};

use super::exit::{Exit, Failed, OrExit};
use mcve_reduce::check::limits::{Limits, Skip};
use mcve_reduce::event::{Ending, Event, Observer};
use mcve_reduce::exec::cancel::Cancel;
use mcve_reduce::exec::inherited::is_ignored;
use mcve_reduce::exec::job::{Executor, Job, JobResult};
use mcve_reduce::exec::tool;

/// When a run ends: by its arguments and by Ctrl-C. Call it once, before all else.
pub(super) fn limits(timeout: Option<Duration>, budget: Option<Duration>) -> Result<Limits, Failed> {
    // A time that no clock shows is as good as none.
    let deadline = budget.and_then(|budget| Instant::now().checked_add(budget));
    let interrupt = interrupt()?;
    tool::end_by(&interrupt, deadline);
    Ok(Limits { timeout, deadline, interrupt, skip: Skip::default(), idle_passes: None })
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

/// Runs a command that shows a failure, and ends it after two minutes. Fails if it cannot be run.
pub(super) fn execute(executor: &dyn Executor, job: &Job, limits: &Limits) -> Result<JobResult, Failed> {
    let ran = executor.run(job, limits.left(Duration::from_secs(120)), &Cancel::default());
    ran.context("cannot run the command of the failure").or_exit(Exit::Check)
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

/// Goes to the folder in which a run was begun.
pub(super) fn go_to(folder: &Path) -> Result<(), Failed> {
    let gone = || format!("cannot go to {}, where the run was begun", folder.display());
    std::env::set_current_dir(folder).with_context(gone).or_exit(Exit::Input)
}
