//! The families of transforms: a file each, listed in the registry.

pub mod alternates;
pub mod blocks;
pub mod bodies;
pub mod boolean;
pub mod calls;
pub mod control;
pub mod hoist;
pub mod items;
pub mod loops;
pub mod stmts;
pub mod values;
