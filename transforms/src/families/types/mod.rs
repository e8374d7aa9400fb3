//! Transforms of types.

use crate::rule::transform::Family;

pub mod optional_types;
pub mod plain;
pub mod references;
pub mod type_lists;
pub mod types_everywhere;

/// Its families.
pub static FAMILIES: &[&Family] =
    &[&plain::FAMILY, &types_everywhere::FAMILY, &type_lists::FAMILY, &optional_types::FAMILY, &references::FAMILY];
