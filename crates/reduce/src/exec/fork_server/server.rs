//! One server: started, asked for a process, asked to reap it.

use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;

use anyhow::{Context, bail};
use mcve_launch::{Ended, Launch, Running};
use mcve_preload::protocol::{HELLO, PRELOAD, REAP, VARIABLE};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recv,
    send, sendmsg, socketpair,
};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::protocol;
use crate::exec::cancel::{Cancel, End, end_forked};
use crate::exec::group::{Group, Leader};
use crate::exec::process::Processes;
use crate::exec::shim::Changes;

/// The time limit of a server's start. A failed start is noticed at once by its end: this is for a server that hangs.
const PATIENCE: Timespec = Timespec { tv_sec: 60, tv_nsec: 0 };

/// A process that is ready to be forked. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Server {
    /// The process of the server, which ends when this is dropped.
    _running: Running,
    socket: OwnedFd,
    /// The changes to the environment that it was started with.
    env: Changes,
}

impl Server {
    /// Starts `compiler` with `library` preloaded and these changes to the environment.
    pub(super) fn start(processes: &Processes, compiler: &Path, library: &Path, env: Changes) -> anyhow::Result<Self> {
        let (socket, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        let running = launch(processes, compiler, library, &env, theirs.as_fd())?;
        drop(theirs);
        let server = Self { _running: running, socket, env };
        if !is_readable(&server.socket, PATIENCE)? {
            bail!("rustc does not begin to serve");
        }
        let mut hello = [0; HELLO.len() + 1];
        let (_, length) = recv(&server.socket, &mut hello, RecvFlags::empty())?;
        if hello[..length] != *HELLO {
            bail!("rustc does not take what is preloaded");
        }
        Ok(server)
    }

    /// Whether it was started with these changes to the environment.
    pub(super) fn has(&self, env: &Changes) -> bool {
        self.env == *env
    }

    /// Makes the server fork a process for a request, as [`protocol::request`] encodes it.
    pub(super) fn fork<'a, 's>(&'s mut self, request: &[u8], cancel: &'a Cancel) -> io::Result<Group<'a, Forked<'s>>> {
        let (stdout, theirs_stdout) = io::pipe()?;
        let (stderr, theirs_stderr) = io::pipe()?;
        let outputs = [theirs_stdout.as_fd(), theirs_stderr.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        control.push(SendAncillaryMessage::ScmRights(&outputs));
        let sent = sendmsg(&self.socket, &[IoSlice::new(request)], &mut control, SendFlags::NOSIGNAL)?;
        if sent != request.len() {
            return Err(io::ErrorKind::WriteZero.into());
        }
        let Some(pid) = Pid::from_raw(self.answer()?).filter(|pid| pid.as_raw_nonzero().get() > 0) else {
            return Err(io::Error::other("it cannot fork"));
        };
        let process = Arc::new(pidfd_open(pid, PidfdFlags::empty())?);
        Ok(Group::new(Forked { server: self, pid, process }, stdout.into(), stderr.into(), cancel))
    }

    fn answer(&self) -> io::Result<i32> {
        let mut answer = [0; size_of::<i32>()];
        let (_, length) = recv(&self.socket, &mut answer, RecvFlags::TRUNC)?;
        protocol::number(answer.get(..length).unwrap_or_default()).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// Starts a compiler with `library` preloaded, to serve on its standard input.
fn launch(
    processes: &Processes,
    compiler: &Path,
    library: &Path,
    env: &Changes,
    stdin: BorrowedFd<'_>,
) -> anyhow::Result<Running> {
    // In the variable a space or a colon ends a path, so the folder is left out of it.
    let (Some(folder), Some(name)) = (library.parent(), library.file_name()) else {
        bail!("`{}` is no file", library.display());
    };
    let changes = [env.as_slice(), &[(VARIABLE.text.into(), Some("1".into()))]].concat();
    let mut env = processes.environment.with(&changes);
    if env.iter().any(|(name, _)| name == PRELOAD.text) {
        bail!("something else is preloaded");
    }
    env.push((PRELOAD.text.into(), Path::new(".").join(name).into()));
    // Without the library it runs its argument and ends.
    let words = [compiler.into(), "--version".into()];
    // It has the limits of a check. What it forks runs in folders of which it knows nothing yet.
    let (stdin, memory) = (Some(stdin), processes.memory.0);
    let launch = Launch { stdin, memory, ..Launch::new(compiler, &words, &env, folder) };
    processes.launcher.launch(&launch).context("cannot run rustc")
}

/// Whether there is something to read, or soon.
fn is_readable(from: impl AsFd, patience: Timespec) -> io::Result<bool> {
    let mut waited = [PollFd::new(&from, PollFlags::IN)];
    Ok(retry_on_intr(|| poll(&mut waited, Some(&patience)))? > 0)
}

pub(super) struct Forked<'s> {
    server: &'s mut Server,
    pid: Pid,
    /// A descriptor that becomes readable when it exits.
    process: Arc<OwnedFd>,
}

impl Leader for Forked<'_> {
    fn end(&self) -> End {
        let (pid, process) = (self.pid, Arc::clone(&self.process));
        Box::new(move || end_forked(pid, &process))
    }

    fn ends(&self) -> Option<BorrowedFd<'_>> {
        Some(self.process.as_fd())
    }

    fn has_ended(&self) -> io::Result<bool> {
        is_readable(&*self.process, Timespec::default())
    }

    fn reap(&mut self) -> io::Result<Ended> {
        send(&self.server.socket, REAP, SendFlags::NOSIGNAL)?;
        Ok(Ended::Ran(ExitStatus::from_raw(self.server.answer()?), None))
    }
}
