//! Turns a forked process into the process of a check.

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;

use nix::errno::Errno;
use nix::unistd::execve;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, chdir, getppid, getrlimit, set_parent_process_death_signal, setpgid, setrlimit,
};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

use crate::request::Request;
use crate::sandbox::confine;
use crate::system::{reset_signals, set_processor_timer};

/// Executes the program of a request as a group leader with these standard streams; returns only the error if that
/// fails. The process is killed when `warden`, its parent, dies.
pub(crate) fn become_program(request: &Request, streams: &[OwnedFd; 3], warden: Pid) -> Errno {
    match prepare(request, streams, warden) {
        Ok(()) => match execve(&request.program, &request.words, &request.env) {
            Err(error) => error,
            Ok(never) => match never {},
        },
        Err(error) => Errno::from_raw(error.raw_os_error().unwrap_or(Errno::EPERM as i32)),
    }
}

fn prepare(request: &Request, [stdin, stdout, stderr]: &[OwnedFd; 3], warden: Pid) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() != Some(warden) {
        return Err(rustix::io::Errno::SRCH.into());
    }
    setpgid(None, None)?;
    limit(Resource::Core, 1)?;
    if let Some(bytes) = request.memory {
        limit(Resource::Data, bytes)?;
    }
    dup2_stdin(stdin)?;
    dup2_stdout(stdout)?;
    dup2_stderr(stderr)?;
    chdir(&*request.folder)?;
    reset_signals();
    if let Some(limit) = request.processor {
        set_processor_timer(limit)?;
    }
    if !request.confined_to.is_empty() {
        let paths: Vec<&OsStr> = request.confined_to.iter().map(|path| OsStr::from_bytes(path.as_bytes())).collect();
        confine(&paths, &[], false)?;
    }
    Ok(())
}

/// Lowers a limit; keeps a lower one that is already set.
///
/// If the failure is a crash, every interesting check would write a core dump: so the limit for these is one byte, which
/// also applies if the kernel pipes dumps to a program. Memory means the private writable memory of the process:
/// unlike the address space, it does not grow with mere reservations, such as by allocators and for stacks.
fn limit(resource: Resource, bytes: u64) -> rustix::io::Result<()> {
    let bytes = Some(getrlimit(resource).maximum.map_or(bytes, |own| own.min(bytes)));
    setrlimit(resource, Rlimit { current: bytes, maximum: bytes })
}
