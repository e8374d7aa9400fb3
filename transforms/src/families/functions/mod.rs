//! Transforms of functions: their parameters, bodies, calls and results.

pub mod bodies;
pub mod call_values;
pub mod function_forms;
pub mod inlining;
pub mod methods;
pub mod parameters;
pub mod returns;
