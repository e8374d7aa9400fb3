//! Many failing programs at once: recognises the failure of each, groups them, and reduces one of each group.
//!
//! ```text
//! paths -> [Input] -> [Recognised] -> [Group] -> claimed one by one -> a folder for each group -> Index
//! ```
//!
//! The output folder is the state. Any number of processes may work on one: each takes a group by a [claim].
//! A group is recognised and reduced by calls of the command `mcve`, so this crate knows nothing of reductions.

pub mod batch;
pub mod call;
pub mod claim;
mod files;
pub mod folder;
pub mod group;
pub mod index;
pub mod input;
pub mod invocation;
pub mod plan;
mod reduce;
pub mod shard;
pub mod workers;
