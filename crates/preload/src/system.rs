//! What the C library offers, as functions that are safe, and what the kernel calls it.
//!
//! What they pass are numbers, texts with a zero behind them, and buffers with their lengths. They are called by the only thread that
//! there is until rustc's `main` starts others, in a child.

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

/// `struct cmsghdr` and two descriptors behind it.
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
/// `RTLD_NEXT`: look in the objects that come after this one.
const NEXT: *mut u8 = -1_isize as *mut u8;

/// The C library itself.
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

/// Ends this process at once.
pub(crate) fn exit(status: i32) -> ! {
    // SAFETY: It may be called anywhere.
    unsafe { c::_exit(status) }
}

/// Writes what the streams of C still hold.
pub(crate) fn flush() {
    // SAFETY: Null stands for all streams.
    unsafe { c::fflush(ptr::null_mut()) };
}

/// The symbol of this name that would be there without this object. Null if there is none.
pub(crate) fn next_symbol(name: Text<'_>) -> *mut u8 {
    // SAFETY: A text has a zero behind it.
    unsafe { c::dlsym(NEXT, name.as_ptr()) }
}

/// Whether a variable is set.
pub(crate) fn has_variable(name: Text<'_>) -> bool {
    // SAFETY: A text has a zero behind it.
    !unsafe { c::getenv(name.as_ptr()) }.is_null()
}

/// Unsets a variable.
pub(crate) fn unset_variable(name: Text<'_>) {
    // SAFETY: A text has a zero behind it. There is one thread.
    unsafe { c::unsetenv(name.as_ptr()) };
}

/// Sets a variable (`NAME=VALUE`) or unsets one (`NAME`).
///
/// # Safety
/// The text becomes a part of the environment: it has to stay as long as the process.
pub(crate) unsafe fn put_variable(change: Text<'_>) {
    // SAFETY: A text has a zero behind it. Nobody writes to it, though C's type would allow that. There is one thread.
    unsafe { c::putenv(change.as_ptr() as *mut u8) };
}

/// All variables, with a null behind the last one.
pub(crate) fn variables() -> *mut *mut u8 {
    // SAFETY: It is there as long as the process. There is one thread.
    unsafe { c::environ }
}

/// Goes to a folder; whether that went well.
pub(crate) fn change_folder(folder: Text<'_>) -> bool {
    // SAFETY: A text has a zero behind it.
    unsafe { c::chdir(folder.as_ptr()) == 0 }
}

/// Forks: zero in the child, its number in the parent, or a negative number.
pub(crate) fn fork() -> i32 {
    // SAFETY: There is one thread, so that the child has all that the parent has.
    unsafe { c::fork() }
}

/// The number of this process.
pub(crate) fn own_pid() -> i32 {
    // SAFETY: It has no conditions.
    unsafe { c::getpid() }
}

/// Has this process be killed when its parent ends; whether that is still `parent`.
pub(crate) fn end_with_parent(parent: i32) -> bool {
    // SAFETY: The kernel takes numbers, each as long as a word.
    unsafe { c::prctl(PR_SET_PDEATHSIG, SIGKILL as usize, 0_usize, 0_usize, 0_usize) };
    // SAFETY: It has no conditions.
    unsafe { c::getppid() == parent }
}

/// Has this process become the parent of whatever its children leave.
pub(crate) fn adopt_orphans() {
    // SAFETY: The kernel takes numbers, each as long as a word.
    unsafe { c::prctl(PR_SET_CHILD_SUBREAPER, 1_usize, 0_usize, 0_usize, 0_usize) };
}

/// Has a process, or this one where that is zero, lead a group of its own.
pub(crate) fn lead_group(pid: i32) {
    // SAFETY: It takes numbers.
    unsafe { c::setpgid(pid, pid) };
}

/// Kills a process, or the group of a negative number; whether there was one.
pub(crate) fn kill(pid: i32) -> bool {
    // SAFETY: It takes numbers.
    unsafe { c::kill(pid, SIGKILL) == 0 }
}

/// Waits for a child and reaps it: how it ended, as the system says it.
pub(crate) fn wait(pid: i32) -> Option<i32> {
    let mut status = 0;
    // SAFETY: The status is written to a number of its size.
    if unsafe { c::waitpid(pid, &mut status, 0) } == pid {
        Some(status)
    } else {
        None
    }
}

/// What came of waiting for any child.
pub(crate) enum Waited {
    /// One had ended and is gone.
    Reaped,
    /// There are some, and they run.
    Running,
    /// There is none.
    NoChild,
}

/// Reaps a child that has ended; if there is none, waits for one where it `blocks`.
pub(crate) fn wait_for_any(blocks: bool) -> Waited {
    let mut status = 0;
    // SAFETY: The status is written to a number of its size.
    match unsafe { c::waitpid(-1, &mut status, if blocks { 0 } else { WNOHANG }) } {
        0 => Waited::Running,
        pid if pid > 0 => Waited::Reaped,
        _ => Waited::NoChild,
    }
}

/// Opens a file to read it.
pub(crate) fn open(path: Text<'_>) -> Option<i32> {
    // SAFETY: A text has a zero behind it. Nothing is created, so there is no third argument.
    valid(unsafe { c::open(path.as_ptr(), O_RDONLY | O_CLOEXEC) })
}

/// The length of what a file holds, as far as there is space for it.
pub(crate) fn read_file(path: Text<'_>, page: &mut [u8]) -> Option<usize> {
    let file = open(path)?;
    let mut length = 0;
    loop {
        let space = page.get_mut(length..).unwrap_or(&mut []);
        // SAFETY: No more is written than there is space for.
        let more = unsafe { c::read(file, space.as_mut_ptr(), space.len()) };
        if more <= 0 {
            close(file);
            return if more < 0 { None } else { Some(length) };
        }
        length += more as usize;
    }
}

/// Closes a descriptor.
pub(crate) fn close(descriptor: i32) {
    // SAFETY: Nothing here uses one after it was closed.
    unsafe { c::close(descriptor) };
}

/// Another number of a descriptor, which is none of the standard streams.
pub(crate) fn duplicate(descriptor: i32) -> Option<i32> {
    // SAFETY: This command takes a number.
    valid(unsafe { c::fcntl(descriptor, F_DUPFD_CLOEXEC, 3) })
}

/// Puts `other` in the place of a descriptor; whether that went well.
pub(crate) fn replace(descriptor: i32, other: i32) -> bool {
    // SAFETY: It takes numbers. Nobody goes on to use what was there.
    unsafe { c::dup2(other, descriptor) >= 0 }
}

fn valid(descriptor: i32) -> Option<i32> {
    if descriptor < 0 {
        None
    } else {
        Some(descriptor)
    }
}

/// Sends a whole message; whether that went well.
pub(crate) fn send(socket: i32, message: &[u8]) -> bool {
    // SAFETY: No more is read than there is.
    let sent = unsafe { c::send(socket, message.as_ptr(), message.len(), MSG_NOSIGNAL) };
    sent == message.len() as isize
}

/// Waits for a message, whatever it says; whether one came.
pub(crate) fn receive(socket: i32) -> bool {
    let mut byte = 0;
    // SAFETY: There is space for a byte.
    unsafe { c::recv(socket, &mut byte, 1, 0) > 0 }
}

/// The length of the next message, and the two descriptors that come with it. None if nobody sends any more, or it is another one.
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
    // SAFETY: The message says where there is space, and how much.
    let length = unsafe { c::recvmsg(socket, &mut message, MSG_CMSG_CLOEXEC) };
    let is_whole = message.flags & (MSG_TRUNC | MSG_CTRUNC) == 0;
    let has_descriptors =
        control.length == mem::size_of::<Control>() && control.level == SOL_SOCKET && control.kind == SCM_RIGHTS;
    if length > 0 && is_whole && has_descriptors {
        Some((length as usize, control.descriptors))
    } else {
        None
    }
}
