//! Transforms of structs, enums, tuples and what declarations list.

pub mod declaration_lists;
pub mod fields;
pub mod newtypes;
pub mod slots;
pub mod tuples;
pub mod variants;
