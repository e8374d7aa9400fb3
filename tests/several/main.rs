//! Programs of several files, through the real binary: modules, data, crates, arguments.

mod crates;
mod found;
mod kept;
mod place;
