//! Utilities for the tests of mcve: a folder for commands, the output of runs, events, runs in progress, and shell snippets.
//!
//! The path of the binary is a parameter, as only the tests of its own package know it.

pub mod event;
pub mod running;
pub mod said;
pub mod shell;
pub mod test_folder;

pub use running::Running;
pub use said::Said;
pub use test_folder::{TestFolder, names};

/// Whether `MCVE_TESTS=all` requests all rows of long tables instead of some of each kind.
#[must_use]
pub fn is_thorough() -> bool {
    std::env::var_os("MCVE_TESTS").is_some_and(|value| value == "all")
}

/// Options for a reduction that only needs few checks: it deletes items and statements and merges files,
/// with one worker. Empty with `MCVE_TESTS=all`, for a whole reduction.
#[must_use]
pub fn brief() -> &'static [&'static str] {
    if is_thorough() { &[] } else { &["--only", "items,stmts,files,crates", "--jobs", "1"] }
}

/// The first `count` of these; all with `MCVE_TESTS=all`.
#[must_use]
pub fn first<T>(count: usize, all: &[T]) -> &[T] {
    if is_thorough() { all } else { &all[..count] }
}
