//! What changed between two versions, as elements that delta debugging can apply one without the other.
//!
//! [`Snapshot`](snapshot::Snapshot) is a version, [`Changes`](set::Changes) are what leads from one to another, and
//! [`Checks`](checks::Checks) tell of a version whether it fails.

pub mod checks;
pub mod history;
mod lines;
pub mod pair;
pub mod patch;
pub mod set;
pub mod snapshot;
mod syntax;
