//! The families of transforms: a file each, listed in the registry.

pub mod attrs;
pub mod items;
