//! Transforms of patterns.

pub mod pattern_parts;
