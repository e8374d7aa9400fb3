//! What the tests of mcve share: a folder in which the command runs, what a run said, runs under way, and pieces of shell.
//!
//! The path of the binary is passed in, as only the tests of its own package know it.

pub mod place;
pub mod running;
pub mod said;
pub mod shell;

pub use place::{Place, names};
pub use running::Running;
pub use said::Said;

/// Whether each row of long tables is wanted, by `MCVE_TESTS=all`, and not some of each kind.
#[must_use]
pub fn is_thorough() -> bool {
    std::env::var_os("MCVE_TESTS").is_some_and(|value| value == "all")
}

/// Options of a reduction of which few checks tell enough: it deletes items and statements and makes one file
/// of several only, with one worker. None, and so a whole reduction, by `MCVE_TESTS=all`.
#[must_use]
pub fn brief() -> &'static [&'static str] {
    if is_thorough() { &[] } else { &["--only", "items,stmts,files,crates", "--jobs", "1"] }
}

/// The first `count` of these; all by `MCVE_TESTS=all`.
#[must_use]
pub fn first<T>(count: usize, all: &[T]) -> &[T] {
    if is_thorough() { all } else { &all[..count] }
}
