//! What the C library offers, and what the kernel calls it.

#![allow(dead_code)]

/// `struct iovec`.
#[repr(C)]
pub struct Piece {
    pub base: *mut u8,
    pub length: usize,
}

/// `struct msghdr`, as on 64 bits.
#[repr(C)]
pub struct Message {
    pub name: *mut u8,
    pub name_length: u32,
    pub pieces: *mut Piece,
    pub pieces_count: usize,
    pub control: *mut Control,
    pub control_length: usize,
    pub flags: i32,
}

/// `struct cmsghdr` and two descriptors behind it.
#[repr(C)]
pub struct Control {
    pub length: usize,
    pub level: i32,
    pub kind: i32,
    pub descriptors: [i32; 2],
}

/// `struct pollfd`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Waited {
    pub descriptor: i32,
    pub events: i16,
    pub happened: i16,
}

/// `struct ucred`.
#[repr(C)]
pub struct Peer {
    pub pid: i32,
    pub user: u32,
    pub group: u32,
}

/// `struct rlimit`.
#[repr(C)]
pub struct Limit {
    pub current: u64,
    pub maximum: u64,
}

/// `struct sockaddr_un`.
#[repr(C)]
pub struct Address {
    pub family: u16,
    pub path: [u8; 108],
}

/// The beginning of `struct dl_phdr_info`.
#[repr(C)]
pub struct Object {
    pub address: usize,
    pub name: *const u8,
    pub segments: *const Segment,
    pub segments_count: u16,
}

/// `Elf64_Phdr`.
#[repr(C)]
pub struct Segment {
    pub kind: u32,
    pub flags: u32,
    pub offset: usize,
    pub address: usize,
    pub physical: usize,
    pub size_in_file: usize,
    pub size: usize,
    pub alignment: usize,
}

pub const AF_UNIX: i32 = 1;
pub const SOCK_SEQPACKET: i32 = 5;
pub const SOCK_CLOEXEC: i32 = 0o2_000_000;
pub const SOL_SOCKET: i32 = 1;
pub const SO_PEERCRED: i32 = 17;
pub const SO_ACCEPTCONN: i32 = 30;
pub const SCM_RIGHTS: i32 = 1;
pub const MSG_CTRUNC: i32 = 0x8;
pub const MSG_TRUNC: i32 = 0x20;
pub const MSG_NOSIGNAL: i32 = 0x4000;
pub const MSG_CMSG_CLOEXEC: i32 = 0x4000_0000;
pub const POLLIN: i16 = 1;
pub const F_DUPFD_CLOEXEC: i32 = 1030;
pub const O_RDONLY: i32 = 0;
pub const O_CLOEXEC: i32 = 0o2_000_000;
pub const PR_SET_PDEATHSIG: i32 = 1;
pub const PR_SET_CHILD_SUBREAPER: i32 = 36;
pub const SIGKILL: i32 = 9;
pub const WNOHANG: i32 = 1;
pub const RLIMIT_CORE: i32 = 4;
/// So many resources have limits.
pub const RLIMITS: i32 = 16;
pub const AT_EXECFN: usize = 31;
/// On all systems.
pub const SYS_PIDFD_OPEN: isize = 434;
pub const PT_LOAD: u32 = 1;
pub const PF_X: u32 = 1;
pub const PROT_READ: i32 = 1;
pub const PROT_WRITE: i32 = 2;
pub const PROT_EXEC: i32 = 4;
pub const MAP_PRIVATE: i32 = 2;
pub const MAP_ANONYMOUS: i32 = 0x20;
pub const MADV_HUGEPAGE: i32 = 14;
pub const MREMAP_MAYMOVE: i32 = 1;
pub const MREMAP_FIXED: i32 = 2;
/// `RTLD_NEXT`: whoever comes behind this object.
pub const NEXT: *mut u8 = -1_isize as *mut u8;

#[link(name = "c")]
extern "C" {
    pub static mut environ: *mut *mut u8;
    pub fn _exit(status: i32) -> !;
    pub fn accept4(socket: i32, address: *mut Address, length: *mut u32, flags: i32) -> i32;
    pub fn chdir(path: *const u8) -> i32;
    pub fn clearenv() -> i32;
    pub fn close(descriptor: i32) -> i32;
    pub fn connect(socket: i32, address: *const Address, length: u32) -> i32;
    pub fn dl_iterate_phdr(see: unsafe extern "C" fn(*const Object, usize, usize) -> i32, data: usize) -> i32;
    pub fn dlsym(handle: *mut u8, name: *const u8) -> *mut u8;
    pub fn dup2(old: i32, new: i32) -> i32;
    pub fn execv(path: *const u8, words: *mut *mut u8) -> i32;
    pub fn fcntl(descriptor: i32, command: i32, ...) -> i32;
    pub fn fflush(stream: *mut u8) -> i32;
    pub fn fork() -> i32;
    pub fn getauxval(kind: usize) -> *const u8;
    pub fn getcwd(buffer: *mut u8, length: usize) -> *mut u8;
    pub fn getenv(name: *const u8) -> *mut u8;
    pub fn getpgid(pid: i32) -> i32;
    pub fn getpid() -> i32;
    pub fn getppid() -> i32;
    pub fn getsockopt(socket: i32, level: i32, option: i32, value: *mut u8, length: *mut u32) -> i32;
    pub fn kill(pid: i32, signal: i32) -> i32;
    pub fn madvise(address: *mut u8, length: usize, advice: i32) -> i32;
    pub fn mmap(address: *mut u8, length: usize, access: i32, flags: i32, descriptor: i32, offset: isize) -> *mut u8;
    pub fn mprotect(address: *mut u8, length: usize, access: i32) -> i32;
    pub fn mremap(address: *mut u8, length: usize, new_length: usize, flags: i32, ...) -> *mut u8;
    pub fn munmap(address: *mut u8, length: usize) -> i32;
    pub fn open(path: *const u8, flags: i32, ...) -> i32;
    pub fn poll(waited: *mut Waited, count: usize, timeout: i32) -> i32;
    pub fn prctl(option: i32, ...) -> i32;
    pub fn prlimit(pid: i32, resource: i32, new: *const Limit, old: *mut Limit) -> i32;
    pub fn pthread_create(
        thread: *mut usize,
        attributes: *const u8,
        start: unsafe extern "C" fn(*mut u8) -> *mut u8,
        argument: *mut u8,
    ) -> i32;
    pub fn putenv(change: *mut u8) -> i32;
    pub fn read(descriptor: i32, buffer: *mut u8, length: usize) -> isize;
    pub fn readlink(path: *const u8, buffer: *mut u8, length: usize) -> isize;
    pub fn recv(socket: i32, buffer: *mut u8, length: usize, flags: i32) -> isize;
    pub fn recvmsg(socket: i32, message: *mut Message, flags: i32) -> isize;
    pub fn send(socket: i32, buffer: *const u8, length: usize, flags: i32) -> isize;
    pub fn sendmsg(socket: i32, message: *const Message, flags: i32) -> isize;
    pub fn setpgid(pid: i32, group: i32) -> i32;
    pub fn signal(signal: i32, handler: usize) -> usize;
    pub fn socket(family: i32, kind: i32, protocol: i32) -> i32;
    pub fn strlen(text: *const u8) -> usize;
    pub fn syscall(number: isize, ...) -> isize;
    pub fn unsetenv(name: *const u8) -> i32;
    pub fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    pub fn write(descriptor: i32, buffer: *const u8, length: usize) -> isize;
}
