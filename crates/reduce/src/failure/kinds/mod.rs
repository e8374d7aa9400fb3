//! Kinds of failure that are asked for by name, a file each. `list` has them all.

mod accepted;
mod differs;
mod expands;
mod formatter;
mod hangs;
mod kind;
mod list;
mod prints;
mod run_with;
mod says;
mod usage;

pub(super) use accepted::Accepted;
pub(super) use expands::Expands;
pub(super) use kind::{Ask, FailureKind};
pub(super) use list::asked;
pub(super) use prints::Prints;
pub(super) use says::Says;
