//! `mcve changes`: from arguments to two versions and a judge, and from the change to a patch.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use super::args::{MessageFormat, OutputArgs};
use super::exit::{Exit, Failed, OrExit, failed};
use super::messages::{cannot_print, check, print};
use super::oracle_args::OracleArgs;
use super::output::{output_at, warn_put_aside};
use super::sandbox::advice;
use super::values::duration;
use super::work::{exit, limits, observer};
use mcve_changes::find::{Config, Isolated, Refusal, VersionOracle, Versions, changes};
use mcve_changes::history::{History, HistoryError};
use mcve_dd::outcome::Outcome;
use mcve_reduce::check::rerun::RUNS;
use mcve_reduce::event::{Changed, Event, Observer};
use mcve_reduce::exec::git::{Git, GitError};
use mcve_reduce::exec::{programs, shim};
use mcve_reduce::failure::request::{Request, admit};
use mcve_reduce::failure::spec::FailureSpec;
use mcve_reduce::failure::subject::Subject;
use mcve_reduce::oracle::cargo_test::{CargoTest, Named};
use mcve_reduce::oracle::run::Target;
use mcve_reduce::output::Output;
use mcve_reduce::program::Files;
use mcve_reduce::program::Program;
use mcve_reduce::project::folder::{read_file, read_folder};
use mcve_reduce::session::Session;

/// The variable that keeps cargo from the network.
const OFFLINE: &str = "CARGO_NET_OFFLINE";

/// The options of `mcve changes`.
#[derive(Args, Debug)]
#[command(
    override_usage = "mcve changes [OPTIONS] GOOD BAD [-- ARGS...]\n       mcve changes [OPTIONS] --git GOOD..BAD [-- ARGS...]"
)]
pub struct ChangesArgs {
    /// The file or folder that passes.
    #[arg(required_unless_present = "git", conflicts_with = "git")]
    pub good: Option<PathBuf>,

    /// The file or folder that fails.
    #[arg(required_unless_present = "git")]
    pub bad: Option<PathBuf>,

    /// Searches the history of the repository that this folder is in, from a commit that passes to one that fails. Nothing
    /// in the repository changes.
    #[arg(long, value_name = "GOOD..BAD")]
    pub git: Option<String>,

    /// Follows only the first parents of merges: what was merged counts as one change.
    #[arg(long, requires = "git")]
    pub first_parent: bool,

    /// Where the patch goes; by default, or with `-`, standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Ends after this time, such as `5m`, with the smallest change so far.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub budget: Option<Duration>,

    #[command(flatten)]
    /// What the failure is.
    pub oracle: OracleArgs,

    #[command(flatten)]
    /// What is reported.
    pub output_args: OutputArgs,
}

/// Finds the change.
///
/// # Errors
/// When the versions, the check or the output cannot be used, or there is no such change.
pub(super) fn run(args: &ChangesArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let failure = &args.oracle.failure;
    let spec = args.oracle.spec()?;
    let limits = limits(failure.timeout, args.budget)?;
    let place = args.output.as_deref().filter(|path| *path != Path::new("-"));
    let output = place.map(|path| output_at(path, &args.output_args)).transpose()?;
    let mut observer = observer(&args.output_args)?;
    let (versions, text) = versions(args, &mut *observer)?;
    let session = failure.sandbox.session(toolchain, limits.clone(), failure.memory)?;
    admit(&session, true)?;
    session.lacking(true).into_iter().for_each(|message| observer.event(&Event::Note { message }));
    let subject = text.clone().unwrap_or_else(|| Program::new("", ""));
    let judge = judge(args, &spec, &session, &subject)?;
    let executor = if text.is_some() { session.executor() } else { session.executor_of_folders() };
    let name = |path: &PathBuf| path.file_name().map(PathBuf::from);
    let names = args.good.as_ref().and_then(name).zip(args.bad.as_ref().and_then(name));
    let names = names.filter(|_| text.is_some()).map(|(good, bad)| [good, bad]);
    let folder = session.folder().to_owned();
    let config = Config { versions, judge, subject, names, executor, limits, folder };
    let isolated = changes(config, &mut *observer).map_err(|refusal| refused(refusal, session.held().is_some()))?;
    report(args, output.as_ref(), &isolated, &mut *observer)?;
    observer.close().map_err(cannot_print)?;
    Ok(exit(isolated.ending))
}

/// The versions, and the bad one as a program where it is a file.
fn versions(args: &ChangesArgs, observer: &mut dyn Observer) -> Result<(Versions, Option<Program>), Failed> {
    if let Some(range) = &args.git {
        let history = History::new(Git::at("."), range, args.first_parent)
            .map_err(|error| refused(Refusal::History(error), false))?;
        if history.is_dirty() {
            observer.event(&Event::Warning { message: "changes that are not committed are not looked at".to_owned() });
        }
        return Ok((Versions::History(Box::new(history)), None));
    }
    let (Some(good), Some(bad)) = (&args.good, &args.bad) else { unreachable!("clap asks for both") };
    let is_folder = |path: &Path| {
        let about = std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()));
        about.map(|about| about.is_dir()).or_exit(Exit::Input)
    };
    match (is_folder(good)?, is_folder(bad)?) {
        (true, true) => {
            let read = |path: &PathBuf| {
                let read = read_folder(path).with_context(|| format!("cannot read {}", path.display()));
                Ok::<_, Failed>((path.display().to_string(), read.or_exit(Exit::Input)?))
            };
            Ok((Versions::Two([read(good)?, read(bad)?]), None))
        }
        (false, false) => {
            // A check has the one name, by which the failure may go.
            let name = bad.file_name().unwrap_or_default();
            let read = |path: &PathBuf| {
                let real = std::fs::canonicalize(path).and_then(|path| read_file(&path));
                let file = real.with_context(|| format!("cannot read {}", path.display())).or_exit(Exit::Input)?;
                let file = file.ok_or_else(|| failed!(Input, "{} is neither a file nor a folder", path.display()))?;
                Ok::<_, Failed>((path.display().to_string(), Files::of_file(name, file)))
            };
            let ends = [read(good)?, read(bad)?];
            let bytes = ends[1].1.files.values().next().map(|file| file.bytes.to_vec()).unwrap_or_default();
            let text = match String::from_utf8(bytes) {
                Ok(text) => text,
                Err(_) if args.oracle.is_judged() => String::new(),
                Err(_) => {
                    return Err(failed!(
                        Input,
                        "{} is not UTF-8 text: say what the failure is by --test",
                        bad.display()
                    ));
                }
            };
            Ok((Versions::Two(ends), Some(Program::new(name, text))))
        }
        _ => Err(failed!(Input, "{} and {}: one is a file and one a folder", good.display(), bad.display())),
    }
}

/// Who judges.
fn judge(
    args: &ChangesArgs,
    spec: &FailureSpec,
    session: &Session,
    subject: &Program,
) -> Result<VersionOracle, Failed> {
    if args.oracle.failure.runs.is_some() {
        return Err(failed!(Usage, "`mcve changes` runs each of the two versions {RUNS} times: it has no --runs"));
    }
    let is_file = !subject.name.as_os_str().is_empty();
    if is_file || args.oracle.is_judged() {
        let file = Subject::file(args.bad.as_deref().unwrap_or(Path::new("")));
        let request = Request { spec, subject: file, program: subject, session, reduces_arguments: false };
        let oracle = request.find()?.oracle;
        return Ok(VersionOracle::Fixed(oracle.advice().with_time_to_pass().unwrap_or(oracle)));
    }
    let is_test = matches!(spec.run_target(), Some(Target::Test(_)));
    if spec.run_target().is_some() && !is_test || !spec.diagnostics.is_empty() || !spec.has_no_kinds() {
        return Err(failed!(
            Usage,
            "folders are judged by `cargo test`: name the test by --test-name, or say by --test or by a command when they fail"
        ));
    }
    let cargo = programs::find("cargo".as_ref()).map_err(check)?.into();
    let mut env = shim::toolchain(session.toolchain.as_deref());
    if std::env::var_os(OFFLINE).is_none() {
        // What there is to download may change from one check to the next.
        env.push((OFFLINE.into(), Some(OsString::from("true"))));
    }
    let (named, (ignored, wanted)) = (args.oracle.test_name.as_deref().map(Named::new), Default::default());
    let args = args.oracle.args.clone();
    Ok(VersionOracle::CargoTest(Box::new(CargoTest { cargo, args, env, named, ignored, wanted })))
}

/// Writes the patch and says what it is.
fn report(
    args: &ChangesArgs,
    output: Option<&Output>,
    isolated: &Isolated,
    observer: &mut dyn Observer,
) -> Result<(), Failed> {
    let unwritten =
        |error: std::io::Error| Failed::new(Exit::Output, anyhow::Error::new(error).context("cannot write the patch"));
    // What stands before the patch itself git passes over.
    let mut about =
        format!("# What changed here makes this fail: {}\n# Applies {}\n", isolated.failure, isolated.applies);
    if let Some(commit) = &isolated.commit {
        about += &format!("# First bad commit: {commit}\n");
    }
    let is_json = args.output_args.message_format == MessageFormat::Json;
    let output = output.filter(|output| !matches!(output, Output::Stdout));
    let place = output.and_then(Output::path);
    let bytes = [about.as_bytes(), &isolated.patch].concat();
    let written = output.map_or(Ok(None), |output| output.write(&bytes));
    // A patch that cannot be written is printed.
    let is_written = output.is_some() && written.is_ok();
    observer.event(&Event::Changes(Changed::Found {
        failure: isolated.failure.clone(),
        before: isolated.before,
        after: isolated.after,
        applies: isolated.applies.clone(),
        ending: isolated.ending,
        checks: isolated.checks,
        known: isolated.known,
        wall: isolated.wall,
        patch: is_json.then(|| String::from_utf8_lossy(&isolated.patch).into_owned()),
        output: place.map(Path::to_owned),
    }));
    let aside = written.map_err(unwritten);
    if let Ok(Some(aside)) = &aside {
        warn_put_aside(place, aside);
    }
    if is_json || is_written {
        return aside.map(drop);
    }
    // At the end, where it is seen.
    let stdout = std::io::stdout();
    let is_coloured = stdout.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let patch = if is_coloured { &isolated.coloured } else { &isolated.patch };
    print(stdout, &[about.as_bytes(), patch].concat()).map_err(unwritten)?;
    aside.map(drop)
}

/// The error of a search without a result.
fn refused(refusal: Refusal, is_confined: bool) -> Failed {
    match refusal {
        Refusal::Same => failed!(NotFailing, "the two versions are equal"),
        Refusal::NotFailing(name, reason) => {
            let advice = if is_confined { advice(None) } else { String::new() };
            failed!(NotFailing, "the bad version {name} does not fail: {reason}{advice}")
        }
        Refusal::NotPassing(name, Outcome::Fail, reason) => {
            failed!(NotFailing, "the good version {name} fails as well: {reason}")
        }
        Refusal::NotPassing(name, _, reason) => {
            failed!(NotFailing, "it cannot be said whether the good version {name} passes: {reason}")
        }
        Refusal::Flaky(name, times, reason) => {
            failed!(Flaky, "{name} is flaky: {times} of {RUNS} runs agree: {reason}")
        }
        Refusal::History(HistoryError::Git(error @ GitError::Run(_))) => check(error),
        Refusal::History(error) => Failed::new(Exit::Input, error),
        Refusal::Stop(stop) => stop.into(),
    }
}
