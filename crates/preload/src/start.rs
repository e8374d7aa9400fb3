//! The place of `__libc_start_main`: what a process that is preloaded does before it is a rustc, and how it becomes one.

use core::panic::PanicInfo;
use core::{mem, ptr};

use crate::protocol::{HELLO, MOST, PRELOAD, VARIABLE};
use crate::server;
use crate::system;
use crate::text::{Text, Texts};

/// A `main` of C.
pub type Main = unsafe extern "C" fn(i32, *mut *mut u8, *mut *mut u8) -> i32;

type Start = unsafe extern "C" fn(Main, i32, *mut *mut u8, usize, usize, usize, usize) -> i32;

/// The function that [`__libc_start_main`] replaces.
const START: Text<'static> = Text::literal("__libc_start_main\0");

/// The standard input of children.
const NOTHING: Text<'static> = Text::literal("/dev/null\0");

/// rustc's own, once it is known.
static mut MAIN: Option<Main> = None;

/// Takes the place of libc's, and calls it with another `main`.
///
/// # Safety
/// It is called once, by `_start`, with what `_start` passes.
#[cfg_attr(mcve_preload_object, no_mangle)]
pub unsafe extern "C" fn __libc_start_main(
    main: Main,
    argc: i32,
    argv: *mut *mut u8,
    init: usize,
    fini: usize,
    loader_fini: usize,
    stack_end: usize,
) -> i32 {
    let start = system::next_symbol(START);
    if start.is_null() {
        system::exit(127);
    }
    // SAFETY: There is one thread, and nobody reads it meanwhile.
    unsafe { MAIN = Some(main) };
    // SAFETY: The symbol of this name has this type. Where `init` is null it is as well for older programs.
    let start: Start = unsafe { mem::transmute(start) };
    // SAFETY: It is passed what `_start` passes, and a `main` with the same type.
    unsafe { start(serve_or_run, argc, argv, init, fini, loader_fini, stack_end) }
}

/// The `main` that libc calls: serves, or calls rustc's own.
unsafe extern "C" fn serve_or_run(argc: i32, argv: *mut *mut u8, env: *mut *mut u8) -> i32 {
    if !system::has_variable(VARIABLE.in_c) {
        // SAFETY: libc calls this with what it would call `main` with.
        return unsafe { call_main(argc, argv, env) };
    }
    // A linker that rustc starts is not to serve.
    system::unset_variable(VARIABLE.in_c);
    system::unset_variable(PRELOAD.in_c);
    system::adopt_orphans();
    match move_socket() {
        Some(socket) if system::send(socket, HELLO) => server::serve(socket, run),
        _ => system::exit(127),
    }
}

/// Puts nothing in the place of the socket that is standard input; the socket's new number.
fn move_socket() -> Option<i32> {
    let socket = system::duplicate(0)?;
    let nothing = system::open(NOTHING)?;
    let is_replaced = system::replace(0, nothing);
    system::close(nothing);
    if is_replaced {
        Some(socket)
    } else {
        None
    }
}

/// Runs rustc in a child with these words, at most [`MOST`], and these changes to its variables, and ends the process.
fn run(words: Texts<'_>, variables: Texts<'_>) -> ! {
    for variable in variables {
        // SAFETY: What this function was passed stays, as it does not return, and nobody writes to it.
        unsafe { system::put_variable(variable) };
    }
    // There is a null behind the last one.
    let mut argv = [ptr::null_mut(); MOST + 1];
    let mut argc = 0;
    for (place, word) in argv.iter_mut().take(MOST).zip(words) {
        *place = word.as_ptr() as *mut u8;
        argc += 1;
    }
    // SAFETY: There are so many words, each with a zero behind it. All of it stays, as this function does not return. rustc only
    // reads them.
    let status = unsafe { call_main(argc, argv.as_mut_ptr(), system::variables()) };
    // What `exit` would do more is of no use to anybody, and takes half a millisecond.
    system::flush();
    system::exit(status)
}

/// Calls rustc's own `main`.
///
/// # Safety
/// The words and variables have to be such as libc would pass.
unsafe fn call_main(argc: i32, argv: *mut *mut u8, env: *mut *mut u8) -> i32 {
    // SAFETY: It was written before libc was called, and never again.
    match unsafe { MAIN } {
        // SAFETY: The caller keeps what libc would.
        Some(main) => unsafe { main(argc, argv, env) },
        None => 127,
    }
}

/// Ends the process. Nothing here panics; without `std` the language asks for it.
#[cfg_attr(mcve_preload_object, panic_handler)]
pub fn panic(_: &PanicInfo<'_>) -> ! {
    system::exit(127)
}
