//! The families of transforms: a file each, in a folder for each category.

pub mod data;
pub mod expressions;
pub mod functions;
pub mod generics;
pub mod items;
pub mod macros;
pub mod names;
pub mod patterns;
pub mod program;
pub mod statements;
pub mod text;
pub mod traits;
pub mod types;
