//! Transforms of programs of several files: files, data, arguments of the compiler.

use crate::rule::transform::Category;

pub mod arguments;
pub mod crates;
pub mod files;

/// The families of this folder.
pub static CATEGORY: Category = Category {
    name: "program",
    about: "Files, data and arguments",
    families: &[&files::FAMILY, &crates::FAMILY, &arguments::FAMILY],
};
