//! The families of transforms: a file each, listed in the registry.

pub mod declaration_lists;
pub mod generic_lists;
pub mod items;
pub mod lists;
pub mod pattern_lists;
pub mod type_lists;
