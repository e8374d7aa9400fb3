//! The server for scripts, and what has a script find a stub where it looks for rustc.

use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::Context;
use mcve_launch::Running;
use rustix::io::ioctl_fionbio;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, listen, socket_with};

use super::protocol::HELLO;
use super::server::{await_hello, is_hello, launch};
use crate::exec::job::{Job, Word};
use crate::exec::process::Processes;
use crate::exec::shim::{self, Calls, Changes, VARIABLE};

/// What the stub becomes where it is not served, beside it; the same in `remote/stub.rs`.
const PLAIN: &str = "rustc.plain";

/// Where the server listens, beside the stub; the same in `remote/stub.rs`.
const SOCKET: &str = "rustc.socket";

/// What is set where mcve calls the stub itself; the same in `remote/scripts.rs`.
const OF_MCVE: (&str, &str) = ("MCVE_FORK_SERVER", "mcve");

/// So many stubs may wait for the server to take them in.
const BACKLOG: i32 = 64;

/// A server for scripts. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Stubs {
    /// Ends when it is dropped.
    _running: Running,
    /// A byte for each process that it forked.
    told: File,
    /// The stub.
    program: PathBuf,
    /// What has a script call it.
    env: Changes,
}

impl Stubs {
    /// Starts `compiler` with `library` preloaded, in the surroundings that scripts with the variables `env` have, and
    /// puts the stub into the new folder `folder`.
    ///
    /// # Errors
    /// When it does not say that it serves, or the folder cannot be made.
    pub(super) fn start(
        processes: &Processes,
        [compiler, library, stub]: [&Path; 3],
        folder: &Path,
        calls: &Calls,
        env: &Changes,
    ) -> anyhow::Result<Self> {
        fs::create_dir(folder).context("cannot make the folder of the stub")?;
        let program = folder.join("rustc");
        symlink(stub, &program)?;
        symlink(calls.by_name.as_deref().unwrap_or(compiler), folder.join(PLAIN))?;
        let mut changes = Changes::new();
        if calls.by_name.is_some() {
            changes.push(shim::first_in_path(folder, env)?);
        }
        if calls.by_variable {
            changes.push((VARIABLE.into(), Some(program.clone().into())));
        }
        let listener = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        bind(&listener, &SocketAddrUnix::new(folder.join(SOCKET))?).context("cannot listen for the stub")?;
        listen(&listener, BACKLOG)?;
        let (told, tells) = io::pipe()?;
        // Nobody is to wait because nobody reads.
        ioctl_fionbio(&tells, true)?;
        let running = launch(processes, compiler, library, env, listener.as_fd(), Some(tells.as_fd()))?;
        // Whether it has ended is seen by that nobody else writes to it.
        drop((tells, listener));
        let mut stubs = Self { _running: running, told: File::from(OwnedFd::from(told)), program, env: changes };
        await_hello(&stubs.told)?;
        let mut hello = [0; HELLO.len()];
        let length = stubs.told.read(&mut hello)?;
        is_hello(&hello[..length])?;
        ioctl_fionbio(&stubs.told, true)?;
        Ok(stubs)
    }

    /// A job that calls the stub where the job of a script would call the compiler.
    pub(super) fn script(&self, job: &Job) -> Job {
        let mut job = job.clone();
        job.env.extend(self.env.iter().cloned());
        job
    }

    /// A job that calls the stub in the place of a program.
    pub(super) fn instead_of(&self, job: &Job) -> Job {
        let mut job = job.clone();
        job.argv[0] = Word::Text(self.program.clone().into());
        job.env.push((OF_MCVE.0.into(), Some(OF_MCVE.1.into())));
        job
    }

    /// Whether it has forked a process for a script since this was asked last.
    ///
    /// # Errors
    /// When it has ended.
    pub(super) fn has_forked(&self) -> io::Result<bool> {
        let (mut bytes, mut forked) = ([0; 1 << 10], false);
        loop {
            match (&self.told).read(&mut bytes) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(_) => forked = true,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(forked),
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_know_the_same_names() {
        let stub = include_str!("remote/stub.rs");
        for name in [PLAIN, SOCKET] {
            assert!(stub.contains(&format!("b\"{name}\\0\";")), "{name}");
        }
        let (name, value) = OF_MCVE;
        assert!(include_str!("remote/scripts.rs").contains(&format!("b\"{name}={value}\";")));
    }
}
