//! What mcve and a server say to each other, over a socket of whole messages, which is the server's standard input.
//!
//! ```text
//! server: HELLO
//! mcve:   a request                     server: the number of a process, or a negative one where there is none
//! mcve:   REAP, once that may be reaped  server: how the process ended, as `waitpid` says it
//! mcve:   the next request              ..
//! ```
//!
//! A request begins by the number of words and that of variables, four bytes each ([`HEAD`]). Then there are texts, each with a zero
//! behind it: the folder of the process, its words, its variables (`NAME=VALUE` to set, `NAME` to unset). With it come two
//! descriptors, for standard output and standard error. Numbers are in the order of bytes of the machine.
//!
//! A process that has to end early is killed by mcve. Where the socket is closed, the server and its process end.

use crate::text::Text;

/// A name, for Rust and for C.
pub struct Name {
    /// The name.
    pub text: &'static str,
    /// The same with a zero behind it.
    pub(crate) in_c: Text<'static>,
}

macro_rules! name {
    ($name:literal) => {
        Name { text: $name, in_c: Text::literal(concat!($name, "\0")) }
    };
}

/// The variable that has a process serve. Its value says nothing.
pub const VARIABLE: Name = name!("MCVE_FORK_SERVER");

/// The variable that names what is preloaded.
pub const PRELOAD: Name = name!("LD_PRELOAD");

/// What a server says first.
pub const HELLO: &[u8] = b"mcve fork server 3";

/// What a server is sent when it may reap a process.
pub const REAP: &[u8] = b"r";

/// The longest request that a server takes.
pub const LONGEST: usize = 1 << 16;

/// The most words, and the most variables, that a server takes.
pub const MOST: usize = 1 << 10;

/// How many bytes of a request stand before its texts.
pub const HEAD: usize = 8;
