//! What cargo knows of a file: the manifest of the package that it stands in.

pub mod manifest;
pub mod neighbours;
