//! The modes of mcve.

pub mod debug;
pub mod fuzz;
pub mod generalise;
mod notice;
pub mod pair;
pub mod probe;
pub mod reduce;
pub mod task;
pub mod ui_test;
