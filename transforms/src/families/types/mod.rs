//! Transforms of types.

use crate::rule::transform::Category;

pub mod optional_types;
pub mod references;
pub mod type_lists;
pub mod type_parts;
pub mod types_everywhere;

/// The families of this folder.
pub static CATEGORY: Category = Category {
    name: "types",
    about: "Types",
    families: &[
        &type_parts::FAMILY,
        &types_everywhere::FAMILY,
        &type_lists::FAMILY,
        &optional_types::FAMILY,
        &references::FAMILY,
    ],
};
