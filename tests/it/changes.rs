//! `mcve changes` through the real binary: what it finds, that git applies it, and that nothing else changes.

mod git;
mod grains;
mod history;
mod versions;
mod walkthrough;
