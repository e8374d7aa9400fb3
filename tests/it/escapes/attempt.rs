//! What a hostile program does that a shell cannot: compiled by the test, and run inside of checks. Exits with 0 where the
//! attempt succeeds.

use std::ffi::CString;
use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::net::{TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixStream};
use std::process::ExitCode;

unsafe extern "C" {
    fn ptrace(request: i32, pid: i32, address: usize, data: usize) -> i64;
    fn prlimit(pid: i32, resource: i32, new: *const [u64; 2], old: *mut [u64; 2]) -> i32;
    fn fork() -> i32;
    fn setsid() -> i32;
    fn geteuid() -> u32;
    fn getuid() -> u32;
    fn chmod(path: *const i8, mode: u32) -> i32;
    fn mknod(path: *const i8, mode: u32, device: u64) -> i32;
    fn syscall(number: i64, ...) -> i64;
}

const PTRACE_ATTACH: i32 = 16;
const RLIMIT_NOFILE: i32 = 7;
const SYS_IO_URING_SETUP: i64 = 425;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let has_succeeded = match words[..] {
        ["unix", path] => UnixStream::connect(path).and_then(|mut socket| socket.write_all(b"x")).is_ok(),
        ["unix-datagram", path] => UnixDatagram::unbound().and_then(|socket| socket.send_to(b"x", path)).is_ok(),
        ["abstract", name] => SocketAddr::from_abstract_name(name)
            .and_then(|address| UnixStream::connect_addr(&address))
            .and_then(|mut socket| socket.write_all(b"x"))
            .is_ok(),
        ["tcp", address] => TcpStream::connect(address).and_then(|mut socket| socket.write_all(b"x")).is_ok(),
        ["udp", address] => UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.send_to(b"x", address)).is_ok(),
        // SAFETY: Nothing of this process is touched.
        ["trace", pid] => unsafe { ptrace(PTRACE_ATTACH, number(pid), 0, 0) == 0 },
        ["memory", pid] => write_memory(number(pid)),
        // SAFETY: As above.
        ["limit", pid] => unsafe { prlimit(number(pid), RLIMIT_NOFILE, &[3, 3], std::ptr::null_mut()) == 0 },
        // SAFETY: As above.
        ["is-other-user"] => unsafe { geteuid() != getuid() },
        ["chmod", path] => {
            let path = CString::new(path).expect("it has no zero");
            // SAFETY: It ends with a zero.
            unsafe { chmod(path.as_ptr().cast(), 0) == 0 }
        }
        ["device", path] => {
            let path = CString::new(path).expect("it has no zero");
            // SAFETY: It ends with a zero. The number is that of the memory device `null`, which would do no harm.
            unsafe { mknod(path.as_ptr().cast(), 0o20666, 0x103) == 0 && OpenOptions::new().write(true).open("d").is_ok() }
        }
        // SAFETY: It fails, or makes a ring that nobody uses.
        ["ring"] => unsafe { syscall(SYS_IO_URING_SETUP, 1, [0_u8; 120].as_mut_ptr()) >= 0 },
        ["daemons", count] => {
            (0..number(count)).for_each(|_| daemon());
            true
        }
        _ => panic!("{words:?} is no attempt"),
    };
    ExitCode::from(u8::from(!has_succeeded))
}

fn number(text: &str) -> i32 {
    text.parse().expect("it is a number")
}

/// Whether a byte of the memory of another process can be written, to what it was.
fn write_memory(pid: i32) -> bool {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
    let Some(line) = maps.lines().find(|line| line.contains(" rw-p ")) else { return false };
    let start = u64::from_str_radix(line.split('-').next().unwrap_or_default(), 16).unwrap_or_default();
    let Ok(mut memory) = OpenOptions::new().read(true).write(true).open(format!("/proc/{pid}/mem")) else { return false };
    let mut byte = [0];
    let at = |memory: &mut std::fs::File| memory.seek(SeekFrom::Start(start)).is_ok();
    at(&mut memory) && memory.read_exact(&mut byte).is_ok() && at(&mut memory) && memory.write_all(&byte).is_ok()
}

/// A process in a session of its own that nobody is the parent of, and that lives on.
fn daemon() {
    // SAFETY: This process has one thread.
    unsafe {
        if fork() == 0 {
            setsid();
            if fork() == 0 {
                std::thread::sleep(std::time::Duration::from_secs(1000));
            }
            std::process::exit(0);
        }
    }
}
