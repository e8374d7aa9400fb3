//! What outlives a run: a journal of everything that was asked of the world, from which a run that was cut short goes on.

pub mod file;
pub mod invocation;
pub mod journal;
pub mod lock;
pub mod place;
pub mod record;
mod recorded;
pub mod remembering;
