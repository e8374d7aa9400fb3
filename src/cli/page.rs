//! `mcve page` and `--html`: the page of a run.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::exit::{Exit, Failed, OrExit, failed};
use super::messages::{self, say};
use crate::report::log::{Run, is_log};
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
///
/// # Errors
/// When there is nothing to make it from, or it cannot be written.
pub(super) fn run(args: &PageArgs) -> Result<Exit, Failed> {
    let PageArgs { file, output } = args;
    let shown = file.display();
    if let Err(error) = file.metadata() {
        return Err(failed!(Input, "cannot use {shown}: {error}"));
    }
    let of_log = is_log(file).unwrap_or(false);
    let run = if of_log { Run::read(file).ok() } else { Run::of_result(file) };
    let Some(run) = run else {
        return Err(failed!(
            Input,
            "nothing is kept of {shown}, or it is no result of mcve: run mcve with --html, or name a log of --log"
        ));
    };
    let Some(end) = &run.end else {
        return Err(failed!(Input, "{shown} was cut off: it does not say how the run ended"));
    };
    if !of_log && has_changed(file, &run) {
        say(format_args!("warning: {shown} has changed since mcve wrote it: the page shows what it was"));
    }
    let page = page::page(&run, end);
    match output {
        Some(path) if path.as_os_str() == "-" => {
            messages::print(page.as_bytes(), |page| Shown::plain(page)).or_exit(Exit::Output)?;
        }
        _ => {
            let path = output.clone().unwrap_or_else(|| file.with_extension("html"));
            page::write(&path, &page).with_context(|| cannot_write(&path)).or_exit(Exit::Output)?;
            written(&path);
        }
    }
    Ok(Exit::Done)
}

/// Whether a result is another one than that of the run.
fn has_changed(result: &Path, run: &Run) -> bool {
    run.lines.chunk_by(|one, next| one.file == next.file).any(|lines| {
        let path = if result.is_dir() { result.join(&lines[0].file) } else { result.to_owned() };
        let text = std::fs::read_to_string(path).unwrap_or_default();
        !text.lines().map(str::trim_end).eq(lines.iter().map(|line| &*line.text))
    })
}

/// Checks, before a run begins, that its page can be written.
pub(super) fn check(page: Option<&Path>) -> Result<(), Failed> {
    let Some(path) = page else { return Ok(()) };
    page::check_place(path).with_context(|| cannot_write(path)).or_exit(Exit::Output)
}

/// Writes the page of the run that came to this end, if one is asked for.
pub(super) fn write_after(page: Option<&Path>, summary: &Summary, is_quiet: bool) -> Result<(), Failed> {
    let Some(path) = page else { return Ok(()) };
    let is_this_run = |run: &Run| run.end.as_ref().is_some_and(|end| end.text == summary.program.shown());
    let run = Run::of_result(summary.output.as_deref().unwrap_or(path)).filter(is_this_run);
    let page = run.as_ref().and_then(|run| Some(page::page(run, run.end.as_ref()?)));
    let page = page.with_context(|| format!("{}: what was kept of the run is gone", cannot_write(path)));
    page::write(path, &page.or_exit(Exit::Output)?).with_context(|| cannot_write(path)).or_exit(Exit::Output)?;
    if !is_quiet {
        written(path);
    }
    Ok(())
}

fn written(path: &Path) {
    say(format_args!("written: {}", path.display()));
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write the page {}", path.display())
}
