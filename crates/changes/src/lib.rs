//! The changes between two versions, as elements that delta debugging can apply independently.
//!
//! [`Files`](mcve_reduce::program::Files) is a version, [`Changes`](set::Changes) transform one into another, and
//! [`VersionChecks`](checks::VersionChecks) check whether a version fails.
//! [`Isolation`](isolation::Isolation) finds the relevant changes, after [`history`] has found the first bad commit.

pub mod checks;
pub mod debugger;
pub mod find;
pub mod history;
pub mod isolation;
mod lines;
pub mod pair;
pub mod patch;
pub mod piece;
mod row;
pub mod set;
mod syntax;
