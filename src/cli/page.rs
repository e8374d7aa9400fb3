//! `mcve page` and `--html`: the page of a run.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::exit::{Exit, Failed, OrExit, failed};
use super::messages::{self, say};
use crate::report::log::Run;
use crate::report::page;
use crate::report::terminal::Shown;
use mcve_reduce::event::Summary;

/// The options of `mcve page`.
#[derive(Args, Debug)]
pub(super) struct PageArgs {
    /// A result of mcve, or a log that `--log` wrote.
    file: PathBuf,

    /// Where the page goes; by default FILE with the extension `.html`. `-` is standard output.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

/// Writes the page of the run that made a result, from what is kept of it or from a log.
/// Fails when there is nothing to make it from, or it cannot be written.
pub(super) fn run(args: &PageArgs) -> Result<Exit, Failed> {
    let PageArgs { file, output } = args;
    let shown = file.display();
    file.metadata().with_context(|| format!("cannot use {shown}")).or_exit(Exit::Input)?;
    let log = Run::of_log(file);
    let is_result = log.is_none();
    let Some(run) = log.or_else(|| Run::of_result(file)) else {
        return Err(failed!(Input, "nothing is kept of {shown}: run mcve with --html, or name a log of --log"));
    };
    let Some(end) = &run.end else { return Err(failed!(Input, "{shown} was cut off before the end of the run")) };
    if is_result && std::fs::read_to_string(file).is_ok_and(|text| text != end.text) {
        say(format_args!("warning: {shown} has changed since mcve wrote it: the page shows what it was"));
    }
    let page = page::page(&run, end);
    if output.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        messages::print(page.as_bytes(), |page| Shown::plain(page)).or_exit(Exit::Output)?;
    } else {
        write(&output.clone().unwrap_or_else(|| file.with_extension("html")), &page, false)?;
    }
    Ok(Exit::Done)
}

/// Checks that a page can be written.
pub(super) fn check(page: Option<&Path>) -> Result<(), Failed> {
    let Some(path) = page else { return Ok(()) };
    page::check_place(path).with_context(|| cannot_write(path)).or_exit(Exit::Output)
}

/// Writes the page of the run that came to this end, if one is asked for.
pub(super) fn write_after(page: Option<&Path>, summary: &Summary, is_quiet: bool) -> Result<(), Failed> {
    let Some(path) = page else { return Ok(()) };
    let run = Run::of_result(summary.output.as_deref().unwrap_or(path));
    let end = run.as_ref().and_then(|run| run.end.as_ref());
    match run.as_ref().zip(end.filter(|end| end.text == summary.program.shown())) {
        Some((run, end)) => write(path, &page::page(run, end), is_quiet),
        None => Err(failed!(Output, "{}: what was kept of the run is gone", cannot_write(path))),
    }
}

fn write(path: &Path, page: &str, is_quiet: bool) -> Result<(), Failed> {
    check(Some(path))?;
    std::fs::write(path, page).with_context(|| cannot_write(path)).or_exit(Exit::Output)?;
    if !is_quiet {
        say(format_args!("written: {}", path.display()));
    }
    Ok(())
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write the page {}", path.display())
}
