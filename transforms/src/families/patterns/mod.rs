//! Transforms of patterns.

use crate::rule::transform::Room;

pub mod pattern_lists;
pub mod pattern_rests;
pub mod plain;

/// The families of this folder.
pub static ROOM: Room = Room {
    name: "patterns",
    about: "Patterns",
    families: &[&plain::FAMILY, &pattern_lists::FAMILY, &pattern_rests::FAMILY],
};
