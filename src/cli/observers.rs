//! Who follows a run: a screen, a console or JSON, and what keeps its log, its history and its finds.

use std::ffi::OsString;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use clap::ColorChoice;

use super::exit::{Exit, Failed, OrExit, failed};
use super::messages::cannot_print;
use super::page;
use super::run_args::{MessageFormat, OutputArgs, RunArgs};
use crate::report::begun::Begun;
use crate::report::console::{Console, Verbosity};
use crate::report::finds::KeepFinds;
use crate::report::history::History;
use crate::report::json::Json;
use crate::report::log::{Log, kept};
use mcve_reduce::check::limits::Limits;
use mcve_reduce::event::{Event, Observer};

impl RunArgs {
    /// Reports the reduction of what has this name, which the command line `words` asks for, and keeps what is to be kept of it.
    /// Fails if `--tui` has no terminal, or the log, the page or the history cannot be written.
    pub(super) fn observer(
        &self,
        limits: &Limits,
        name: String,
        words: &[OsString],
    ) -> Result<Box<dyn Observer>, Failed> {
        page::check(self.html.as_deref())?;
        let mut observer = self.reporter(limits, name)?;
        match kept::begin() {
            Ok(file) => observer = Box::new(Log::keep(file, words, self.html.as_deref(), observer)),
            Err(error) if self.html.is_some() => {
                return Err(failed!(Output, "--html needs the log of the run: {error}"));
            }
            // Where nothing can be kept, `mcve why` asks again.
            Err(_) => {}
        }
        if let Some(path) = &self.log {
            let log = Log::begin(path, words, observer);
            let log = log.with_context(|| format!("cannot write the log {}", path.display()));
            observer = Box::new(log.or_exit(Exit::Output)?);
        }
        if let Some(folder) = &self.history {
            let history = History::begin(folder, Begun::now(words), observer);
            let history = history.with_context(|| format!("cannot keep a history in {}", folder.display()));
            observer = Box::new(history.or_exit(Exit::Output)?);
        }
        self.defaults.iter().for_each(|note| observer.event(&Event::Note { message: note.clone() }));
        Ok(observer)
    }

    #[cfg_attr(not(feature = "tui"), expect(unused_variables, reason = "only --tui uses them"))]
    fn reporter(&self, limits: &Limits, name: String) -> Result<Box<dyn Observer>, Failed> {
        #[cfg(feature = "tui")]
        if self.screen.tui {
            use crate::report::tui::Screen;

            if !Screen::has_terminal() {
                return Err(failed!(Usage, "--tui needs a terminal as standard input and standard error"));
            }
            let screen = Screen::begin(name, limits.clone(), verbosity(&self.output_args));
            return Ok(Box::new(screen.context("cannot use the terminal").or_exit(Exit::Output)?));
        }
        observer(&self.output_args, limits.deadline)
    }
}

/// An observer that keeps finds in `folder`, if there is one.
/// Fails when that folder cannot be used, or nobody recognises what would be kept.
pub(super) fn keep_finds(
    observer: Box<dyn Observer>,
    folder: Option<&Path>,
    recognises_failures: bool,
) -> Result<Box<dyn Observer>, Failed> {
    let Some(folder) = folder else { return Ok(observer) };
    if !recognises_failures {
        return Err(failed!(
            Usage,
            "--finds keeps the other crashes that mcve recognises: it recognises none with a script, a command, rustfmt or rust-analyzer"
        ));
    }
    let keeper = KeepFinds::begin(folder, observer)
        .with_context(|| format!("cannot keep finds in {}", folder.display()))
        .or_exit(Exit::Output)?;
    Ok(Box::new(keeper))
}

/// How much is said.
pub(super) fn verbosity(args: &OutputArgs) -> Verbosity {
    match (args.quiet, args.verbose) {
        (true, _) => Verbosity::Quiet,
        (false, true) => Verbosity::Verbose,
        (false, false) => Verbosity::Normal,
    }
}

/// Reports what happens in a run that ends at `deadline`, in colours where these are wanted.
pub(super) fn observer(args: &OutputArgs, deadline: Option<Instant>) -> Result<Box<dyn Observer>, Failed> {
    match args.color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    Ok(match args.message_format {
        MessageFormat::Human => Box::new(Console::new(verbosity(args), deadline)),
        MessageFormat::Json => Box::new(Json::begin(std::io::stdout()).map_err(cannot_print)?),
    })
}
