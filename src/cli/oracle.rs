//! From arguments to the oracle that judges candidates.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow};

use super::args::ReduceArgs;
use super::exit::{Exit, Failed};
use crate::exec::job::Executor;
use crate::exec::programs;
use crate::modes::recognise::recognise;
use crate::oracle::Oracle;
use crate::oracle::headers::Headers;
use crate::oracle::rustc::Rustc;
use crate::program::Program;

/// The oracle that the arguments ask for: a script, a command with conditions, or else rustc and the failure it shows.
///
/// # Errors
/// When the check cannot be run, or the program compiles.
pub fn choose(
    args: &ReduceArgs,
    toolchain: Option<&str>,
    program: &Program,
    executor: &dyn Executor,
) -> Result<Arc<dyn Oracle>, Failed> {
    let check = |error| Failed::new(Exit::Check, error);
    let folder = std::env::current_dir().context("there is no current folder").map_err(check)?;
    let path = programs::rustc(args.rustc.as_deref(), toolchain).map_err(check)?;
    let rustc = Rustc::new(path, &Headers::parse(&program.text), &args.args, Path::new(&folder));
    let oracle = recognise(&rustc, program, executor, args.timeout, args.allow_errors).map_err(|e| check(e.into()))?;
    oracle.map(|oracle| oracle as Arc<dyn Oracle>).ok_or_else(|| {
        let command = rustc.command(&args.file);
        Failed::new(
            Exit::NotFailing,
            anyhow!("{} compiles: there is no failure to keep\nto see it by hand: {command}", args.file.display()),
        )
    })
}
