//! Transforms of macro calls and the rules of macros.

use crate::rule::transform::Category;

pub mod call_arguments;
pub mod derives;
pub mod expansions;
pub mod macro_items;
pub mod macro_protocols;
pub mod macro_repetitions;
pub mod macro_rules;

/// The families of this folder.
pub static CATEGORY: Category = Category {
    name: "macros",
    about: "Macro calls and the rules of macros",
    families: &[
        &call_arguments::FAMILY,
        &macro_rules::FAMILY,
        &macro_repetitions::FAMILY,
        &macro_protocols::FAMILY,
        &macro_items::FAMILY,
        &expansions::FAMILY,
        &derives::FAMILY,
    ],
};
