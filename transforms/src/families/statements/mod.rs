//! Transforms of statements, blocks and control flow.

pub mod control;
pub mod labels;
pub mod stmts;
