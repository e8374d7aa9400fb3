//! Transforms of generics: parameters, bounds, lifetimes.

use crate::rule::transform::Room;

pub mod bounds;
pub mod generic_lists;
pub mod impl_generics;
pub mod instantiations;
pub mod lifetimes;
pub mod optional_generics;
pub mod plain;
pub mod predicates;

/// The families of this folder.
pub static ROOM: Room = Room {
    name: "generics",
    about: "Generics: parameters, bounds, lifetimes",
    families: &[
        &instantiations::FAMILY,
        &bounds::FAMILY,
        &predicates::FAMILY,
        &plain::FAMILY,
        &impl_generics::FAMILY,
        &lifetimes::FAMILY,
        &generic_lists::FAMILY,
        &optional_generics::FAMILY,
    ],
};
