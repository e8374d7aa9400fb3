//! Transforms of macro calls and the rules of macros.

pub mod call_arguments;
pub mod derives;
pub mod expansions;
pub mod macro_items;
pub mod macro_protocols;
pub mod macro_rules;
