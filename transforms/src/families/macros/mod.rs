//! Transforms of macro calls and the rules of macros.

use crate::rule::transform::Family;

pub mod derives;
pub mod expansions;
pub mod macro_fusions;
pub mod macro_items;
pub mod macro_joins;
pub mod macro_lists;
pub mod macro_protocols;
pub mod macro_repetitions;
pub mod macro_rules;
pub mod plain;

/// Its families.
pub static FAMILIES: &[&Family] = &[
    &plain::FAMILY,
    &macro_rules::FAMILY,
    &macro_repetitions::FAMILY,
    &macro_protocols::FAMILY,
    &macro_items::FAMILY,
    &macro_lists::FAMILY,
    &macro_joins::FAMILY,
    &macro_fusions::FAMILY,
    &expansions::FAMILY,
    &derives::FAMILY,
];
