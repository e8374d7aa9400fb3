//! The passes of a search, from the first to the layout.

pub mod arguments;
mod canonical;
mod compiling;
mod data;
mod focus;
pub mod format;
pub mod growing;
pub mod minimality;
mod mir_passes;
mod nearest;
mod nests;
pub(crate) mod pipeline;
pub mod runner;
pub mod schedule;
mod scrub;
