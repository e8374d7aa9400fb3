//! `mcve changes` through the real binary: what it finds, that git applies it, and that nothing else changes.

mod history;
mod place;
mod versions;
mod walkthrough;
