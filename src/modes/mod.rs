//! What a user asks for.

pub mod changes;
pub mod fuzz;
pub mod isolate;
pub mod pair;
pub mod probe;
pub mod recognise;
pub mod recognise_run;
pub mod reduce;
pub mod repair;
mod ui_test;
