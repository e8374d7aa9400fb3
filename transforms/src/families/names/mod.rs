//! Transforms of names and what stands in their place.

use crate::rule::transform::Room;

pub mod aliases;
pub mod bindings;
pub mod plain;
pub mod qualifiers;
pub mod substitutions;
pub mod unifications;
pub mod variables;

/// The families of this folder.
pub static ROOM: Room = Room {
    name: "names",
    about: "Names and what stands in their place",
    families: &[
        &plain::FAMILY,
        &aliases::FAMILY,
        &bindings::FAMILY,
        &variables::FAMILY,
        &qualifiers::FAMILY,
        &unifications::FAMILY,
        &substitutions::FAMILY,
    ],
};
