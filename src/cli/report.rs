//! `mcve report`: from a result to the text of an issue.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use data_encoding::BASE64;

use super::again::Known;
use super::args::ReportArgs;
use super::channels::{self, Asked};
use super::exit::{Exit, Failed, OrExit, failed};
use super::messages::{self, say};
use super::output::{output_at, warn_put_aside};
use super::pair::Start;
use super::run_args::OutputArgs;
use super::setup;
use super::toolchain::version;
use crate::report::issue::{Facts, Form, Printed};
use crate::report::private::Private;
use crate::report::terminal::Shown;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::exec::cancel::Cancel;
use mcve_reduce::oracle::by_hand;
use mcve_reduce::output::{Output, same_file};
use mcve_reduce::program::Program;

/// The command of a result is ended after this time.
const LONGEST: Duration = Duration::from_secs(120);

/// Prints the text of an issue about a result.
///
/// # Errors
/// If the result does not fail as in its run, or the text cannot be written.
pub(super) fn report(args: ReportArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let ReportArgs { file, form, channels, install, output, copy, oracle } = args;
    let known = Known::of(&file)?;
    // Before the run is asked for again in its own folder.
    let output = output.filter(|path| path.as_os_str() != "-");
    let output = output.map(std::path::absolute).transpose().context("cannot use the output").or_exit(Exit::Output)?;
    let output = output.map(|path| place(&path, &file)).transpose()?;
    if known.text.is_none() {
        return Err(failed!(Input, "{} is a package: `mcve report` is for files", file.display()));
    }
    let end = known.end().cloned();
    let limits = setup::limits(oracle.failure.timeout, None)?;
    let (question, own) = known.question(oracle)?;
    let toolchain = toolchain.or(own);
    let start = question.start_within(limits.clone(), toolchain.clone())?;
    let failure = start.problem.oracle.failure();
    let program = &start.problem.program;
    let facts = Facts {
        program: program.clone(),
        command: start.problem.oracle.command(program, &program.name),
        printed: printed(&start, &limits, program)?,
        versions: version(toolchain.as_deref()),
        change: end.as_ref().and_then(|end| end.change.clone()),
        reduced: end.as_ref().map(|end| (end.before.lines, end.after.lines, end.one_minimal)),
        channels: if channels {
            install.iter().try_for_each(|name| channels::install(name))?;
            Asked { question: &question, limits: &limits, failure: &failure }.ask_all()?
        } else {
            Vec::new()
        },
        failure: failure.words,
        fingerprint: failure.fingerprint,
    };
    let form = form.unwrap_or_else(|| {
        Form::of(question.oracle.spec().ok().and_then(|spec| spec.tool), start.problem.oracle.properties())
    });
    let text = facts.text(form, &Private::here());
    if copy {
        copy_to_clipboard(&text).context("cannot copy the text").or_exit(Exit::Output)?;
    }
    let Some(output) = output else {
        messages::print(text.as_bytes(), |text| Shown::plain(text)).or_exit(Exit::Output)?;
        return Ok(Exit::Done);
    };
    let aside = output.write(text.as_bytes()).context("cannot write the text").or_exit(Exit::Output)?;
    aside.iter().for_each(|aside| warn_put_aside(output.path(), aside));
    output.path().iter().for_each(|path| say(format_args!("written: {}", path.display())));
    Ok(Exit::Done)
}

/// Where the text goes: not to the result.
fn place(path: &Path, result: &Path) -> Result<Output, Failed> {
    if same_file(path, result) {
        return Err(failed!(Usage, "the output is the result, which is never changed"));
    }
    output_at(path, &OutputArgs::default())
}

/// What the command of the result prints, with backtraces.
fn printed(start: &Start, limits: &Limits, program: &Program) -> Result<Printed, Failed> {
    let job = by_hand::shown(&*start.problem.oracle, program);
    let ran = start.session.executor().run(&job, limits.left(LONGEST), &Cancel::default());
    let ran = ran.context("cannot run the command of the result").or_exit(Exit::Check)?;
    let text = [&*ran.stdout, &*ran.stderr].map(|part| String::from_utf8_lossy(part).into_owned()).concat();
    Ok(Printed::read(&text))
}

/// Asks the terminal to copy a text.
fn copy_to_clipboard(text: &str) -> std::io::Result<()> {
    let mut terminal = std::fs::File::options().write(true).open("/dev/tty")?;
    write!(terminal, "\u{1b}]52;c;{}\u{7}", BASE64.encode(text.as_bytes()))
}
