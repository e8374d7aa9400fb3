//! The signals that end a run early: Ctrl-C, SIGTERM, a closed terminal.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use nix::sys::signal::Signal;
use signal_hook::flag::{register, register_conditional_shutdown};

use super::exit::{Exit, Failed, OrExit};
use mcve_reduce::exec::inherited::is_ignored;

/// Returns the flag that these signals set. The second Ctrl-C or SIGTERM ends the run at once. A signal that mcve was started
/// to ignore stays ignored: that is what `nohup` is for.
pub(super) fn interrupt() -> Result<Arc<AtomicBool>, Failed> {
    let flag = Arc::new(AtomicBool::new(false));
    // A terminal may tell of its end twice.
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
