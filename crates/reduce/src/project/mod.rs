//! The surroundings of a file: the manifest of its package, its neighbours, the files of a folder.

pub mod bounds;
pub mod folder;
pub mod manifest;
pub mod neighbours;
