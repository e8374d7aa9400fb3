//! What is preloaded into rustc so that it forks a copy of itself for each check, in place of being started anew.
//!
//! This is no module of mcve: the user's own rustc compiles it to a shared object, which is named in `LD_PRELOAD`. So it
//! needs no crate, not even `std`, and it is written for every rustc of the last years.
//!
//! It takes the place of `__libc_start_main`, which is called when all libraries are loaded, relocated and initialised,
//! and calls `main`. Half of a small check lies before that point, and it is the same for all checks. A process that
//! has the variable below serves from there: its standard input is a socket of whole messages.
//!
//! - It says that it is there (`HELLO`).
//! - It is sent a request: two descriptors, for standard output and standard error; the number of words and the number
//!   of variables; then texts, each with a zero behind it: the folder, the words, the variables (`NAME=VALUE` to set,
//!   `NAME` to unset). It answers by the number of a process that leads a group of its own, or a negative one.
//! - It is sent anything, when that process may be reaped. It waits for it and answers by how it ended.
//!
//! All of it is unsafe and for the same reasons safe: there is one thread until rustc's `main` starts others, in a child;
//! what the kernel writes to are buffers of the sizes that it is told; and nothing is kept of what is freed.
//!
//! Whoever sends kills the process where it has to end early. Where the socket is closed the server and its process end.
#![no_std]

use core::ptr;

/// The same in `server.rs`.
const VARIABLE: &[u8] = b"MCVE_FORK_SERVER\0";
/// The same in `protocol.rs`.
const HELLO: &[u8] = b"mcve fork server 1";
/// The value of the variable where there are huge pages begins so; the same in `server.rs`.
const HUGE: u8 = b'h';
/// The longest request; the same in `protocol.rs`.
const LONGEST: usize = 1 << 16;
/// The most words and the most variables of a request; the same in `protocol.rs`.
const MOST: usize = 1 << 10;

const HUGE_PAGE: usize = 1 << 21;
/// A library with less code than so many huge pages keeps its own.
const FEWEST: usize = 4;

/// Of a request, what stands before the texts.
const HEAD: usize = 8;

type Main = unsafe extern "C" fn(i32, *mut *mut u8, *mut *mut u8) -> i32;
type Start = unsafe extern "C" fn(Main, i32, *mut *mut u8, usize, usize, usize, usize) -> i32;

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

/// The beginning of `struct dl_phdr_info`.
#[repr(C)]
struct Object {
    address: usize,
    name: *const u8,
    segments: *const Segment,
    segments_count: u16,
}

/// `Elf64_Phdr`.
#[repr(C)]
struct Segment {
    kind: u32,
    flags: u32,
    offset: usize,
    address: usize,
    physical: usize,
    size_in_file: usize,
    size: usize,
    alignment: usize,
}

const SOL_SOCKET: i32 = 1;
const SCM_RIGHTS: i32 = 1;
const MSG_CTRUNC: i32 = 0x8;
const MSG_TRUNC: i32 = 0x20;
const MSG_NOSIGNAL: i32 = 0x4000;
const MSG_CMSG_CLOEXEC: i32 = 0x4000_0000;
const F_DUPFD_CLOEXEC: i32 = 1030;
const O_RDONLY: i32 = 0;
const PR_SET_PDEATHSIG: i32 = 1;
const SIGKILL: i32 = 9;
const PT_LOAD: u32 = 1;
const PF_X: u32 = 1;
const PROT_READ: i32 = 1;
const PROT_WRITE: i32 = 2;
const PROT_EXEC: i32 = 4;
const MAP_PRIVATE: i32 = 2;
const MAP_ANONYMOUS: i32 = 0x20;
const MADV_HUGEPAGE: i32 = 14;
const MREMAP_MAYMOVE: i32 = 1;
const MREMAP_FIXED: i32 = 2;
/// `RTLD_NEXT`: whoever comes behind this object.
const NEXT: *mut u8 = -1_isize as *mut u8;

#[link(name = "c")]
extern "C" {
    static mut environ: *mut *mut u8;
    fn _exit(status: i32) -> !;
    fn chdir(path: *const u8) -> i32;
    fn close(descriptor: i32) -> i32;
    fn dl_iterate_phdr(see: unsafe extern "C" fn(*const Object, usize, usize) -> i32, data: usize) -> i32;
    fn dlsym(handle: *mut u8, name: *const u8) -> *mut u8;
    fn dup2(old: i32, new: i32) -> i32;
    fn fcntl(descriptor: i32, command: i32, ...) -> i32;
    fn fflush(stream: *mut u8) -> i32;
    fn fork() -> i32;
    fn getenv(name: *const u8) -> *mut u8;
    fn getpid() -> i32;
    fn getppid() -> i32;
    fn kill(pid: i32, signal: i32) -> i32;
    fn madvise(address: *mut u8, length: usize, advice: i32) -> i32;
    fn mmap(address: *mut u8, length: usize, access: i32, flags: i32, descriptor: i32, offset: isize) -> *mut u8;
    fn mprotect(address: *mut u8, length: usize, access: i32) -> i32;
    fn mremap(address: *mut u8, length: usize, new_length: usize, flags: i32, ...) -> *mut u8;
    fn munmap(address: *mut u8, length: usize) -> i32;
    fn open(path: *const u8, flags: i32, ...) -> i32;
    fn prctl(option: i32, ...) -> i32;
    fn putenv(change: *mut u8) -> i32;
    fn recv(socket: i32, buffer: *mut u8, length: usize, flags: i32) -> isize;
    fn recvmsg(socket: i32, message: *mut Message, flags: i32) -> isize;
    fn send(socket: i32, buffer: *const u8, length: usize, flags: i32) -> isize;
    fn setpgid(pid: i32, group: i32) -> i32;
    fn unsetenv(name: *const u8) -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
}

/// rustc's own.
static mut MAIN: Option<Main> = None;
/// The request that is served. What a child makes its environment of stays here.
static mut REQUEST: [u8; LONGEST] = [0; LONGEST];
/// The words of the request, with a null behind the last one.
static mut WORDS: [*mut u8; MOST + 1] = [ptr::null_mut(); MOST + 1];

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
    let start: Start = core::mem::transmute(start);
    start(serve_or_run, argc, argv, init, fini, loader_fini, stack_end)
}

/// Is called by libc in the place of `main`.
unsafe extern "C" fn serve_or_run(argc: i32, argv: *mut *mut u8, env: *mut *mut u8) -> i32 {
    let told = getenv(VARIABLE.as_ptr());
    if told.is_null() {
        return run(argc, argv, env);
    }
    if *told == HUGE {
        dl_iterate_phdr(enlarge_pages, 0);
    }
    // A linker that rustc starts is not to serve.
    unsetenv(VARIABLE.as_ptr());
    unsetenv(b"LD_PRELOAD\0".as_ptr());
    // Children find nothing in their standard input.
    let socket = fcntl(0, F_DUPFD_CLOEXEC, 3);
    let nothing = open(b"/dev/null\0".as_ptr(), O_RDONLY);
    if socket < 0 || nothing < 0 || dup2(nothing, 0) < 0 || close(nothing) < 0 || !tell(socket, HELLO) {
        _exit(127);
    }
    serve(socket)
}

/// Moves the code of a library to huge pages.
///
/// A fork does not take along which pages of a file are mapped, so that each child would meet a thousand of them anew.
/// Huge pages it takes along, and there are few.
unsafe extern "C" fn enlarge_pages(object: *const Object, _: usize, _: usize) -> i32 {
    let segments = core::slice::from_raw_parts((*object).segments, usize::from((*object).segments_count));
    let is_code = |segment: &&Segment| segment.kind == PT_LOAD && segment.flags & PF_X != 0;
    // Where a library was laid out by profiles, what is used stands in a segment that is made for huge pages.
    let is_made_for_it = |segment: &&Segment| is_code(segment) && segment.alignment >= HUGE_PAGE;
    let all = !segments.iter().any(|segment| is_made_for_it(&segment));
    for segment in segments.iter().filter(|segment| is_made_for_it(segment) || all && is_code(segment)) {
        let begin = (*object).address + segment.address;
        let (first, end) = ((begin + HUGE_PAGE - 1) / HUGE_PAGE, (begin + segment.size) / HUGE_PAGE);
        // A smaller one may be the one that runs here; it would not pay, either.
        if end >= first + FEWEST {
            move_code((first * HUGE_PAGE) as *mut u8, (end - first) * HUGE_PAGE);
        }
    }
    0
}

/// Puts a copy in huge pages in the place of the code there. Where that cannot be, it stays as it is.
unsafe fn move_code(code: *mut u8, length: usize) {
    let (room, access) = (length + HUGE_PAGE, PROT_READ | PROT_WRITE);
    let mapped = mmap(ptr::null_mut(), room, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if mapped as isize == -1 {
        return;
    }
    let before = (HUGE_PAGE - mapped as usize % HUGE_PAGE) % HUGE_PAGE;
    let copy = mapped.add(before);
    if madvise(copy, length, MADV_HUGEPAGE) == 0 {
        ptr::copy_nonoverlapping(code, copy, length);
        if mprotect(copy, length, PROT_READ | PROT_EXEC) == 0 {
            mremap(copy, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, code);
        }
    }
    // Of what was moved there is nothing left to unmap.
    munmap(mapped, room);
}

unsafe fn run(argc: i32, argv: *mut *mut u8, env: *mut *mut u8) -> i32 {
    match MAIN {
        Some(main) => main(argc, argv, env),
        None => 127,
    }
}

/// Serves request after request, until nobody is left to send one.
unsafe fn serve(socket: i32) -> ! {
    let server = getpid();
    loop {
        let (length, outputs) = match receive(socket) {
            Some(request) => request,
            None => _exit(0),
        };
        let (folder, argc, changes) = match read(length) {
            Some(request) => request,
            None => _exit(1),
        };
        // Here and not in the child, so that it can be told where it fails.
        let pid = if chdir(folder) == 0 { fork() } else { -1 };
        if pid == 0 {
            close(socket);
            become_check(server, outputs);
            for change in changes {
                putenv(change);
            }
            let status = run(argc, ptr::addr_of_mut!(WORDS).cast(), environ);
            // What `exit` would do more is of no use to anybody, and takes half a millisecond.
            fflush(ptr::null_mut());
            _exit(status);
        }
        close(outputs[0]);
        close(outputs[1]);
        if pid > 0 {
            // The child does the same: whoever comes first.
            setpgid(pid, pid);
        }
        if !tell(socket, &pid.to_ne_bytes()) && pid < 0 {
            _exit(1);
        }
        if pid > 0 {
            attend(socket, pid);
        }
    }
}

/// Waits until the child may be reaped, reaps it and tells how it ended.
unsafe fn attend(socket: i32, pid: i32) {
    let mut word = 0_u8;
    let wanted = recv(socket, &mut word, 1, 0) > 0;
    if !wanted {
        kill(-pid, SIGKILL);
    }
    let mut status = 0;
    let reaped = waitpid(pid, &mut status, 0) == pid;
    if !wanted || !reaped || !tell(socket, &status.to_ne_bytes()) {
        _exit(1);
    }
}

/// In the child: what a process has that was started for the check.
unsafe fn become_check(server: i32, outputs: [i32; 2]) {
    prctl(PR_SET_PDEATHSIG, SIGKILL as usize, 0_usize, 0_usize, 0_usize);
    if getppid() != server {
        _exit(127);
    }
    setpgid(0, 0);
    dup2(outputs[0], 1);
    dup2(outputs[1], 2);
    close(outputs[0]);
    close(outputs[1]);
}

unsafe fn tell(socket: i32, message: &[u8]) -> bool {
    send(socket, message.as_ptr(), message.len(), MSG_NOSIGNAL) == message.len() as isize
}

/// The next request: its length, and the descriptors that came with it. None if there is none any more, or it is no good.
unsafe fn receive(socket: i32) -> Option<(usize, [i32; 2])> {
    let mut piece = Piece { base: ptr::addr_of_mut!(REQUEST).cast(), length: LONGEST };
    let mut control = Control { length: 0, level: 0, kind: 0, descriptors: [-1; 2] };
    let size = core::mem::size_of::<Control>();
    let mut message = Message {
        name: ptr::null_mut(),
        name_length: 0,
        pieces: &mut piece,
        pieces_count: 1,
        control: &mut control,
        control_length: size,
        flags: 0,
    };
    let length = recvmsg(socket, &mut message, MSG_CMSG_CLOEXEC);
    let whole = message.flags & (MSG_TRUNC | MSG_CTRUNC) == 0;
    let descriptors = control.length == size && control.level == SOL_SOCKET && control.kind == SCM_RIGHTS;
    if length > 0 && whole && descriptors {
        Some((length as usize, control.descriptors))
    } else {
        None
    }
}

/// Takes the request apart: the folder, the number of words, which are in their place then, and the variables.
unsafe fn read(length: usize) -> Option<(*mut u8, i32, Texts)> {
    let request: *mut u8 = ptr::addr_of_mut!(REQUEST).cast();
    if length <= HEAD || *request.add(length - 1) != 0 {
        return None;
    }
    let words = ptr::read_unaligned(request.cast::<u32>()) as usize;
    let variables = ptr::read_unaligned(request.add(4).cast::<u32>()) as usize;
    if words > MOST || variables > MOST {
        return None;
    }
    let mut texts = Texts { next: request.add(HEAD), end: request.add(length), left: 1 + words };
    let folder = texts.next()?;
    let place: *mut *mut u8 = ptr::addr_of_mut!(WORDS).cast();
    for index in 0..words {
        *place.add(index) = texts.next()?;
    }
    *place.add(words) = ptr::null_mut();
    texts.left = variables;
    Some((folder, words as i32, texts))
}

/// Texts with a zero behind each.
struct Texts {
    next: *mut u8,
    end: *mut u8,
    left: usize,
}

impl Iterator for Texts {
    type Item = *mut u8;

    fn next(&mut self) -> Option<*mut u8> {
        if self.left == 0 || self.next >= self.end {
            return None;
        }
        self.left -= 1;
        let text = self.next;
        // SAFETY: It is below the end, and the last byte before the end is a zero.
        unsafe {
            while *self.next != 0 {
                self.next = self.next.add(1);
            }
            self.next = self.next.add(1);
        }
        Some(text)
    }
}

/// Nothing here panics; the language asks for it.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: It may be called anywhere.
    unsafe { _exit(127) }
}
