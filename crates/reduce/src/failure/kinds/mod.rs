//! Kinds of failure that are requested by name: a file each, and a line in the list.

mod accepted;
mod differs;
mod expands;
mod formatter;
mod hangs;
mod kind;
mod prints;
mod run_with;
mod says;
mod usage;

pub(super) use accepted::Accepted;
pub(super) use expands::Expands;
pub(super) use kind::{Ask, FailureKind};
pub(super) use prints::Prints;
pub(super) use says::Says;

use kind::Add;

/// All kinds. The first requested failure is the one to keep; the others are further conditions.
pub(super) const KINDS: [Add; 7] =
    [hangs::add, usage::add, differs::add, formatter::add, prints::add, expands::add, says::add];
