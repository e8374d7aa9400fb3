//! The protocol of mcve and a server, over a `SOCK_SEQPACKET` socket, which is the server's standard input.
//!
//! ```text
//! server: HELLO
//! mcve:   a request                     server: the number of a process, or a negative one where there is none
//! mcve:   REAP, once that may be reaped  server: how the process ended, as `waitpid` says it
//! mcve:   the next request              ..
//! ```
//!
//! A request begins with the numbers of arguments and of variables, four bytes each ([`HEAD`]). Then come
//! zero-terminated strings: the folder of the process, its arguments, its variables (`NAME=VALUE` to set, `NAME` to
//! unset). The message carries two descriptors, for standard output and standard error. Numbers are in native byte
//! order.
//!
//! mcve kills a process that has to end early. If the socket is closed, the server and its process end.

use crate::text::Text;

/// A name, for Rust and for C.
pub struct Name {
    /// The name.
    pub text: &'static str,
    /// The name with a zero byte at its end.
    pub(crate) in_c: Text<'static>,
}

macro_rules! name {
    ($name:literal) => {
        Name { text: $name, in_c: Text::literal(concat!($name, "\0")) }
    };
}

/// The variable that makes a process a server. Its value is ignored.
pub const VARIABLE: Name = name!("MCVE_FORK_SERVER");

/// The variable that names the preloaded object.
pub const PRELOAD: Name = name!("LD_PRELOAD");

/// The first message of a server.
pub const HELLO: &[u8] = b"mcve fork server 3";

/// The message that allows a server to reap a process.
pub const REAP: &[u8] = b"r";

/// The maximum length of a request in bytes.
pub const LONGEST: usize = 1 << 16;

/// The maximum number of arguments, and of variables, in a request.
pub const MOST: usize = 1 << 10;

/// The number of bytes in a request before its strings.
pub const HEAD: usize = 8;
