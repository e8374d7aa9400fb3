//! Packages: finds the compiler calls of cargo so that one call of the compiler can show a failure of the package.

pub mod build;
pub mod call;
pub mod data;
pub mod doctest;
mod edited;
pub mod error;
mod expand;
pub mod expansion;
mod failing;
mod find;
mod folders;
pub mod ignored;
mod local;
pub mod lock_changes;
pub mod lock_file;
pub mod manifest;
pub mod observer;
pub mod record;
pub mod reduce;
mod regression;
mod result;
mod roots;
pub mod source;
pub mod spec;
mod stages;
mod variables;
