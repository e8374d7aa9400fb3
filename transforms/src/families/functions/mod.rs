//! Transforms of functions: their parameters, bodies, calls and results.

use crate::rule::transform::Category;

pub mod bodies;
pub mod call_values;
pub mod function_forms;
pub mod inlining;
pub mod methods;
pub mod parameters;
pub mod returns;

/// The families of this folder.
pub static CATEGORY: Category = Category {
    name: "functions",
    about: "Functions: their parameters, bodies, calls and results",
    families: &[
        &parameters::FAMILY,
        &methods::FAMILY,
        &inlining::FAMILY,
        &call_values::FAMILY,
        &returns::FAMILY,
        &bodies::FAMILY,
        &function_forms::FAMILY,
    ],
};
