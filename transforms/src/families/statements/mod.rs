//! Transforms of statements, blocks and control flow.

use crate::rule::transform::Family;

pub mod blocks;
pub mod control;
pub mod labels;
pub mod loops;
pub mod statement_windows;
pub mod stmts;
pub mod unrolling;

/// Its families.
pub static FAMILIES: &[&Family] = &[
    &stmts::FAMILY,
    &control::FAMILY,
    &loops::FAMILY,
    &unrolling::FAMILY,
    &blocks::FAMILY,
    &labels::FAMILY,
    &statement_windows::FAMILY,
];
