//! mcve's side of launching: the handles of the keeper and of processes.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use rustix::net::{Shutdown, shutdown};

use crate::keeper::{self, Keeper, KeeperProcess};
use crate::request::Request;
use crate::sandbox::{Held, Sandbox};
use crate::{Ended, Launch, Usage, message};

/// Starts processes. When it is dropped or this process ends in any way, all of them and their descendants are killed.
#[derive(Debug)]
pub struct Launcher {
    keeper: Keeper,
    sandbox: Option<Sandbox>,
}

impl Launcher {
    /// Starts the keeper, in a sandbox if one is given, which applies to all launched processes. Best done while this
    /// process is small and has few threads. Makes this process a subreaper (`PR_SET_CHILD_SUBREAPER`).
    ///
    /// # Errors
    /// When the system has no process or descriptor left.
    pub fn new(sandbox: Option<Sandbox>) -> io::Result<Self> {
        let keeper = keeper::start(sandbox.as_ref())?;
        Ok(Self { keeper, sandbox })
    }

    /// The restrictions that the sandbox enforces; none without a sandbox.
    pub fn held(&self) -> Held {
        self.keeper.held
    }

    /// Starts a process as a group leader. A failure to start is reported as its end ([`Ended::Failed`]).
    ///
    /// # Errors
    /// When the system has no process, memory or descriptor left, an argument contains a zero byte, or somebody has killed
    /// the keeper.
    pub fn launch(&self, launch: &Launch<'_>) -> io::Result<Running> {
        // A layer of its own, so that it reaches neither the keeper nor its warden.
        let all: Option<Vec<&Path>> =
            self.sandbox.as_ref().map(|sandbox| sandbox.writable.iter().map(|path| &**path).collect());
        let confined_to = launch.confined_to.or(all.as_deref());
        let request = Request::write(&Launch { confined_to, ..*launch })?;
        let (control, theirs) = message::pair()?;
        let nothing = File::options().read(true).write(true).open("/dev/null")?;
        let [stdin, stdout, stderr] =
            [launch.stdin, launch.stdout, launch.stderr].map(|stream| stream.unwrap_or(nothing.as_fd()));
        let descriptors = [request.as_fd(), theirs.as_fd(), stdin, stdout, stderr];
        self.keeper.ask(&descriptors).or_else(|error| self.keeper.process.check().and(Err(error)))?;
        let keeper = Arc::clone(&self.keeper.process);
        Ok(Running { control: Arc::new(control), keeper, is_awaited: false })
    }
}

/// A running process. Dropping it kills the process and its descendants.
#[derive(Debug)]
pub struct Running {
    control: Arc<OwnedFd>,
    keeper: Arc<KeeperProcess>,
    /// Whether its end was received.
    is_awaited: bool,
}

impl Running {
    /// A handle that ends it from another thread.
    pub fn stop(&self) -> Stop {
        Stop { control: Arc::clone(&self.control), keeper: Arc::clone(&self.keeper) }
    }

    /// Becomes readable when the process and all its descendants have ended.
    pub fn ends(&self) -> Option<BorrowedFd<'_>> {
        Some(self.control.as_fd())
    }

    /// Whether the process and all its descendants have ended.
    pub fn has_ended(&self) -> io::Result<bool> {
        message::is_readable(&self.control)
    }

    /// Waits until the process and all its descendants have ended.
    ///
    /// # Errors
    /// When the socket fails, or somebody has killed the keeper.
    pub fn wait(&mut self) -> io::Result<Ended> {
        let told = message::hear(&self.control);
        self.is_awaited = told.is_ok();
        self.keeper.check()?;
        Ok(match told {
            Ok(Some([0, status, processor, memory, waited])) => {
                let processor = Duration::from_millis(processor.unsigned_abs().into());
                let (memory, has_waited) = (u64::from(memory.unsigned_abs()) << 10, waited != 0);
                let usage = Usage { processor, memory, has_waited };
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

/// Kills a process and its descendants, immediately and from any thread.
#[derive(Clone, Debug)]
pub struct Stop {
    control: Arc<OwnedFd>,
    keeper: Arc<KeeperProcess>,
}

impl Stop {
    /// Ends the process. Does nothing if it has ended.
    pub fn stop(&self) {
        // An error means that the warden has ended.
        let _ = shutdown(&self.control, Shutdown::Write);
        if !message::is_readable(&self.control).unwrap_or(false) {
            self.keeper.continue_all();
        }
    }
}
