//! Launching where there are no subreapers: processes that lead a group, which is killed.

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
    /// Makes one. There are no sandboxes here.
    ///
    /// # Errors
    /// Never here.
    pub fn new(_: Option<Sandbox>) -> io::Result<Self> {
        Ok(Self)
    }

    /// Nothing is held here.
    #[must_use]
    pub fn held(&self) -> Held {
        Held::default()
    }

    /// Starts a process as the leader of a group. The limit of memory is not set here.
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

/// A process that was started. When it is dropped, its group is killed.
#[derive(Debug)]
pub struct Running {
    child: io::Result<Child>,
    stop: Stop,
}

impl Running {
    /// What ends it from another thread.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Nothing announces the end here.
    #[must_use]
    pub fn ends(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// Whether the process has ended.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn has_ended(&self) -> io::Result<bool> {
        let Ok(child) = &self.child else { return Ok(true) };
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(Pid::from_child(child)), options)?.is_some())
    }

    /// Waits until the process has ended, and kills what is left of its group.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn wait(&mut self) -> io::Result<Ended> {
        let child = match &mut self.child {
            Ok(child) => child,
            Err(error) => {
                return Ok(Ended::Failed(
                    error.raw_os_error().map_or(error.kind().into(), io::Error::from_raw_os_error),
                ));
            }
        };
        // Its number stays taken until the group has been killed.
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

/// Kills a process and its group, at once and from any thread.
#[derive(Clone, Debug)]
pub struct Stop {
    /// None once its leader may be reaped: then the number may be another's.
    group: Arc<Mutex<Option<Pid>>>,
}

impl Stop {
    /// Kills it. Where it has ended nothing happens.
    pub fn stop(&self) {
        if let Some(group) = *self.group() {
            // Its leader may have left it. An error means that nobody of the group is left.
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
