//! A running process group: waiting for its leader while draining its output, and ending all of it.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, ExitStatus};
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

/// The first process of a group, as seen by whoever has it reaped. Its number stays taken until then.
pub(super) trait Leader {
    /// Its number, which is also the group's.
    fn pid(&self) -> Pid;

    /// Waits for its end and reaps it.
    fn reap(&mut self) -> io::Result<ExitStatus>;
}

impl Leader for Child {
    fn pid(&self) -> Pid {
        Pid::from_child(self)
    }

    fn reap(&mut self) -> io::Result<ExitStatus> {
        self.wait()
    }
}

/// A process that leads a group of its own. Dropping it kills the group and reaps the leader.
pub(super) struct Group<'a, L: Leader = Child> {
    leader: L,
    pid: Pid,
    cancel: &'a Cancel,
    stdout: Pipe,
    stderr: Pipe,
    /// Becomes readable when the leader exits.
    exit: Option<OwnedFd>,
    reaped: bool,
}

impl<'a> Group<'a> {
    /// Takes over a child that was spawned with both outputs piped and in a process group of its own.
    pub(super) fn new(mut child: Child, cancel: &'a Cancel) -> Self {
        let (stdout, stderr) = (child.stdout.take().map(OwnedFd::from), child.stderr.take().map(OwnedFd::from));
        Self::of(child, stdout, stderr, cancel)
    }
}

impl<'a, L: Leader> Group<'a, L> {
    /// Takes over a leader that is no child of this process, and the ends of its outputs.
    ///
    /// Its end must announce itself: only a parent can look for it.
    #[cfg(target_os = "linux")]
    pub(super) fn of_other(leader: L, stdout: OwnedFd, stderr: OwnedFd, cancel: &'a Cancel) -> io::Result<Self> {
        let group = Self::of(leader, Some(stdout), Some(stderr), cancel);
        if group.exit.is_some() { Ok(group) } else { Err(io::ErrorKind::Unsupported.into()) }
    }

    fn of(leader: L, stdout: Option<OwnedFd>, stderr: Option<OwnedFd>, cancel: &'a Cancel) -> Self {
        let pid = leader.pid();
        cancel.register(pid);
        let (stdout, stderr) = (Pipe::new(stdout), Pipe::new(stderr));
        Self { leader, pid, cancel, stdout, stderr, exit: announces_exit(pid), reaped: false }
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
        let status = self.leader.reap()?;
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
        if let Some(exit) = &self.exit {
            let mut waited = [PollFd::new(exit, PollFlags::IN)];
            return match poll(&mut waited, Some(&Timespec::default())) {
                Err(Errno::INTR) => Ok(false),
                ready => Ok(ready? > 0),
            };
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.pid), options)?.is_some())
    }
}

impl<L: Leader> Drop for Group<'_, L> {
    fn drop(&mut self) {
        if !self.reaped {
            self.cancel.kill_and_forget(self.pid);
            let _ = self.leader.reap();
        }
    }
}

/// One of the leader's outputs.
struct Pipe {
    /// `None` once all who could write to it have closed it.
    end: Option<File>,
    capture: Capture,
    taken: u64,
}

impl Pipe {
    fn new(end: Option<OwnedFd>) -> Self {
        Self { end: end.map(File::from), capture: Capture::default(), taken: 0 }
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
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
