//! A fork server for rustc: a process that has already started and forks a copy of itself for each check.
//!
//! Half of a small check is the start of rustc: loading, relocating and initialising 350 MB of libraries, the same for
//! every candidate. Linux with glibc only. If anything about it fails, checks are plain processes.

mod cache;
mod library;
mod pool;
mod protocol;
mod server;

pub use library::cache_folder;
pub use pool::ForkServers;
