//! Transforms of statements, blocks and control flow.

pub mod blocks;
pub mod control;
pub mod labels;
pub mod loops;
pub mod stmts;
