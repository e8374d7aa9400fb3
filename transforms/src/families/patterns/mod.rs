//! Transforms of patterns.

use crate::rule::transform::Family;

pub mod pattern_lists;
pub mod pattern_rests;
pub mod plain;

/// Its families.
pub static FAMILIES: &[&Family] = &[&plain::FAMILY, &pattern_lists::FAMILY, &pattern_rests::FAMILY];
