//! Transforms of expressions.

pub mod alternates;
pub mod boolean;
pub mod calls;
pub mod hoist;
pub mod lists;
pub mod literals;
pub mod optional;
pub mod separators;
pub mod values;
