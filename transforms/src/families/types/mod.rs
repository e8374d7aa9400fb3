//! Transforms of types.

pub mod optional_types;
pub mod references;
pub mod type_lists;
pub mod type_parts;
pub mod typed_values;
pub mod types_everywhere;
