//! Transforms of macro calls and the rules of macros.

use crate::rule::transform::Room;

pub mod derives;
pub mod expansions;
pub mod macro_items;
pub mod macro_protocols;
pub mod macro_repetitions;
pub mod macro_rules;
pub mod plain;

/// The families of this folder.
pub static ROOM: Room = Room {
    name: "macros",
    about: "Macro calls and the rules of macros",
    families: &[
        &plain::FAMILY,
        &macro_rules::FAMILY,
        &macro_repetitions::FAMILY,
        &macro_protocols::FAMILY,
        &macro_items::FAMILY,
        &expansions::FAMILY,
        &derives::FAMILY,
    ],
};
