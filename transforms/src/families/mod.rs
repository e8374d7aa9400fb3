//! The families of transforms: a file each, listed in the registry.

pub mod blocks;
pub mod bodies;
pub mod items;
pub mod stmts;
