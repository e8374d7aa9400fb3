//! The families of transforms: a file each, listed in the registry.

pub mod attrs;
pub mod comments;
pub mod items;
pub mod uses;
