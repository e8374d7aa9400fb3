//! What a process takes over from whoever started it, and a rustc might notice: a process that differs in it cannot be
//! stood in for.

use core::ptr;

use crate::receive::Texts;
use crate::system::*;

/// Links that say in which part of the system a process is.
const LINKS: [&[u8]; 7] = [b"/root", b"/ns/mnt", b"/ns/pid", b"/ns/net", b"/ns/ipc", b"/ns/uts", b"/ns/user"];

/// The lines of its status that say what it may do.
const LINES: [&[u8]; 15] = [
    b"Umask:",
    b"Uid:",
    b"Gid:",
    b"Groups:",
    b"SigBlk:",
    b"SigIgn:",
    b"CapInh:",
    b"CapPrm:",
    b"CapEff:",
    b"CapBnd:",
    b"CapAmb:",
    b"NoNewPrivs:",
    b"Seccomp:",
    b"Cpus_allowed:",
    b"Mems_allowed:",
];

/// Beginnings of variables that are read before `main`, which in a server was long ago, or that say which rustc is asked
/// for, or which descriptors it has.
const EARLY: [&[u8]; 8] =
    [b"GLIBC_", b"LD_", b"MALLOC_", b"_RJEM_", b"RUSTUP_TOOLCHAIN=", b"CARGO_MAKEFLAGS=", b"MAKEFLAGS=", b"MFLAGS="];

/// So many digits at the end of a set of signals are those that all programs know.
const SIGNALS: usize = 7;

/// The most that is read of a file.
const PAGE: usize = 1 << 12;

/// A hash of all that (FNV-1a). None where it cannot be read, such as of a process that has ended.
pub unsafe fn of(pid: i32) -> Option<u64> {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut page = [0_u8; PAGE];
    for link in LINKS.iter() {
        let length = readlink(Path::of(pid, link).as_ptr(), page.as_mut_ptr(), PAGE);
        if length < 0 {
            return None;
        }
        add(&mut hash, &page[..length as usize]);
    }
    let length = content(Path::of(pid, b"/cgroup").as_ptr(), &mut page)?;
    add(&mut hash, &page[..length]);
    let length = content(Path::of(pid, b"/status").as_ptr(), &mut page)?;
    for line in page[..length].split(|&byte| byte == b'\n') {
        if LINES.iter().any(|beginning| line.starts_with(beginning)) {
            // The C library ignores signals of its own, or does not, by the way a process was started.
            let tail = if line.starts_with(b"SigIgn:") { line.len().saturating_sub(SIGNALS) } else { 0 };
            add(&mut hash, &line[tail..]);
        }
    }
    Some(hash)
}

/// Whether a process with these variables has the same early ones as this one.
pub unsafe fn is_early_alike(variables: Texts) -> bool {
    let mut early = 0;
    for variable in variables {
        let variable = text(variable);
        if is_early(variable) {
            early += 1;
            if !own().any(|own| own == variable) {
                return false;
            }
        }
    }
    own().filter(|own| is_early(own)).count() == early
}

/// Whether this is one of the variables.
pub unsafe fn has(mut variables: Texts, wanted: &[u8]) -> bool {
    variables.any(|variable| text(variable) == wanted)
}

fn is_early(variable: &[u8]) -> bool {
    EARLY.iter().any(|early| variable.starts_with(early))
}

/// The variables of this process.
unsafe fn own() -> impl Iterator<Item = &'static [u8]> {
    let mut next = environ;
    core::iter::from_fn(move || {
        if next.is_null() || (*next).is_null() {
            return None;
        }
        let variable = text(*next);
        next = next.add(1);
        Some(variable)
    })
}

unsafe fn text(text: *const u8) -> &'static [u8] {
    core::slice::from_raw_parts(text, strlen(text))
}

fn add(hash: &mut u64, bytes: &[u8]) {
    // Between two texts stands what is in none of them.
    for byte in bytes.iter().chain(&[0]) {
        *hash = (*hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    }
}

/// The length of what a file holds, as far as there is space for it.
pub unsafe fn content(path: *const u8, page: &mut [u8; PAGE]) -> Option<usize> {
    let file = open(path, O_RDONLY | O_CLOEXEC);
    if file < 0 {
        return None;
    }
    let mut length = 0;
    loop {
        let more = read(file, page.as_mut_ptr().add(length), PAGE - length);
        if more <= 0 {
            close(file);
            return if more < 0 { None } else { Some(length) };
        }
        length += more as usize;
    }
}

/// A path below `/proc`.
struct Path([u8; 32]);

impl Path {
    fn of(pid: i32, rest: &[u8]) -> Self {
        let (mut path, mut length) = ([0; 32], 0);
        let mut add = |bytes: &[u8]| {
            for &byte in bytes {
                path[length] = byte;
                length += 1;
            }
        };
        add(b"/proc/");
        let (mut digits, mut first, mut number) = ([0; 10], 10, pid);
        while number > 0 {
            first -= 1;
            digits[first] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        add(&digits[first..]);
        add(rest);
        Self(path)
    }

    fn as_ptr(&self) -> *const u8 {
        ptr::addr_of!(self.0).cast()
    }
}
