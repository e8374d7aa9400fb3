//! A running process group: waiting for its leader while draining its output, and ending all of it.

use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, ChildStderr, ChildStdout, ExitStatus};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::cancel::Cancel;
use super::capture::{Capture, KEPT};

/// How long to wait at most before looking whether the leader has exited, where nothing announces that.
const LONGEST_NAP: Duration = Duration::from_millis(50);

/// How much is read from a pipe at once.
const READ: usize = 1 << 14;

/// A process that leads a group of its own. Dropping it kills the group and reaps the leader.
pub(super) struct Group<'a> {
    child: Child,
    pid: Pid,
    cancel: &'a Cancel,
    stdout: Pipe<ChildStdout>,
    stderr: Pipe<ChildStderr>,
    /// Becomes readable when the leader exits.
    exit: Option<OwnedFd>,
    reaped: bool,
}

impl<'a> Group<'a> {
    /// Takes over a child that was spawned with both outputs piped and in a process group of its own.
    pub(super) fn new(mut child: Child, cancel: &'a Cancel) -> Self {
        let pid = Pid::from_child(&child);
        cancel.register(pid);
        let (stdout, stderr) = (Pipe::new(child.stdout.take()), Pipe::new(child.stderr.take()));
        Self { child, pid, cancel, stdout, stderr, exit: announces_exit(pid), reaped: false }
    }

    /// Drains the outputs until the leader has exited (true) or the time is over (false). It is not reaped: its
    /// number, which is also the group's, stays taken until the group has been killed.
    pub(super) fn wait(&mut self, deadline: Option<Instant>) -> io::Result<bool> {
        let mut nap = Duration::from_micros(100);
        loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) {
                return self.has_exited();
            }
            let timeout = if self.exit.is_some() { left } else { Some(left.map_or(nap, |left| left.min(nap))) };
            if self.step(timeout)? && self.exit.is_some() {
                return Ok(true);
            }
            if self.exit.is_none() {
                if self.has_exited()? {
                    return Ok(true);
                }
                nap = (nap * 2).min(LONGEST_NAP);
            }
        }
    }

    /// Kills all of the group, takes what its outputs still hold, and reaps the leader.
    pub(super) fn finish(mut self) -> io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
        self.cancel.kill_and_forget(self.pid);
        // A process that left the group may hold a pipe open, or even go on writing: neither is waited for.
        let mut rounds = 0;
        while rounds < KEPT / READ && self.drain()? {
            rounds += 1;
        }
        self.reaped = true;
        let status = self.child.wait()?;
        Ok((status, self.stdout.take(), self.stderr.take()))
    }

    /// Takes what the outputs hold now; false when that was nothing.
    pub(super) fn drain(&mut self) -> io::Result<bool> {
        if self.stdout.end.is_none() && self.stderr.end.is_none() {
            return Ok(false);
        }
        let before = (self.stdout.taken, self.stderr.taken);
        self.step(Some(Duration::ZERO))?;
        Ok(before != (self.stdout.taken, self.stderr.taken))
    }

    /// Waits until something happens and reads what can be read at once. True when the leader is known to have exited.
    fn step(&mut self, timeout: Option<Duration>) -> io::Result<bool> {
        let timeout = timeout.map(|timeout| Timespec {
            // The longest that can be said is longer than anyone waits.
            tv_sec: timeout.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: timeout.subsec_nanos().into(),
        });
        let exit = self.exit.as_ref().map(AsFd::as_fd);
        let descriptors = [self.stdout.descriptor(), self.stderr.descriptor(), exit];
        let mut waited: Vec<PollFd<'_>> =
            descriptors.into_iter().flatten().map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
        match poll(&mut waited, timeout.as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
        let mut events = waited.iter().map(|waited| !waited.revents().is_empty());
        let ready = descriptors.map(|descriptor| descriptor.is_some() && events.next() == Some(true));
        drop(waited);
        if ready[0] {
            self.stdout.read()?;
        }
        if ready[1] {
            self.stderr.read()?;
        }
        Ok(ready[2])
    }

    fn has_exited(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.pid), options)?.is_some())
    }
}

impl Drop for Group<'_> {
    fn drop(&mut self) {
        if !self.reaped {
            self.cancel.kill_and_forget(self.pid);
            let _ = self.child.wait();
        }
    }
}

/// One of the leader's outputs.
struct Pipe<R> {
    /// `None` once all who could write to it have closed it.
    end: Option<R>,
    capture: Capture,
    taken: u64,
}

impl<R: Read + AsFd> Pipe<R> {
    fn new(end: Option<R>) -> Self {
        Self { end, capture: Capture::default(), taken: 0 }
    }

    fn descriptor(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        self.end.as_ref().map(AsFd::as_fd)
    }

    /// Reads once; to be called when that does not block.
    fn read(&mut self) -> io::Result<()> {
        let Some(end) = &mut self.end else { return Ok(()) };
        let mut buffer = [0; READ];
        match end.read(&mut buffer) {
            Ok(0) => self.end = None,
            Ok(count) => {
                self.capture.push(&buffer[..count]);
                self.taken += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.capture).into_bytes()
    }
}

/// Something that becomes readable when the process exits.
#[cfg(target_os = "linux")]
fn announces_exit(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

/// Something that becomes readable when the process exits.
#[cfg(not(target_os = "linux"))]
fn announces_exit(_: Pid) -> Option<OwnedFd> {
    None
}
