//! Transforms of patterns.

use crate::rule::transform::Category;

pub mod pattern_lists;
pub mod pattern_parts;

/// The families of this folder.
pub static CATEGORY: Category =
    Category { name: "patterns", about: "Patterns", families: &[&pattern_parts::FAMILY, &pattern_lists::FAMILY] };
