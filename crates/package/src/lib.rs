//! Packages: what cargo calls the compiler with, so that a failure that it shows can be seen by one call of the compiler.

pub mod build;
pub mod call;
pub mod data;
pub mod doctest;
pub mod error;
mod expand;
pub mod expansion;
mod failing;
mod find;
mod folders;
pub mod ignored;
pub mod lock_file;
pub mod manifest;
pub mod observer;
pub mod record;
pub mod reduce;
mod result;
mod roots;
pub mod source;
pub mod spec;
mod stages;
mod variables;
