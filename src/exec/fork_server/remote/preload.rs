//! What is preloaded into rustc so that it forks a copy of itself for each check, in place of being started anew.
//!
//! This is no module of mcve: the user's own rustc compiles it to a shared object, which is named in `LD_PRELOAD`. So it
//! needs no crate, not even `std`, and it is written for every rustc of the last years.
//!
//! It takes the place of `__libc_start_main`, which is called when all libraries are loaded, relocated and initialised,
//! and calls `main`. Half of a small check lies before that point, and it is the same for all checks. A process that
//! has the variable below serves from there. Its standard input is a socket of whole messages, at whose other end is mcve. It
//! says that it is there (`HELLO`).
//!
//! All of it is unsafe and for the same reasons safe: there is one thread until rustc's
//! `main` starts others, in a child; what the kernel writes to are buffers of the sizes that it is told; and nothing is
//! kept of what is freed.
#![no_std]

mod checks;
mod orphans;
mod receive;
mod request;
mod system;

use core::{mem, ptr};

use system::*;

/// The same in `server.rs`.
const VARIABLE: &[u8] = b"MCVE_FORK_SERVER\0";
/// The same in `protocol.rs`.
const HELLO: &[u8] = b"mcve fork server 2";

type Main = unsafe extern "C" fn(i32, *mut *mut u8, *mut *mut u8) -> i32;
type Start = unsafe extern "C" fn(Main, i32, *mut *mut u8, usize, usize, usize, usize) -> i32;

/// rustc's own.
static mut MAIN: Option<Main> = None;

/// Takes the place of libc's, and calls it with another `main`.
///
/// # Safety
/// It is called once, by `_start`, with what `_start` passes.
#[no_mangle]
pub unsafe extern "C" fn __libc_start_main(
    main: Main,
    argc: i32,
    argv: *mut *mut u8,
    init: usize,
    fini: usize,
    loader_fini: usize,
    stack_end: usize,
) -> i32 {
    let start = dlsym(NEXT, b"__libc_start_main\0".as_ptr());
    if start.is_null() {
        _exit(127);
    }
    MAIN = Some(main);
    // SAFETY: The symbol of this name has this type. Where `init` is null it is as well for older programs.
    let start: Start = mem::transmute(start);
    start(serve_or_run, argc, argv, init, fini, loader_fini, stack_end)
}

/// Is called by libc in the place of `main`.
unsafe extern "C" fn serve_or_run(argc: i32, argv: *mut *mut u8, env: *mut *mut u8) -> i32 {
    if getenv(VARIABLE.as_ptr()).is_null() {
        return call_main(argc, argv, env);
    }
    // A linker that rustc starts is not to serve.
    unsetenv(VARIABLE.as_ptr());
    unsetenv(b"LD_PRELOAD\0".as_ptr());
    orphans::adopt();
    // Children find nothing in their standard input.
    let socket = fcntl(0, F_DUPFD_CLOEXEC, 3);
    let nothing = open(b"/dev/null\0".as_ptr(), O_RDONLY);
    if socket < 0 || nothing < 0 || dup2(nothing, 0) < 0 || close(nothing) < 0 || !receive::tell(socket, HELLO) {
        _exit(127);
    }
    checks::serve(socket)
}

unsafe fn call_main(argc: i32, argv: *mut *mut u8, env: *mut *mut u8) -> i32 {
    match MAIN {
        Some(main) => main(argc, argv, env),
        None => 127,
    }
}

/// In a child: is a rustc with these words, to its end.
unsafe fn run(argc: i32, argv: *mut *mut u8) -> ! {
    let status = call_main(argc, argv, environ);
    // What `exit` would do more is of no use to anybody, and takes half a millisecond.
    fflush(ptr::null_mut());
    _exit(status)
}

/// Nothing here panics; the language asks for it.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: It may be called anywhere.
    unsafe { _exit(127) }
}
