//! `mcve explain-run`: from arguments to what the log of a run says.

use std::path::Path;

use anyhow::Context;

use super::catalogue::{explain, stands_for};
use super::exit::{Exit, Failed, OrExit, failed};
use crate::report::terminal::Shown;
use crate::report::why::Run;

/// Prints what the log of a run says of a line of its result, or of what a transform, a family or a pass tried.
///
/// # Errors
/// When the file is not a log, the result has no such line, or no transform, family or pass has that name.
pub(super) fn run(log: &Path, line: Option<&str>, name: Option<&str>) -> Result<Exit, Failed> {
    let run = Run::read(log).with_context(|| format!("cannot use {}", log.display())).or_exit(Exit::Input)?;
    if let Some(name) = name.filter(|name| !run.names(name)) {
        explain(name)?;
    }
    let transforms = name.into_iter().flat_map(stands_for);
    let only: Vec<&str> = transforms.map(|transform| transform.name).chain(name).collect();
    let text = run.explain(line, &only).map_err(|why| failed!(Usage, "{why}"))?;
    Shown::plain(text).print().or_exit(Exit::Output).map(|()| Exit::Done)
}
