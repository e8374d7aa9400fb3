//! What stands for rustc in scripts: it has the server that listens beside it fork one, and ends as that does.
//!
//! This is no module of mcve: the user's own rustc compiles it, once. Where it is run from, by whatever path, there are two
//! other files: `rustc.socket`, where the server listens, and `rustc.plain`, which it becomes where the server does not serve.
#![no_std]
#![no_main]

mod request;
mod system;

use core::{mem, ptr};

use request::{CONTROL, HEAD, LONGEST, MOST, REFUSED};
use system::*;

/// The longest path.
const PATH: usize = 1 << 12;

/// The same in `stubs.rs`.
const SOCKET: &[u8] = b"rustc.socket\0";
/// The same in `stubs.rs`.
const PLAIN: &[u8] = b"rustc.plain\0";

static mut REQUEST: [u8; LONGEST] = [0; LONGEST];

/// # Safety
/// It is called once, by libc.
#[no_mangle]
pub unsafe extern "C" fn main(argc: i32, argv: *mut *mut u8) -> i32 {
    let mut path = [0_u8; PATH];
    // By `+name` a toolchain is asked for, which the server may not be of.
    if argc >= 1 && (argc == 1 || **argv.add(1) != b'+') && beside(&mut path, SOCKET).is_some() {
        if let Some(status) = ask(&path, argc as usize, argv) {
            end_by(status);
        }
    }
    if beside(&mut path, PLAIN).is_some() {
        execv(path.as_ptr(), argv);
    }
    127
}

/// The path of a file in the folder that this program was run from.
unsafe fn beside(path: &mut [u8; PATH], name: &[u8]) -> Option<()> {
    let own = getauxval(AT_EXECFN);
    if own.is_null() {
        return None;
    }
    let own = core::slice::from_raw_parts(own, strlen(own));
    let folder = own.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    path.get_mut(..folder)?.copy_from_slice(&own[..folder]);
    path.get_mut(folder..folder + name.len())?.copy_from_slice(name);
    Some(())
}

/// How the process ended that the server forked. None if it did not.
unsafe fn ask(path: &[u8; PATH], argc: usize, argv: *mut *mut u8) -> Option<i32> {
    let mut address = Address { family: AF_UNIX as u16, path: [0; 108] };
    let length = strlen(path.as_ptr());
    address.path.get_mut(..length)?.copy_from_slice(&path[..length]);
    if length == address.path.len() {
        return None;
    }
    let socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    let served = socket >= 0
        && connect(socket, &address, mem::size_of::<Address>() as u32) == 0
        && send_to(socket, compose(argc, argv)?);
    let mut status = REFUSED;
    let size = mem::size_of::<i32>();
    let answered = served && recv(socket, ptr::addr_of_mut!(status).cast(), size, 0) == size as isize;
    close(socket);
    if answered && status != REFUSED {
        Some(status)
    } else {
        None
    }
}

/// Writes the request and returns its length.
unsafe fn compose(argc: usize, argv: *mut *mut u8) -> Option<usize> {
    let request: *mut u8 = ptr::addr_of_mut!(REQUEST).cast();
    let mut variables = 0;
    while !(*environ.add(variables)).is_null() {
        variables += 1;
    }
    if argc > MOST || variables > MOST || getcwd(request.add(HEAD), LONGEST - HEAD).is_null() {
        return None;
    }
    ptr::write_unaligned(request.cast(), argc as u32);
    ptr::write_unaligned(request.add(4).cast(), variables as u32);
    let mut length = HEAD + strlen(request.add(HEAD)) + 1;
    let words = (0..argc).map(|index| *argv.add(index));
    for text in words.chain((0..variables).map(|index| *environ.add(index))) {
        let size = strlen(text) + 1;
        if size > LONGEST - length {
            return None;
        }
        ptr::copy_nonoverlapping(text, request.add(length), size);
        length += size;
    }
    Some(length)
}

/// Sends the request with the three standard streams.
unsafe fn send_to(socket: i32, length: usize) -> bool {
    let mut piece = Piece { base: ptr::addr_of_mut!(REQUEST).cast(), length };
    let told = CONTROL + 4 * 3;
    let mut control = Control { length: told, level: SOL_SOCKET, kind: SCM_RIGHTS, descriptors: [1, 2, 0] };
    let message = Message {
        name: ptr::null_mut(),
        name_length: 0,
        pieces: &mut piece,
        pieces_count: 1,
        control: &mut control,
        control_length: mem::size_of::<Control>(),
        flags: 0,
    };
    sendmsg(socket, &message, MSG_NOSIGNAL) == length as isize
}

/// Ends as a process did: by its exit code or by its signal.
unsafe fn end_by(status: i32) -> ! {
    let by = status & 0x7f;
    if by == 0 {
        _exit(status >> 8 & 0xff);
    }
    // It has nothing to tell by a dump.
    prlimit(0, RLIMIT_CORE, &Limit { current: 0, maximum: 0 }, ptr::null_mut());
    signal(by, 0);
    kill(getpid(), by);
    _exit(128 + by)
}

/// Nothing here panics; the language asks for it.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: It may be called anywhere.
    unsafe { _exit(127) }
}

/// Nor is this called: the code of `core` that would panic names it.
#[no_mangle]
pub extern "C" fn rust_eh_personality() {}
