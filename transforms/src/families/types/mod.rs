//! Transforms of types.

use crate::rule::transform::Room;

pub mod optional_types;
pub mod plain;
pub mod references;
pub mod type_lists;
pub mod types_everywhere;

/// The families of this folder.
pub static ROOM: Room = Room {
    name: "types",
    about: "Types",
    families: &[
        &plain::FAMILY,
        &types_everywhere::FAMILY,
        &type_lists::FAMILY,
        &optional_types::FAMILY,
        &references::FAMILY,
    ],
};
