//! The keeper: forks wardens, and kills the processes that a killed warden has left.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::signal::SigSet;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags, open};
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, getpid, kill_process, pidfd_open, pidfd_send_signal,
    set_child_subreaper, set_dumpable_behavior, setpgid, waitpid,
};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

use crate::sandbox::{Held, Sandbox};
use crate::{message, system, tree, warden};

struct Warden {
    pid: Pid,
    /// Becomes readable when the warden ends.
    ends: OwnedFd,
}

/// mcve's handle of the keeper process. Dropping it ends the keeper, and waits until the keeper has killed all its descendants.
#[derive(Debug)]
pub(crate) struct Keeper {
    /// None while it is dropped.
    socket: Option<OwnedFd>,
    pub(crate) process: Arc<KeeperProcess>,
    /// The restrictions that its sandbox enforces.
    pub(crate) held: Held,
}

#[derive(Debug)]
pub(crate) struct KeeperProcess {
    pid: Pid,
    descriptor: OwnedFd,
    /// Whether mcve has ended it.
    is_dropped: AtomicBool,
}

impl KeeperProcess {
    /// Checks that nobody else has ended it. If somebody has, nothing is left to end what it started: then all processes in
    /// sandboxes are ended that have become children of this one. Fails when it was ended.
    pub(crate) fn check(&self) -> io::Result<()> {
        if self.is_dropped.load(Ordering::Relaxed) || !message::is_readable(&self.descriptor)? {
            return Ok(());
        }
        tree::end_orphans();
        Err(io::Error::other(
            "the process that supervises checks was killed; mcve ended everything that it had started",
        ))
    }

    /// Continues it and its wardens after a `SIGSTOP` from outside: a stopped warden cannot end any process.
    pub(crate) fn continue_all(&self) {
        // The pids belong to its wardens while the keeper exists.
        if pidfd_send_signal(&self.descriptor, Signal::CONT).is_ok() {
            for warden in tree::children_of(self.pid) {
                let _ = kill_process(warden, Signal::CONT);
            }
        }
    }
}

impl Keeper {
    /// Makes it fork a warden with these descriptors. Fails when the keeper has ended.
    pub(crate) fn ask(&self, descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
        self.socket
            .as_ref()
            .map_or(Err(io::ErrorKind::NotConnected.into()), |socket| message::pass(socket, descriptors))
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.process.is_dropped.store(true, Ordering::Relaxed);
        self.socket = None;
        self.process.continue_all();
        while matches!(waitpid(Some(self.process.pid), WaitOptions::empty()), Err(rustix::io::Errno::INTR)) {}
    }
}

/// Forks a keeper, in this sandbox if there is one.
/// Fails when the system has no process or descriptor left, or the keeper's requirements are missing.
pub(crate) fn start(sandbox: Option<&Sandbox>) -> io::Result<Keeper> {
    // What a killed keeper leaves becomes a child of this process.
    set_child_subreaper(Some(getpid()))?;
    // Namespaces may be only partly allowed.
    fork_keeper(sandbox, true).or_else(|_| fork_keeper(sandbox, false))
}

fn fork_keeper(sandbox: Option<&Sandbox>, by_namespaces: bool) -> io::Result<Keeper> {
    let (ours, theirs) = message::pair()?;
    let pid = system::fork(|| prepare(theirs, sandbox, by_namespaces).map_or(1, |socket| serve(&socket)))?;
    let process = Arc::new(KeeperProcess {
        pid,
        descriptor: pidfd_open(pid, PidfdFlags::empty())?,
        is_dropped: AtomicBool::new(false),
    });
    let told = message::hear(&ours);
    let mut keeper = Keeper { socket: Some(ours), process, held: Held::default() };
    match told? {
        Some([0, files, network, modes]) => {
            keeper.held = Held { files: files != 0, network: network != 0, modes: modes != 0 };
            Ok(keeper)
        }
        Some([error, ..]) => Err(io::Error::from_raw_os_error(error)),
        None => Err(io::Error::other("the process that starts checks has ended")),
    }
}

/// Detaches from mcve: its descriptors, its process group, which receives a terminal's signals, and its blocked signals.
fn prepare(socket: OwnedFd, sandbox: Option<&Sandbox>, by_namespaces: bool) -> io::Result<OwnedFd> {
    let nothing = open("/dev/null", OFlags::RDWR, Mode::empty())?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    system::close_others(&[socket.as_fd()]);
    std::mem::forget(nothing);
    let ready = || {
        setpgid(None, None)?;
        set_child_subreaper(Some(getpid()))?;
        SigSet::empty().thread_set_mask()?;
        std::fs::metadata("/proc/thread-self/children")?;
        let held = sandbox.map_or(Ok(Held::default()), |sandbox| sandbox.enter(by_namespaces))?;
        // The memory of this fork holds what mcve knows. Nothing that it starts may read that, also without Landlock.
        set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
        io::Result::Ok(held)
    };
    let ready = ready();
    let (error, held) = (ready.as_ref().err().map_or(0, number), ready.as_ref().copied().unwrap_or_default());
    message::tell(&socket, [error, held.files.into(), held.network.into(), held.modes.into()])?;
    ready.map(|_| socket)
}

fn number(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or(nix::errno::Errno::EIO as i32)
}

/// Forks wardens until mcve has closed the socket, and then kills all descendants.
fn serve(socket: &OwnedFd) -> u8 {
    let mut wardens: Vec<Warden> = Vec::new();
    loop {
        let ends = wardens.iter().map(|warden| warden.ends.as_fd());
        let waited = std::iter::once(socket.as_fd()).chain(ends);
        let mut waited: Vec<PollFd<'_>> = waited.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)).collect();
        if poll(&mut waited, None).is_err() {
            continue;
        }
        let ready: Vec<bool> = waited.iter().map(|waited| !waited.revents().is_empty()).collect();
        drop(waited);
        let mut ended = ready[1..].iter();
        let before = wardens.len();
        wardens.retain(|warden| ended.next() != Some(&true) || !reap(warden.pid));
        if wardens.len() < before {
            // A warden kills its descendants before it ends, unless it was killed.
            let spared: Vec<Pid> = wardens.iter().map(|warden| warden.pid).collect();
            tree::end_children(&spared);
        }
        if ready[0] {
            match message::take(socket) {
                Ok(Some(descriptors)) => wardens.extend(fork(descriptors)),
                Ok(None) | Err(_) => break,
            }
        }
    }
    // The process of a warden dies with it, and orphans become children of the keeper.
    tree::end_children(&[]);
    0
}

fn reap(warden: Pid) -> bool {
    !matches!(waitpid(Some(warden), WaitOptions::NOHANG), Ok(None) | Err(rustix::io::Errno::INTR))
}

/// Forks a warden for a request. If that fails, the requester sees the end of the control socket of its request.
fn fork(descriptors: Vec<OwnedFd>) -> Option<Warden> {
    let [memory, control, stdin, stdout, stderr] = <[OwnedFd; message::MOST]>::try_from(descriptors).ok()?;
    let pid = system::fork(|| {
        system::close_others(&[memory.as_fd(), control.as_fd(), stdin.as_fd(), stdout.as_fd(), stderr.as_fd()]);
        warden::run(memory, &control, [stdin, stdout, stderr])
    });
    let pid = match pid {
        Ok(pid) => pid,
        Err(error) => {
            let _ = message::tell(&control, [number(&error), 0, 0, 0, 0]);
            return None;
        }
    };
    // It is not reaped before this, so the pid is still valid.
    pidfd_open(pid, PidfdFlags::empty()).ok().map(|ends| Warden { pid, ends })
}
