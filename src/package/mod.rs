//! Packages: what cargo calls the compiler with, so that a failure that it shows can be seen by one call of the compiler.

pub mod build;
pub mod call;
pub mod data;
pub mod doctest;
pub mod expansion;
pub mod ignored;
pub mod lock_file;
pub mod manifest;
pub mod record;
mod roots;
pub mod source;
mod variables;
