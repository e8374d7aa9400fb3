//! What changed between two versions, as elements that delta debugging can apply one without the other.
//!
//! [`Files`](mcve_reduce::program::Files) is a version, [`Changes`](set::Changes) are what leads from one to another, and
//! [`VersionChecks`](checks::VersionChecks) tell of a version whether it fails.
//! [`Isolation`](isolation::Isolation) finds the changes that matter, after [`history`] has found the first bad commit.

pub mod checks;
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
