//! `mcve explain-run`: why a part of a result is still there.

use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;

use super::catalogue;
use super::exit::{Exit, Failed, OrExit};
use crate::report::terminal::Shown;
use crate::report::why::Run;

/// The options of `mcve explain-run`.
#[derive(Args, Debug)]
pub(super) struct ExplainRunArgs {
    /// The log that `--log` wrote.
    #[arg(value_name = "LOG")]
    pub(super) log: PathBuf,

    /// A line of the result; of several files, the line of one of them.
    #[arg(long, value_name = "[FILE:]N", value_parser = place)]
    pub(super) line: Option<(Option<String>, usize)>,

    /// What this transform, family or pass tried, there or anywhere.
    #[arg(long, value_name = "NAME")]
    pub(super) transform: Option<String>,
}

fn place(text: &str) -> Result<(Option<String>, usize), String> {
    let (file, line) = text.rsplit_once(':').map_or((None, text), |(file, line)| (Some(file.to_owned()), line));
    line.parse().map(|line| (file, line)).map_err(|_| "it is a number, or FILE:NUMBER".to_owned())
}

/// Prints what the log says.
///
/// # Errors
/// When it cannot be read, or has no such line, or there is no such transform.
pub(super) fn explain(args: &ExplainRunArgs) -> Result<Exit, Failed> {
    let run =
        Run::read(&args.log).with_context(|| format!("cannot use {}", args.log.display())).or_exit(Exit::Input)?;
    if let Some(name) = args.transform.as_ref().filter(|name| !run.names(name)) {
        catalogue::explain(name)?;
    }
    let transforms = args.transform.iter().flat_map(|name| catalogue::stands_for(name));
    let mut only: Vec<&str> = transforms.map(|transform| transform.name).collect();
    if only.is_empty() {
        // A part of each run.
        only.extend(args.transform.as_deref());
    }
    let line = args.line.as_ref().map(|(file, line)| (file.as_deref(), *line));
    let text = run.explain(line, &only).map_err(|why| Failed::new(Exit::Usage, anyhow!(why)))?;
    Shown::plain(text).print().or_exit(Exit::Output).map(|()| Exit::Done)
}
