//! A warden: starts one process, kills its remaining descendants, and measures their resources.

use std::io::{self, Read, Write, pipe};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, kill_process_group, pidfd_open, set_child_subreaper,
    waitpid,
};

use crate::idle::IdleTimer;
use crate::process::become_program;
use crate::request::Request;
use crate::{message, system, tree};

/// Starts the process of a request, waits until it ends or `control` requests its end, kills all its descendants, and
/// sends its end over `control`: the error number if it could not start, its status, and the resources used.
pub(crate) fn run(memory: OwnedFd, control: &OwnedFd, streams: [OwnedFd; 3]) -> u8 {
    let told = match watch(memory, control, streams) {
        Ok((status, has_waited)) => {
            let [processor, memory] = used();
            [0, status, processor, memory, i32::from(has_waited)]
        }
        Err(error) => [error.raw_os_error().unwrap_or(Errno::EIO as i32), 0, 0, 0, 0],
    };
    // If sending fails, mcve has ended.
    u8::from(message::tell(control, told).is_err())
}

/// The wait status of the process, and whether it was ended because it waited.
fn watch(memory: OwnedFd, control: &OwnedFd, streams: [OwnedFd; 3]) -> io::Result<(i32, bool)> {
    set_child_subreaper(Some(getpid()))?;
    let request = Request::read(memory)?;
    let (mut fails, mut why) = pipe()?;
    let own = getpid();
    let process = system::fork(|| {
        let error = become_program(&request, &streams, own);
        // If writing fails, the warden only sees this exit code.
        let _ = why.write_all(&(error as i32).to_ne_bytes());
        127
    })?;
    let waiting = request.waiting;
    drop((why, streams, request));
    let status = end_with(process, control, waiting);
    tree::end_children(&[]);
    // All writers are dead.
    let mut number = [0; 4];
    match fails.read(&mut number) {
        Ok(4) => Err(io::Error::from_raw_os_error(i32::from_ne_bytes(number))),
        _ => status,
    }
}

/// The processor time of all processes in milliseconds, and the maximum memory of one of them in KiB.
fn used() -> [i32; 2] {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return [0; 2] };
    let processor = usage.user_time() + usage.system_time();
    [processor.num_milliseconds(), usage.max_rss()].map(|number| number.try_into().unwrap_or(i32::MAX))
}

/// Waits for the end of the process or of `control`, and kills its group. The pid stays valid until then. Where all processes
/// have been `waiting` for that long, the process gets the signal that says so.
fn end_with(process: Pid, control: &OwnedFd, waiting: Option<Duration>) -> io::Result<(i32, bool)> {
    let ends = pidfd_open(process, PidfdFlags::empty())?;
    let mut waited = [PollFd::from_borrowed_fd(ends.as_fd(), PollFlags::IN), PollFd::new(control, PollFlags::IN)];
    let mut timer = waiting.map(IdleTimer::new);
    loop {
        let pause = timer.as_ref().and_then(IdleTimer::pause);
        match poll(&mut waited, pause.as_ref()) {
            Ok(0) => {}
            Err(rustix::io::Errno::INTR) => continue,
            _ => break,
        }
        if timer.as_mut().is_some_and(IdleTimer::update) {
            // An error means that it has ended.
            let _ = kill_process(process, Signal::XCPU);
        }
    }
    let has_waited = timer.is_some_and(|timer| timer.signals > 0);
    // It may not lead its group yet. An error means that the group has no processes left.
    let _ = kill_process(process, Signal::KILL);
    let _ = kill_process_group(process, Signal::KILL);
    loop {
        match waitpid(Some(process), WaitOptions::empty()) {
            Ok(Some((_, status))) => return Ok((status.as_raw(), has_waited)),
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
