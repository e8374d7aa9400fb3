//! What is done to the files that a command line names, through the real binary: links, devices, pipes, and what somebody wrote.

pub(crate) mod checks;
mod devices;
mod foreign;
mod kept;
mod refused;
