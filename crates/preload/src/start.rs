//! Replaces `__libc_start_main`: turns a preloaded process into a server before it becomes a rustc.

use core::panic::PanicInfo;
use core::{mem, ptr};

use crate::protocol::{HELLO, MOST, PRELOAD, VARIABLE};
use crate::server;
use crate::system;
use crate::text::{Text, Texts};

/// The type of `main` in C.
pub type Main = unsafe extern "C" fn(i32, *mut *mut u8, *mut *mut u8) -> i32;

type Start = unsafe extern "C" fn(Main, i32, *mut *mut u8, usize, usize, usize, usize) -> i32;

/// The function that [`__libc_start_main`] replaces.
const START: Text<'static> = Text::literal("__libc_start_main\0");

/// The standard input of children.
const NOTHING: Text<'static> = Text::literal("/dev/null\0");

/// The `main` of rustc, once it is known.
static mut MAIN: Option<Main> = None;

/// Replaces libc's function, and calls it with another `main`.
///
/// # Safety
/// It must be called once, by `_start`, with the arguments of `_start`.
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
    // SAFETY: There is one thread, and nothing reads it meanwhile.
    unsafe { MAIN = Some(main) };
    // SAFETY: The symbol of this name has this type. It takes a null `init` as well as that of an older program.
    let start: Start = unsafe { mem::transmute(start) };
    // SAFETY: It gets the arguments of `_start`, and a `main` of the same type.
    unsafe { start(serve_or_run, argc, argv, init, fini, loader_fini, stack_end) }
}

/// The `main` that libc calls: serves, or calls rustc's own.
unsafe extern "C" fn serve_or_run(argc: i32, argv: *mut *mut u8, env: *mut *mut u8) -> i32 {
    if !system::has_variable(VARIABLE.in_c) {
        // SAFETY: libc calls this with the arguments of `main`.
        return unsafe { call_main(argc, argv, env) };
    }
    // A linker that rustc starts must not serve.
    system::unset_variable(VARIABLE.in_c);
    system::unset_variable(PRELOAD.in_c);
    system::adopt_orphans();
    match move_socket() {
        Some(socket) if system::send(socket, HELLO) => server::serve(socket, run),
        _ => system::exit(127),
    }
}

/// Replaces the socket on standard input by `/dev/null`; returns the socket's new descriptor.
fn move_socket() -> Option<i32> {
    let socket = system::duplicate(0)?;
    let nothing = system::open(NOTHING)?;
    let is_replaced = system::replace(0, nothing);
    system::close(nothing);
    is_replaced.then_some(socket)
}

/// Runs rustc in a child with these arguments, at most [`MOST`], and these changes to its variables, and exits.
fn run(words: Texts<'_>, variables: Texts<'_>) -> ! {
    for variable in variables {
        // SAFETY: The arguments of this function stay valid, as it does not return, and nothing writes to them.
        unsafe { system::put_variable(variable) };
    }
    // The last argument is followed by a null pointer.
    let mut argv = [ptr::null_mut(); MOST + 1];
    let mut argc = 0;
    for (place, word) in argv.iter_mut().take(MOST).zip(words) {
        *place = word.as_ptr() as *mut u8;
        argc += 1;
    }
    // SAFETY: There are `argc` zero-terminated arguments. They stay valid, as this function does not return. rustc only
    // reads them.
    let status = unsafe { call_main(argc, argv.as_mut_ptr(), system::variables()) };
    // The other work of `exit` is not needed, and takes half a millisecond.
    system::flush();
    system::exit(status)
}

/// Calls rustc's own `main`.
///
/// # Safety
/// The arguments and variables have to be valid for `main`.
unsafe fn call_main(argc: i32, argv: *mut *mut u8, env: *mut *mut u8) -> i32 {
    // SAFETY: It was written before libc was called, and is not written again.
    match unsafe { MAIN } {
        // SAFETY: The caller fulfils the contract of libc.
        Some(main) => unsafe { main(argc, argv, env) },
        None => 127,
    }
}

/// Ends the process. Nothing here panics, but the language requires a handler without `std`.
#[cfg_attr(mcve_preload_object, panic_handler)]
pub fn panic(_: &PanicInfo<'_>) -> ! {
    system::exit(127)
}
