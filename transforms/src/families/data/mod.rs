//! Transforms of structs, enums, tuples and what declarations list.

use crate::rule::transform::Category;

pub mod declaration_lists;
pub mod fields;
pub mod newtypes;
pub mod optional_declarations;
pub mod slots;
pub mod tuples;
pub mod variants;

/// The families of this folder.
pub static CATEGORY: Category = Category {
    name: "data",
    about: "Structs, enums, tuples and what declarations list",
    families: &[
        &declaration_lists::FAMILY,
        &optional_declarations::FAMILY,
        &fields::FAMILY,
        &slots::FAMILY,
        &tuples::FAMILY,
        &variants::FAMILY,
        &newtypes::FAMILY,
    ],
};
