//! What outlives a run: a journal of everything that was asked of the world, from which a run that was cut short goes on.

pub mod file;
pub mod journal;
mod known;
pub mod lock;
pub mod place;
pub mod question;
pub mod record;
pub mod remembering;
