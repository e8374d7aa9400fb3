//! The log of a run, a JSON object a line: what was done, which changes were refused and why, and how it ended. `mcve why`, `mcve
//! verify` and the page read it.
//!
//! Each run keeps one for its result, with the changes that the proof tried. `--log` writes one with all changes.

pub(crate) mod kept;
pub(crate) mod line;
mod read;
mod refusals;
mod write;

pub(crate) use self::line::{End, RefusedAt, ResultLine, Step};
pub(crate) use self::read::Run;
pub(crate) use self::write::Log;
