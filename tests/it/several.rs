//! Programs of several files, through the real binary: modules, data, crates, arguments, folders.

mod crates;
mod folders;
mod found;
mod kept;
mod place;
