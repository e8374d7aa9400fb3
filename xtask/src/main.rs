//! The measurements of mcve, a subcommand each: `cargo run --release -p xtask -- NAME`. They fill the tables of the documents.

mod ablation;
mod crashes;
mod fork_server_cost;
mod new_transform;
mod refused_headers;
mod shootout;
mod sweep;
mod who_proposes;

use std::path::Path;
use std::thread;

use anyhow::{Result, anyhow};
use clap::Parser;

/// The measurements of mcve, and what helps to change it.
#[derive(Parser)]
enum Xtask {
    /// Measure what each part of the search is worth.
    Ablation(ablation::Options),
    /// Reduce known crashes of rustc and compare each result with plain rustc.
    Crashes(crashes::Options),
    /// Compare the cost of a check by the fork server with that of a plain process.
    ForkServerCost(fork_server_cost::Options),
    /// Begin a transform: write what is to be filled in.
    NewTransform(new_transform::Options),
    /// List the headers that mcve does not follow.
    RefusedHeaders(refused_headers::Options),
    /// Compare the algorithms of delta debugging, and renew docs/shootout.md.
    Shootout,
    /// Apply every reduction of every transform to many files.
    Sweep(sweep::Options),
    /// List the transforms that propose a step.
    WhoProposes(who_proposes::Options),
}

fn main() -> Result<()> {
    match Xtask::parse() {
        Xtask::Ablation(options) => ablation::run(&options),
        Xtask::Crashes(options) => crashes::run(&options),
        Xtask::ForkServerCost(options) => fork_server_cost::run(&options),
        Xtask::NewTransform(options) => new_transform::run(&options),
        Xtask::RefusedHeaders(options) => refused_headers::run(options),
        Xtask::Shootout => shootout::run(),
        Xtask::Sweep(options) => sweep::run(&options),
        Xtask::WhoProposes(options) => on_large_stack(move || who_proposes::run(&options)),
    }
}

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is a member of the workspace")
}

/// Runs what parses deeply nested programs.
fn on_large_stack(run: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
    let thread = thread::Builder::new().stack_size(mcve_transforms::STACK).spawn(run)?;
    thread.join().map_err(|_| anyhow!("the measurement panicked"))?
}
