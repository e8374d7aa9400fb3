//! Transforms of expressions.

use crate::rule::transform::Category;

pub mod alternates;
pub mod boolean;
pub mod calls;
pub mod hoist;
pub mod lists;
pub mod literals;
pub mod optional;
pub mod separators;
pub mod transplants;
pub mod values;

/// The families of this folder.
pub static CATEGORY: Category = Category {
    name: "expressions",
    about: "Expressions",
    families: &[
        &boolean::FAMILY,
        &lists::FAMILY,
        &optional::FAMILY,
        &separators::FAMILY,
        &calls::FAMILY,
        &hoist::FAMILY,
        &values::FAMILY,
        &alternates::FAMILY,
        &literals::FAMILY,
        &transplants::FAMILY,
    ],
};
