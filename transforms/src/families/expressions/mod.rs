//! Transforms of expressions.

use crate::rule::transform::Family;

pub mod alternates;
pub mod boolean;
pub mod calls;
pub mod hoist;
pub mod lists;
pub mod literals;
pub mod operands;
pub mod optional;
pub mod parentheses;
pub mod separators;
pub mod transplants;
pub mod values;

/// Its families.
pub static FAMILIES: &[&Family] = &[
    &boolean::FAMILY,
    &lists::FAMILY,
    &optional::FAMILY,
    &separators::FAMILY,
    &parentheses::FAMILY,
    &hoist::FAMILY,
    &calls::FAMILY,
    &alternates::FAMILY,
    &values::FAMILY,
    &operands::FAMILY,
    &literals::FAMILY,
    &transplants::FAMILY,
];
