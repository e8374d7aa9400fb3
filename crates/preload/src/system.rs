//! Safe wrappers of C library functions, and constants of the kernel.
//!
//! Their arguments are numbers, zero-terminated strings, and buffers with their lengths. They are called while there is
//! only one thread; rustc's `main` starts others only in a child.

use core::{mem, ptr};

use crate::text::Text;

/// `struct iovec`.
#[repr(C)]
struct Piece {
    base: *mut u8,
    length: usize,
}

/// `struct msghdr`, as on 64 bits.
#[repr(C)]
struct Message {
    name: *mut u8,
    name_length: u32,
    pieces: *mut Piece,
    pieces_count: usize,
    control: *mut Control,
    control_length: usize,
    flags: i32,
}

/// `struct cmsghdr` followed by two descriptors.
#[repr(C)]
struct Control {
    length: usize,
    level: i32,
    kind: i32,
    descriptors: [i32; 2],
}

const SOL_SOCKET: i32 = 1;
const SCM_RIGHTS: i32 = 1;
const MSG_CTRUNC: i32 = 0x8;
const MSG_TRUNC: i32 = 0x20;
const MSG_NOSIGNAL: i32 = 0x4000;
const MSG_CMSG_CLOEXEC: i32 = 0x4000_0000;
const F_DUPFD_CLOEXEC: i32 = 1030;
const O_RDONLY: i32 = 0;
const O_CLOEXEC: i32 = 0o2_000_000;
const PR_SET_PDEATHSIG: i32 = 1;
const PR_SET_CHILD_SUBREAPER: i32 = 36;
const SIGKILL: i32 = 9;
const WNOHANG: i32 = 1;
/// `RTLD_NEXT`: search in the objects after this one.
const NEXT: *mut u8 = -1_isize as *mut u8;

/// Declarations of the C library.
mod c {
    use super::Message;

    #[link(name = "c")]
    extern "C" {
        pub(super) static mut environ: *mut *mut u8;
        pub(super) fn _exit(status: i32) -> !;
        pub(super) fn chdir(path: *const u8) -> i32;
        pub(super) fn close(descriptor: i32) -> i32;
        pub(super) fn dlsym(handle: *mut u8, name: *const u8) -> *mut u8;
        pub(super) fn dup2(old: i32, new: i32) -> i32;
        pub(super) fn fcntl(descriptor: i32, command: i32, ...) -> i32;
        pub(super) fn fflush(stream: *mut u8) -> i32;
        pub(super) fn fork() -> i32;
        pub(super) fn getenv(name: *const u8) -> *const u8;
        pub(super) fn getpid() -> i32;
        pub(super) fn getppid() -> i32;
        pub(super) fn kill(pid: i32, signal: i32) -> i32;
        pub(super) fn open(path: *const u8, flags: i32, ...) -> i32;
        pub(super) fn prctl(option: i32, ...) -> i32;
        pub(super) fn putenv(change: *mut u8) -> i32;
        pub(super) fn read(descriptor: i32, buffer: *mut u8, length: usize) -> isize;
        pub(super) fn recv(socket: i32, buffer: *mut u8, length: usize, flags: i32) -> isize;
        pub(super) fn recvmsg(socket: i32, message: *mut Message, flags: i32) -> isize;
        pub(super) fn send(socket: i32, buffer: *const u8, length: usize, flags: i32) -> isize;
        pub(super) fn setpgid(pid: i32, group: i32) -> i32;
        pub(super) fn unsetenv(name: *const u8) -> i32;
        pub(super) fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    }
}

/// Ends this process immediately.
pub(crate) fn exit(status: i32) -> ! {
    // SAFETY: It may be called anywhere.
    unsafe { c::_exit(status) }
}

/// Flushes the C streams.
pub(crate) fn flush() {
    // SAFETY: Null stands for all streams.
    unsafe { c::fflush(ptr::null_mut()) };
}

/// The symbol of this name that this object overrides. Null if there is none.
pub(crate) fn next_symbol(name: Text<'_>) -> *mut u8 {
    // SAFETY: A `Text` is zero-terminated.
    unsafe { c::dlsym(NEXT, name.as_ptr()) }
}

pub(crate) fn has_variable(name: Text<'_>) -> bool {
    // SAFETY: A `Text` is zero-terminated.
    !unsafe { c::getenv(name.as_ptr()) }.is_null()
}

pub(crate) fn unset_variable(name: Text<'_>) {
    // SAFETY: A `Text` is zero-terminated. There is one thread.
    unsafe { c::unsetenv(name.as_ptr()) };
}

/// Sets a variable (`NAME=VALUE`) or unsets one (`NAME`).
///
/// # Safety
/// The string becomes a part of the environment: it has to live as long as the process.
pub(crate) unsafe fn put_variable(change: Text<'_>) {
    // SAFETY: A `Text` is zero-terminated. Nothing writes to it, though C's type would allow that. There is one thread.
    unsafe { c::putenv(change.as_ptr() as *mut u8) };
}

/// All variables, followed by a null pointer.
pub(crate) fn variables() -> *mut *mut u8 {
    // SAFETY: It exists as long as the process. There is one thread.
    unsafe { c::environ }
}

/// Changes the working directory; returns whether that succeeded.
pub(crate) fn change_folder(folder: Text<'_>) -> bool {
    // SAFETY: A `Text` is zero-terminated.
    unsafe { c::chdir(folder.as_ptr()) == 0 }
}

/// Forks: returns zero in the child, its pid in the parent, or a negative number.
pub(crate) fn fork() -> i32 {
    // SAFETY: There is one thread, so the child has the complete state of the parent.
    unsafe { c::fork() }
}

pub(crate) fn own_pid() -> i32 {
    // SAFETY: It has no preconditions.
    unsafe { c::getpid() }
}

/// Makes the kernel kill this process when its parent ends; returns whether that is still `parent`.
pub(crate) fn end_with_parent(parent: i32) -> bool {
    // SAFETY: All arguments are word-sized numbers.
    unsafe { c::prctl(PR_SET_PDEATHSIG, SIGKILL as usize, 0_usize, 0_usize, 0_usize) };
    // SAFETY: It has no preconditions.
    unsafe { c::getppid() == parent }
}

/// Makes this process the parent of its children's orphans.
pub(crate) fn adopt_orphans() {
    // SAFETY: All arguments are word-sized numbers.
    unsafe { c::prctl(PR_SET_CHILD_SUBREAPER, 1_usize, 0_usize, 0_usize, 0_usize) };
}

/// Makes a process, or this one for zero, the leader of its own group.
pub(crate) fn lead_group(pid: i32) {
    // SAFETY: All arguments are numbers.
    unsafe { c::setpgid(pid, pid) };
}

/// Kills a process, or the group of a negative number; returns whether there was one.
pub(crate) fn kill(pid: i32) -> bool {
    // SAFETY: All arguments are numbers.
    unsafe { c::kill(pid, SIGKILL) == 0 }
}

/// Waits for a child and reaps it: returns its wait status.
pub(crate) fn wait(pid: i32) -> Option<i32> {
    let mut status = 0;
    // SAFETY: The status is written to a number of its size.
    let waited = unsafe { c::waitpid(pid, &mut status, 0) };
    (waited == pid).then_some(status)
}

/// The result of waiting for any child.
pub(crate) enum Waited {
    /// One had ended and was reaped.
    Reaped,
    /// There are children, all running.
    Running,
    NoChild,
}

/// Reaps a child that has ended; if there is none, waits for one if `blocks`.
pub(crate) fn wait_for_any(blocks: bool) -> Waited {
    let mut status = 0;
    // SAFETY: The status is written to a number of its size.
    match unsafe { c::waitpid(-1, &mut status, if blocks { 0 } else { WNOHANG }) } {
        0 => Waited::Running,
        pid if pid > 0 => Waited::Reaped,
        _ => Waited::NoChild,
    }
}

/// Opens a file for reading.
pub(crate) fn open(path: Text<'_>) -> Option<i32> {
    // SAFETY: A `Text` ends with a zero byte. `open` needs its third argument, the mode, only if it creates the file.
    valid(unsafe { c::open(path.as_ptr(), O_RDONLY | O_CLOEXEC) })
}

/// Reads a file until `page` is full; returns the length.
pub(crate) fn read_file(path: Text<'_>, page: &mut [u8]) -> Option<usize> {
    let file = open(path)?;
    let mut length = 0;
    loop {
        let space = page.get_mut(length..).unwrap_or(&mut []);
        // SAFETY: At most `space.len()` bytes are written.
        let more = unsafe { c::read(file, space.as_mut_ptr(), space.len()) };
        if more <= 0 {
            close(file);
            return (more == 0).then_some(length);
        }
        length += more as usize;
    }
}

pub(crate) fn close(descriptor: i32) {
    // SAFETY: Nothing here uses a closed descriptor.
    unsafe { c::close(descriptor) };
}

/// A duplicate of a descriptor outside the standard streams.
pub(crate) fn duplicate(descriptor: i32) -> Option<i32> {
    // SAFETY: The argument of this command is a number.
    valid(unsafe { c::fcntl(descriptor, F_DUPFD_CLOEXEC, 3) })
}

/// Replaces a descriptor by `other`; returns whether that succeeded.
pub(crate) fn replace(descriptor: i32, other: i32) -> bool {
    // SAFETY: All arguments are numbers. The replaced descriptor is not used any more.
    unsafe { c::dup2(other, descriptor) >= 0 }
}

fn valid(descriptor: i32) -> Option<i32> {
    (descriptor >= 0).then_some(descriptor)
}

/// Sends a whole message; returns whether that succeeded.
pub(crate) fn send(socket: i32, message: &[u8]) -> bool {
    // SAFETY: At most `message.len()` bytes are read.
    let sent = unsafe { c::send(socket, message.as_ptr(), message.len(), MSG_NOSIGNAL) };
    sent == message.len() as isize
}

/// Waits for any message; returns whether one came.
pub(crate) fn receive(socket: i32) -> bool {
    let mut byte = 0;
    // SAFETY: There is space for a byte.
    unsafe { c::recv(socket, &mut byte, 1, 0) > 0 }
}

/// The length of the next message and its two descriptors. None if the other end is closed, or the message is invalid.
pub(crate) fn receive_with_descriptors(socket: i32, buffer: &mut [u8]) -> Option<(usize, [i32; 2])> {
    let mut piece = Piece { base: buffer.as_mut_ptr(), length: buffer.len() };
    let mut control = Control { length: 0, level: 0, kind: 0, descriptors: [-1; 2] };
    let mut message = Message {
        name: ptr::null_mut(),
        name_length: 0,
        pieces: &mut piece,
        pieces_count: 1,
        control: &mut control,
        control_length: mem::size_of::<Control>(),
        flags: 0,
    };
    // SAFETY: The message contains the buffers and their lengths.
    let length = unsafe { c::recvmsg(socket, &mut message, MSG_CMSG_CLOEXEC) };
    let is_whole = message.flags & (MSG_TRUNC | MSG_CTRUNC) == 0;
    let has_descriptors =
        control.length == mem::size_of::<Control>() && control.level == SOL_SOCKET && control.kind == SCM_RIGHTS;
    (length > 0 && is_whole && has_descriptors).then_some((length as usize, control.descriptors))
}
