//! Launching from mcve's side: the keeper's handle, and that of a process.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{Shutdown, shutdown};

use crate::keeper::{self, Keeper, KeeperProcess};
use crate::request::Request;
use crate::sandbox::{Held, Sandbox};
use crate::{Ended, Launch, Usage, message};

/// Starts processes. When it is dropped, or this process ends in whatever way, all that it started ends.
#[derive(Debug)]
pub struct Launcher {
    keeper: Mutex<Keeper>,
    sandbox: Option<Sandbox>,
}

impl Launcher {
    /// Starts the keeper, in a sandbox if one is given: then that holds for all that is launched. It is best done while this
    /// process is small and has few threads.
    ///
    /// # Errors
    /// When the system has no process or descriptor left.
    pub fn new(sandbox: Option<Sandbox>) -> io::Result<Self> {
        let keeper = keeper::start(sandbox.as_ref())?;
        Ok(Self { keeper: Mutex::new(keeper), sandbox })
    }

    /// What the sandbox holds. Without one, nothing.
    #[must_use]
    pub fn held(&self) -> Held {
        self.keeper().held
    }

    /// Starts a process as the leader of a group. That it could not be started is known at its end ([`Ended::Failed`]).
    ///
    /// # Errors
    /// When the system has no process, memory or descriptor left, or an argument holds a zero byte.
    pub fn launch(&self, launch: &Launch<'_>) -> io::Result<Running> {
        let request = Request::write(launch)?;
        let (control, theirs) = message::pair()?;
        let nothing = File::options().read(true).write(true).open("/dev/null")?;
        let [stdin, stdout, stderr] =
            [launch.stdin, launch.stdout, launch.stderr].map(|stream| stream.unwrap_or(nothing.as_fd()));
        let descriptors = [request.as_fd(), theirs.as_fd(), stdin, stdout, stderr];
        let mut keeper = self.keeper();
        if keeper.ask(&descriptors).is_err() {
            // Somebody has killed it.
            let new = keeper::start(self.sandbox.as_ref())?;
            if new.held != keeper.held {
                return Err(io::Error::other("the sandbox cannot be made again"));
            }
            *keeper = new;
            keeper.ask(&descriptors)?;
        }
        let keeper = Arc::clone(&keeper.process);
        Ok(Running { control: Arc::new(control), keeper, is_awaited: false })
    }

    /// A thread that panics while it holds the lock leaves a keeper that serves.
    fn keeper(&self) -> MutexGuard<'_, Keeper> {
        self.keeper.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A process that was started. When it is dropped, the process ends with all that it started.
#[derive(Debug)]
pub struct Running {
    control: Arc<OwnedFd>,
    keeper: Arc<KeeperProcess>,
    /// Whether its end was awaited.
    is_awaited: bool,
}

impl Running {
    /// What ends it from another thread.
    #[must_use]
    pub fn stop(&self) -> Stop {
        Stop { control: Arc::clone(&self.control), keeper: Arc::clone(&self.keeper) }
    }

    /// Becomes readable when the process and all that it started have ended.
    #[must_use]
    pub fn ends(&self) -> Option<BorrowedFd<'_>> {
        Some(self.control.as_fd())
    }

    /// Whether the process and all that it started have ended.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn has_ended(&self) -> io::Result<bool> {
        is_readable(&self.control)
    }

    /// Waits until the process and all that it started have ended.
    ///
    /// # Errors
    /// When the socket fails.
    pub fn wait(&mut self) -> io::Result<Ended> {
        let told = message::hear(&self.control);
        self.is_awaited = told.is_ok();
        Ok(match told {
            Ok(Some([0, status, processor, memory])) => {
                let processor = Duration::from_millis(processor.unsigned_abs().into());
                let usage = Usage { processor, memory: u64::from(memory.unsigned_abs()) << 10 };
                Ended::Ran(ExitStatus::from_raw(status), Some(usage))
            }
            Ok(Some([error, ..])) => Ended::Failed(io::Error::from_raw_os_error(error)),
            Ok(None) => Ended::Lost,
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ended::Lost,
            Err(error) => return Err(error),
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_awaited {
            self.stop().stop();
        }
    }
}

/// Ends a process with all that it started, at once and from any thread.
#[derive(Clone, Debug)]
pub struct Stop {
    control: Arc<OwnedFd>,
    keeper: Arc<KeeperProcess>,
}

impl Stop {
    /// Has it end. Where it has ended nothing happens.
    pub fn stop(&self) {
        // An error means that nobody hears it any more.
        let _ = shutdown(&self.control, Shutdown::Write);
        if !is_readable(&self.control).unwrap_or(false) {
            self.keeper.continue_all();
        }
    }
}

/// Whether something, or the end, can be read at once.
fn is_readable(socket: &OwnedFd) -> io::Result<bool> {
    let mut waited = [PollFd::new(socket, PollFlags::IN)];
    match poll(&mut waited, Some(&Timespec::default())) {
        Err(Errno::INTR) => Ok(false),
        ready => Ok(ready? > 0),
    }
}
