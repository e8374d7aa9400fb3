//! A running check: waits for its leader while draining its output, and ends all its processes.

use std::fs::File;
use std::io::{self, Read, pipe};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use mcve_launch::{Ended, Launch, Launcher, Running};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::cancel::{Cancel, End};
use super::capture::{Capture, KEPT};

/// The longest wait before polling whether the leader has exited, if nothing announces that, or whether the check is still wanted.
const LONGEST_NAP: Duration = Duration::from_millis(50);

/// The number of bytes read from a pipe at once.
const READ: usize = 1 << 14;

/// The first process of a check, as seen by the code that reaps it.
pub(super) trait Leader {
    /// What ends it with all processes that it started.
    fn end(&self) -> End;

    /// A descriptor that becomes readable when it has ended; none if nothing announces its exit.
    fn ends(&self) -> Option<BorrowedFd<'_>>;

    fn has_ended(&self) -> io::Result<bool>;

    /// Waits for its end and reaps it.
    fn reap(&mut self) -> io::Result<Ended>;
}

impl Leader for Running {
    fn end(&self) -> End {
        let stop = self.stop();
        Box::new(move || stop.stop())
    }

    fn ends(&self) -> Option<BorrowedFd<'_>> {
        self.ends()
    }

    fn has_ended(&self) -> io::Result<bool> {
        self.has_ended()
    }

    fn reap(&mut self) -> io::Result<Ended> {
        self.wait()
    }
}

/// A process that leads a check. Dropping it ends the whole check.
pub(super) struct Group<'a, L: Leader = Running> {
    leader: L,
    number: u64,
    cancel: &'a Cancel,
    stdout: Pipe,
    stderr: Pipe,
    reaped: bool,
}

impl<'a> Group<'a> {
    /// Starts a process whose outputs are read, but for a standard output that it has already.
    pub(super) fn start(launcher: &Launcher, launch: &Launch<'_>, cancel: &'a Cancel) -> io::Result<Self> {
        let ((stdout, theirs_stdout), (stderr, theirs_stderr)) = (pipe()?, pipe()?);
        let (out, err) = (launch.stdout.unwrap_or(theirs_stdout.as_fd()), theirs_stderr.as_fd());
        let running = launcher.launch(&Launch { stdout: Some(out), stderr: Some(err), ..*launch })?;
        Ok(Self::new(running, stdout.into(), stderr.into(), cancel))
    }
}

impl<'a, L: Leader> Group<'a, L> {
    /// Takes over a leader and the ends of its outputs.
    pub(super) fn new(leader: L, stdout: OwnedFd, stderr: OwnedFd, cancel: &'a Cancel) -> Self {
        let number = cancel.register(leader.end());
        let (stdout, stderr) = (Pipe::new(stdout), Pipe::new(stderr));
        Self { leader, number, cancel, stdout, stderr, reaped: false }
    }

    /// Drains the outputs until the leader has exited (true), or the time is over or the check not wanted any more (false). It is not reaped: its number, which is
    /// also the group's, stays taken until the group has been killed.
    pub(super) fn wait(&mut self, deadline: Option<Instant>) -> io::Result<bool> {
        let mut nap = Duration::from_micros(100);
        let is_announced = self.leader.ends().is_some();
        let naps = !is_announced || self.cancel.until.is_some();
        loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if left == Some(Duration::ZERO) || self.cancel.is_over() {
                return self.leader.has_ended();
            }
            let timeout = if naps { Some(left.map_or(nap, |left| left.min(nap))) } else { left };
            if self.step(timeout)? || !is_announced && self.leader.has_ended()? {
                return Ok(true);
            }
            nap = (nap * 2).min(LONGEST_NAP);
        }
    }

    /// Ends the whole check, reaps the leader, and takes the output that is left.
    pub(super) fn finish(mut self) -> io::Result<(Ended, Vec<u8>, Vec<u8>)> {
        self.cancel.end_and_forget(self.number);
        self.reaped = true;
        let ended = self.leader.reap()?;
        // A process that could not be killed may hold a pipe open, or even go on writing: do not wait for either.
        let mut rounds = 0;
        while rounds < KEPT / READ && self.drain()? {
            rounds += 1;
        }
        Ok((ended, self.stdout.take(), self.stderr.take()))
    }

    /// Takes the output that is available now; false if there was none.
    pub(super) fn drain(&mut self) -> io::Result<bool> {
        if self.stdout.end.is_none() && self.stderr.end.is_none() {
            return Ok(false);
        }
        let before = (self.stdout.taken, self.stderr.taken);
        self.step(Some(Duration::ZERO))?;
        Ok(before != (self.stdout.taken, self.stderr.taken))
    }

    /// Waits until something happens and reads what is available. True if the leader is known to have exited.
    fn step(&mut self, timeout: Option<Duration>) -> io::Result<bool> {
        let timeout = timeout.map(|timeout| Timespec {
            // The longest representable time is longer than any wait.
            tv_sec: timeout.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: timeout.subsec_nanos().into(),
        });
        let descriptors = [self.stdout.descriptor(), self.stderr.descriptor(), self.leader.ends()];
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
}

impl<L: Leader> Drop for Group<'_, L> {
    fn drop(&mut self) {
        if !self.reaped {
            self.cancel.end_and_forget(self.number);
            let _ = self.leader.reap();
        }
    }
}

/// One of the leader's outputs.
struct Pipe {
    /// `None` once all writers have closed it.
    end: Option<File>,
    capture: Capture,
    taken: u64,
}

impl Pipe {
    fn new(end: OwnedFd) -> Self {
        Self { end: Some(File::from(end)), capture: Capture::default(), taken: 0 }
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.end.as_ref().map(AsFd::as_fd)
    }

    /// Reads once; call it only when that does not block.
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
