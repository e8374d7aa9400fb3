//! The modes of mcve.

pub mod debug;
pub mod fuzz;
pub mod generalise;
pub mod isolate;
mod notice;
pub mod pair;
pub mod probe;
pub mod reduce;
pub mod repair;
pub mod task;
mod ui_test;
