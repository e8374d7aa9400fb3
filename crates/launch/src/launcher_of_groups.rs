//! Launching without subreapers: each process leads a group, which is killed.

use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, kill_process_group, waitid};

use crate::sandbox::{Held, Sandbox};
use crate::{Ended, Launch};

/// Starts processes.
#[derive(Debug)]
pub struct Launcher;

impl Launcher {
    /// Creates a launcher. Sandboxes are not supported here.
    ///
    /// # Errors
    /// Never.
    pub fn new(_: Option<Sandbox>) -> io::Result<Self> {
        Ok(Self)
    }

    /// No restrictions are enforced here.
    pub fn held(&self) -> Held {
        Held::default()
    }

    /// Starts a process as a group leader. The memory limit is not supported here.
    ///
    /// # Errors
    /// When the system has no process or descriptor left.
    pub fn launch(&self, launch: &Launch<'_>) -> io::Result<Running> {
        let mut command = Command::new(launch.program);
        if let Some((name, words)) = launch.words.split_first() {
            command.arg0(name).args(words);
        }
        let stream = |stream: Option<BorrowedFd<'_>>| -> io::Result<Stdio> {
            stream.map_or(Ok(Stdio::null()), |stream| Ok(stream.try_clone_to_owned()?.into()))
        };
        command.env_clear().envs(launch.env.iter().map(|(name, value)| (name, value))).current_dir(launch.folder);
        command.stdin(stream(launch.stdin)?).stdout(stream(launch.stdout)?).stderr(stream(launch.stderr)?);
        let child = command.process_group(0).spawn();
        let group = child.as_ref().ok().map(Pid::from_child);
        let stop = Stop { group: Arc::new(Mutex::new(group)) };
        Ok(Running { child, stop })
    }
}

/// A running process. Dropping it kills its group.
#[derive(Debug)]
pub struct Running {
    child: io::Result<Child>,
    stop: Stop,
}

impl Running {
    /// A handle that ends it from another thread.
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// The end is not announced here.
    pub fn ends(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// Whether the process has ended.
    pub fn has_ended(&self) -> io::Result<bool> {
        let Ok(child) = &self.child else { return Ok(true) };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(Pid::from_child(child)), options)?.is_some())
    }

    /// Waits until the process has ended, and kills the rest of its group.
    pub fn wait(&mut self) -> io::Result<Ended> {
        let child = match &mut self.child {
            Ok(child) => child,
            Err(error) => {
                return Ok(Ended::Failed(
                    error.raw_os_error().map_or(error.kind().into(), io::Error::from_raw_os_error),
                ));
            }
        };
        // Its pid stays valid until the group has been killed.
        waitid(WaitId::Pid(Pid::from_child(child)), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)?;
        self.stop.kill_and_forget();
        Ok(Ended::Ran(child.wait()?, None))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.kill_and_forget();
        if let Ok(child) = &mut self.child {
            let _ = child.wait();
        }
    }
}

/// Kills a process and its group, immediately and from any thread.
#[derive(Clone, Debug)]
pub struct Stop {
    /// None once the leader may be reaped, as another process may then get the pid.
    group: Arc<Mutex<Option<Pid>>>,
}

impl Stop {
    /// Kills it. Does nothing if it has ended.
    pub fn stop(&self) {
        if let Some(group) = *self.group() {
            // The leader may have left the group. An error means that the group has no processes left.
            let _ = kill_process(group, Signal::KILL);
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    fn kill_and_forget(&self) {
        self.stop();
        *self.group() = None;
    }

    fn group(&self) -> MutexGuard<'_, Option<Pid>> {
        self.group.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
