//! `mcve report`: from a result to the text of an issue.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use data_encoding::BASE64;
use regex::Regex;

use super::argv::usual_question;
use super::bisect::{self, Versions};
use super::channels::{self, Asked, Origin, Tried, regression};
use super::exit::{Exit, Failed, OrExit, failed};
use super::known::Known;
use super::messages::{self, say};
use super::output::{check_place, output_at, warn_put_aside};
use super::question::Question;
use super::result_args::ReportArgs;
use super::run_args::OutputArgs;
use super::toolchain::{repository, version, version_of_tool};
use super::{fingerprint, input, setup};
use crate::report::issue::{Facts, Form, Printed};
use crate::report::known::search_link;
use crate::report::private::Private;
use crate::report::terminal::Shown;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::event::{Ending, Summary};
use mcve_reduce::exec::job::{Executor, Job};
use mcve_reduce::failure::problem::Problem;
use mcve_reduce::oracle::{FailureId, by_hand};
use mcve_reduce::output::{Output, same_file};
use mcve_reduce::program::Program;

/// Prints the text of an issue about a result. Fails if the result does not fail as in its run, or the text cannot be written.
pub(super) fn report(mut args: ReportArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let known = Known::of(&args.file)?;
    // Before the run is asked for again in its own folder.
    let output = args.output.clone().filter(|path| path.as_os_str() != "-");
    let output = output.map(std::path::absolute).transpose().context("cannot use the output").or_exit(Exit::Output)?;
    let output = output.map(|path| place(&path, &args.file)).transpose()?;
    let others = args.known.iter().map(std::path::absolute).collect::<Result<_, _>>();
    args.known = others.context("cannot use the known failures").or_exit(Exit::Input)?;
    let (facts, usual) =
        if known.text.is_some() { of_file(&known, &args, toolchain)? } else { of_package(&known, &args, toolchain)? };
    let (form, private) = (args.form.unwrap_or(usual), Private::here());
    let text = if args.json { facts.object(form, &private) } else { facts.text(form, &private) };
    if args.copy {
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

/// Adds what the options ask for of the failure elsewhere: with other toolchains, and among known failures. `program` fails, and `file`
/// is the file or the package.
fn add_elsewhere(
    facts: &mut Facts,
    args: &ReportArgs,
    asked: Asked<'_>,
    file: &Path,
    program: &Program,
    toolchain: Option<&str>,
    is_crash: bool,
) -> Result<(), Failed> {
    args.install.iter().try_for_each(|name| channels::install(name))?;
    let tried = if args.channels { asked.ask_all()? } else { Vec::new() };
    if !args.known.is_empty() {
        facts.known = Some(fingerprint::known(asked.failure, &args.known, toolchain, asked.limits)?);
    }
    let origin = if args.bisect {
        Some(bisect::find(asked, file, program, toolchain, Versions::default())?)
    } else {
        bisect::found(file, program, asked.failure)
    };
    facts.regression = regression(&version(toolchain), is_crash, &tried, origin.as_ref());
    facts.origin = origin.as_ref().map(Origin::lines).unwrap_or_default();
    let channels = tried.into_iter().map(|Tried { name, version, answer }| (name, version, answer.words()));
    facts.channels = channels.collect();
    Ok(())
}

/// What is known of a file that fails, and the form of its issue.
fn of_file(known: &Known, args: &ReportArgs, toolchain: Option<String>) -> Result<(Facts, Form), Failed> {
    let limits = setup::limits(args.oracle.failure.timeout, None)?;
    let (question, own) = known.file_args(args.oracle.clone())?;
    let toolchain = toolchain.or(own);
    let start = question.start_within(limits.clone(), toolchain.clone())?;
    let spec = question.oracle.spec()?;
    let (tool, is_suggestion) = (spec.tool, spec.suggestion.is_some());
    let (program, oracle) = (&start.problem.program, &start.problem.oracle);
    let (failure, is_crash) = (oracle.failure(), oracle.properties().is_crash);
    let question = Question::File(Box::new(question));
    let asked = Asked { question: &question, limits: &limits, failure: &failure };
    let mut facts = Facts::of(program.clone(), failure.clone(), known.end());
    add_elsewhere(&mut facts, args, asked, &known.path, program, toolchain.as_deref(), is_crash)?;
    let usual = Form::of(tool, oracle.properties(), facts.regression.is_some(), is_suggestion);
    let own = version(toolchain.as_deref());
    facts.command = oracle.command(program, &program.name);
    facts.printed = printed(&*start.session.executor(), &by_hand::shown(&**oracle, program), &limits)?;
    facts.versions = tool.map_or_else(String::new, |tool| version_of_tool(tool, toolchain.as_deref())) + &own;
    facts.search = is_crash.then(|| search_link(&failure, repository(tool)));
    Ok((facts, usual))
}

/// What is known of a package that fails: its command is the one that its run has printed.
fn of_package(known: &Known, args: &ReportArgs, toolchain: Option<String>) -> Result<(Facts, Form), Failed> {
    let Some(end) = known.end() else {
        return Err(failed!(Input, "nothing is kept of the run that made {}", args.file.display()));
    };
    let limits = setup::limits(args.oracle.failure.timeout, None)?;
    let program = input::read_folder(&known.path, false)?;
    let (question, own) = known.question(args.oracle.clone())?;
    let toolchain = toolchain.or(own);
    let command = end.command.split_once(" && ").filter(|(first, _)| first.starts_with("cd "));
    let command = command.map_or(end.command.as_str(), |(_, rest)| rest).to_owned();
    let sandbox = &args.oracle.failure.sandbox;
    let session = sandbox.session(toolchain.clone(), limits.clone(), args.oracle.failure.memory)?;
    let printed = printed(&*session.executor(), &by_hand::line(&command, program.files()), &limits)?;
    let failure = FailureId { words: end.failure.clone(), fingerprint: end.fingerprint.clone() };
    let is_crash = failure.words.contains("internal compiler error");
    let versions = version(toolchain.as_deref());
    let mut facts = Facts { command, printed, versions, ..Facts::of(program, failure, Some(end)) };
    if args.channels || args.bisect || !args.known.is_empty() {
        let Problem { program, oracle, .. } = question.find(&limits, toolchain.clone())??;
        let failure = oracle.failure();
        let asked = Asked { question: &question, limits: &limits, failure: &failure };
        add_elsewhere(&mut facts, args, asked, &known.path, &program, toolchain.as_deref(), is_crash)?;
    }
    let usual = match &facts.regression {
        _ if is_crash => Form::Crash,
        Some(_) => Form::Regression,
        None => Form::Library,
    };
    Ok((facts, usual))
}

/// Checks, before the work, that the text of an issue about a result can be written.
pub(super) fn check(path: Option<&Path>, output: &Output) -> Result<(), Failed> {
    let Some(path) = path else { return Ok(()) };
    if output.file().is_none() {
        return Err(failed!(Usage, "--report needs a result that is a file: name one with -o"));
    }
    check_place(path)
}

/// Writes the text of an issue about the result of a run that has ended, if it is asked for.
/// Fails as [`report`], and when the result is not a file.
pub(super) fn write_after(path: Option<&Path>, summary: &Summary) -> Result<(), Failed> {
    let Some(path) = path.filter(|_| summary.ending != Ending::Interrupted) else { return Ok(()) };
    let Some(file) = &summary.output else { return Err(failed!(Usage, "--report needs a result that is a file")) };
    let args = ReportArgs {
        file: file.clone(),
        form: None,
        channels: file.is_file(),
        install: Vec::new(),
        bisect: false,
        known: Vec::new(),
        output: Some(path.to_owned()),
        copy: false,
        json: false,
        oracle: usual_question(),
    };
    report(args, None).map(drop)
}

/// Where the text goes: not to the result.
fn place(path: &Path, result: &Path) -> Result<Output, Failed> {
    if same_file(path, result) {
        return Err(failed!(Usage, "the output is the result, which is never changed"));
    }
    output_at(path, &OutputArgs::default())
}

/// What the command of the result prints.
fn printed(executor: &dyn Executor, job: &Job, limits: &Limits) -> Result<Printed, Failed> {
    let ran = setup::execute(executor, job, limits)?;
    let text = [&*ran.stdout, &*ran.stderr].map(|part| String::from_utf8_lossy(part).into_owned()).concat();
    // The folder of the check.
    let place = Regex::new(r"[\w./-]*/mcve-\w+/checks/\d+/work").expect("it is well-formed");
    Ok(Printed::read(&place.replace_all(&text, ".")))
}

/// Asks the terminal to copy a text.
fn copy_to_clipboard(text: &str) -> std::io::Result<()> {
    let mut terminal = std::fs::File::options().write(true).open("/dev/tty")?;
    write!(terminal, "\u{1b}]52;c;{}\u{7}", BASE64.encode(text.as_bytes()))
}
