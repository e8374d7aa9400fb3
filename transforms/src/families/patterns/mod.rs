//! Transforms of patterns.

pub mod pattern_lists;
pub mod pattern_parts;
