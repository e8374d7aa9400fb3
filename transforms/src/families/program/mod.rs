//! Transforms of programs of several files: files, data, arguments of the compiler.

pub mod arguments;
pub mod crates;
pub mod files;
pub mod nesting;
