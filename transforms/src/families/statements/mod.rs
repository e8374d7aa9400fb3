//! Transforms of statements, blocks and control flow.

use crate::rule::transform::Category;

pub mod blocks;
pub mod control;
pub mod labels;
pub mod loops;
pub mod stmts;

/// The families of this folder.
pub static CATEGORY: Category = Category {
    name: "statements",
    about: "Statements, blocks and control flow",
    families: &[&stmts::FAMILY, &control::FAMILY, &loops::FAMILY, &blocks::FAMILY, &labels::FAMILY],
};
