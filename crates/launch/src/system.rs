//! System calls without a safe wrapper.
#![expect(unsafe_code, reason = "they have no safe function")]

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use rustix::process::Pid;

/// The first descriptor after the standard streams.
const FIRST: u32 = 3;

/// A bound that descriptors are unlikely to exceed.
const LIKELY: u32 = 1 << 16;

/// The highest standard signal.
const LAST_SIGNAL: i32 = 31;

/// Forks a single-threaded process that calls `child` and exits with its result.
///
/// `child` may allocate, as the C libraries of Linux prepare their allocators for that, but must not take a lock that another
/// thread of this process may hold: it must not print, read the environment or wait for threads.
/// Fails when the system has no process left.
pub(crate) fn fork(child: impl FnOnce() -> u8) -> io::Result<Pid> {
    // SAFETY: The callers in this crate follow the rules above. The child never returns from here, so nothing on this
    // thread's stack is used or dropped twice.
    match unsafe { libc::fork() } {
        0 => {
            let code = catch_unwind(AssertUnwindSafe(child)).unwrap_or(101);
            // SAFETY: It may be called anywhere, and runs no exit handlers of this process.
            unsafe { libc::_exit(code.into()) }
        }
        pid => Pid::from_raw(pid).filter(|_| pid > 0).ok_or_else(io::Error::last_os_error),
    }
}

/// In a forked process: closes all descriptors except for the standard streams and these. Owners of the others must not
/// be dropped.
pub(crate) fn close_others(kept: &[BorrowedFd<'_>]) {
    let mut kept: Vec<u32> = kept.iter().filter_map(|kept| kept.as_raw_fd().try_into().ok()).collect();
    kept.sort_unstable();
    let mut first = FIRST;
    for number in kept {
        if number > first {
            close_range(first, number - 1);
        }
        first = first.max(number + 1);
    }
    close_range(first, u32::MAX);
}

fn close_range(first: u32, last: u32) {
    // SAFETY: The owners of these descriptors are never used or dropped, as this process ends by `_exit` or executes
    // another program.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, last, 0) < 0 {
            // Fallback before Linux 5.9.
            let most = u32::try_from(libc::sysconf(libc::_SC_OPEN_MAX)).unwrap_or(LIKELY).min(LIKELY);
            (first..=last.min(most)).for_each(|number| {
                libc::close(number as i32);
            });
        }
    }
}

/// In a forked process: sets all signals to their default action, except for SIGTTOU, so that a background process that
/// writes to a terminal does not stop.
pub(crate) fn reset_signals() {
    for signal in (1..=LAST_SIGNAL).filter(|signal| *signal != libc::SIGTTOU) {
        // SAFETY: The default action runs no code of this process. It fails for SIGKILL and SIGSTOP, which always have it.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
        }
    }
}

/// Sends `SIGPROF` to this process after it has used this much processor time, even if it has executed another program.
/// Fails when the system does not support the timer.
pub(crate) fn set_processor_timer(limit: Duration) -> io::Result<()> {
    let seconds = limit.as_secs().try_into().unwrap_or(libc::time_t::MAX);
    let it_value = libc::timeval { tv_sec: seconds, tv_usec: limit.subsec_micros().into() };
    let timer = libc::itimerval { it_interval: libc::timeval { tv_sec: 0, tv_usec: 0 }, it_value };
    // SAFETY: The call reads the new timer. It writes nothing: the pointer for the old timer is null.
    match unsafe { libc::setitimer(libc::ITIMER_PROF, &raw const timer, std::ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether a mount can be written to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Access {
    ReadOnly,
    ReadWrite,
}

/// Sets the access of the mounts at and below a path.
/// Fails when this process lacks the permission, or the kernel is older than 5.12.
pub(crate) fn set_access(path: &Path, access: Access) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    let (attr_set, attr_clr) = match access {
        Access::ReadOnly => (libc::MOUNT_ATTR_RDONLY, 0),
        Access::ReadWrite => (0, libc::MOUNT_ATTR_RDONLY),
    };
    let attributes = libc::mount_attr { attr_set, attr_clr, propagation: 0, userns_fd: 0 };
    let flags = libc::AT_RECURSIVE as libc::c_uint;
    // SAFETY: The path ends with a zero byte, and the kernel reads as many bytes of the attributes as their size.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            &attributes,
            size_of_val(&attributes),
        )
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Starts the loopback interface of a network namespace. Fails when this process lacks the permission.
pub(crate) fn start_loopback() -> io::Result<()> {
    let socket = rustix::net::socket(rustix::net::AddressFamily::INET, rustix::net::SocketType::DGRAM, None)?;
    // SAFETY: Zeroes are an empty name and no flags.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    request.ifr_name[0] = b'l' as libc::c_char;
    request.ifr_name[1] = b'o' as libc::c_char;
    request.ifr_ifru.ifru_flags = libc::IFF_UP as libc::c_short;
    // SAFETY: The kernel reads a request of this type.
    let done = unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as _, &request) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
