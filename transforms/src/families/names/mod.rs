//! Transforms of names and what stands in their place.

pub mod aliases;
pub mod bindings;
pub mod pointees;
pub mod qualifiers;
pub mod shortening;
pub mod sinking;
pub mod substitutions;
