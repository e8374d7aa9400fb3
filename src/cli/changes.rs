//! `mcve changes`: from arguments to two versions and a judge, and from the change to a patch.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use super::begin::{Begin, report_resumed};
use super::changes_output::ChangesOutput;
use super::exit::{Exit, Failed, OrExit, failed};
use super::messages::cannot_print;
use super::observers::observer;
use super::oracle_args::OracleArgs;
use super::run_args::OutputArgs;
use super::sandbox::advice;
use super::setup::{exit, jobs, limits};
use super::values::{duration, number, one_of};
use mcve_changes::find::{Config, Isolated, Refusal, VersionOracle, Versions, changes};
use mcve_changes::history::{History, HistoryError};
use mcve_changes::isolation::Finest;
use mcve_changes::pair::Grain;
use mcve_dd::outcome::Outcome;
use mcve_reduce::check::rerun::RUNS;
use mcve_reduce::event::{Ending, Event, Observer};
use mcve_reduce::exec::git::{Git, GitError};
use mcve_reduce::exec::{programs, shim};
use mcve_reduce::failure::problem::admit;
use mcve_reduce::failure::request::Request;
use mcve_reduce::failure::spec::FailureSpec;
use mcve_reduce::failure::subject::Subject;
use mcve_reduce::oracle::cargo_test::{CargoTest, Named};
use mcve_reduce::oracle::run::Target;
use mcve_reduce::program::Program;
use mcve_reduce::program::{ContentHash, Files};
use mcve_reduce::project::folder::{read_file, read_folder};
use mcve_reduce::session::Session;
use mcve_reduce::state::journal::Journal;
use mcve_reduce::state::place::JOURNAL;

/// The variable that keeps cargo from the network.
const OFFLINE: &str = "CARGO_NET_OFFLINE";

/// How finely changes are split.
const GRAINS: &[(&str, Finest, &str)] = &[
    ("files", Finest::Files, "All changes of a file are one"),
    ("hunks", Finest::Hunks, "Runs of lines, renames and modes"),
    ("lines", Finest::Parts(Grain::Lines), "Single lines"),
    ("tokens", Finest::Parts(Grain::Tokens), "Words, white space and punctuation"),
    ("characters", Finest::Parts(Grain::Characters), "Single characters"),
];

/// The options of `mcve changes`.
#[derive(Args, Debug)]
#[command(
    override_usage = "mcve changes [OPTIONS] GOOD BAD [-- ARGS...]\n       mcve changes [OPTIONS] --git GOOD..BAD [-- ARGS...]"
)]
pub(super) struct ChangesArgs {
    /// The file or folder that passes.
    #[arg(required_unless_present = "git", conflicts_with = "git")]
    pub(super) good: Option<PathBuf>,

    /// The file or folder that fails.
    #[arg(required_unless_present = "git")]
    pub(super) bad: Option<PathBuf>,

    /// Searches the history of the repository that this folder is in, from a commit that passes to one that fails. Nothing
    /// in the repository changes.
    #[arg(long, value_name = "GOOD..BAD")]
    pub(super) git: Option<String>,

    /// Follows only the first parents of merges: what was merged counts as one change.
    #[arg(long, requires = "git")]
    pub(super) first_parent: bool,

    /// Where the patch goes; by default, or with `-`, standard output. A folder, which exists or ends with a slash, gets the
    /// patch and the two versions that it is between.
    #[arg(short, long, value_name = "FILE|DIR")]
    pub(super) output: Option<PathBuf>,

    /// Splits changes no further than this. By default, hunks of Rust are split into nodes of its syntax, and others into
    /// lines.
    #[arg(long, value_name = "GRAIN", alias = "stop-at", value_parser = one_of(GRAINS))]
    pub(super) grain: Option<Finest>,

    /// How many checks run at once.
    #[arg(short, long, value_name = "N", value_parser = number, default_value = "1")]
    pub(super) jobs: NonZeroUsize,

    /// Ends after this time, such as `5m`, with the smallest change so far.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(super) budget: Option<Duration>,

    #[command(flatten)]
    pub(super) oracle: OracleArgs,

    #[command(flatten)]
    pub(super) output_args: OutputArgs,
}

/// Finds the change.
pub(super) fn run(args: &ChangesArgs, toolchain: Option<String>, begin: Begin<'_>) -> Result<Exit, Failed> {
    let output = ChangesOutput::new(args.output.as_deref(), &args.output_args)?;
    let failure = &args.oracle.failure;
    let limits = limits(failure.timeout, args.budget)?;
    let mut observer = observer(&args.output_args, limits.deadline)?;
    let (versions, text) = versions(args, &mut *observer)?;
    let journal = match (begin, output.place()) {
        (Begin::Resumed(_, question, _), _) if hash(&versions) != question.input => {
            return Err(failed!(Input, "a version has changed since the run was begun: begin anew with: {question}"));
        }
        (Begin::Resumed(journal, question, _), _) => {
            report_resumed(&question, &journal, &mut *observer);
            journal
        }
        // It goes on by `mcve resume` only.
        (Begin::Anew(words), Some(place)) => {
            Journal::begin_if_writable(&place, JOURNAL, words, hash(&versions), &|_| false).or_exit(Exit::Output)?
        }
        (Begin::Anew(_), None) => Journal::nowhere(None),
    };
    let spec = args.oracle.spec()?;
    let mut session = failure.sandbox.session(toolchain, limits, failure.memory)?;
    session.journal = journal.clone();
    admit(&session, true)?;
    session.lacking(true).into_iter().for_each(|message| observer.event(&Event::Note { message }));
    let subject = text.clone().unwrap_or_else(|| Program::new("", ""));
    let judge = judge(args, &spec, &session, &subject)?;
    let name = |path: &PathBuf| path.file_name().map(PathBuf::from);
    let names = args.good.as_ref().and_then(name).zip(args.bad.as_ref().and_then(name));
    let names = names.filter(|_| text.is_some()).map(|(good, bad)| [good, bad]);
    session.jobs = jobs(Some(args.jobs), &mut *observer);
    let finest = args.grain.unwrap_or(Finest::Parts(Grain::Fine));
    let found = changes(Config { versions, judge, subject, names, finest }, &session, &mut *observer);
    let is_over =
        !matches!(&found, Ok(Isolated { ending: Ending::Budget | Ending::Interrupted, .. }) | Err(Refusal::Stop(_)));
    journal.end(is_over);
    let isolated = found.map_err(|refusal| refused(refusal, session.held().is_some()))?;
    output.report(&args.output_args, args.bad.as_deref(), &isolated, &mut *observer)?;
    observer.close().map_err(cannot_print)?;
    Ok(exit(isolated.ending))
}

/// What tells the versions of a search from those of others.
fn hash(versions: &Versions) -> ContentHash {
    let ends = match versions {
        Versions::Two(ends) => ends.each_ref().map(|(_, files)| Program::of_files("", files).hash()).map(String::from),
        Versions::History(history) => [history.good.clone(), history.bad.clone()],
    };
    ContentHash::of(ends.join(" ").as_bytes())
}

/// The versions, and the bad one as a program where it is a file.
fn versions(args: &ChangesArgs, observer: &mut dyn Observer) -> Result<(Versions, Option<Program>), Failed> {
    if let Some(range) = &args.git {
        let git = Git::at(Path::new(".")).map_err(HistoryError::from);
        let history = git.and_then(|git| History::new(git, range, args.first_parent));
        let history = history.map_err(|error| refused(Refusal::History(error), false))?;
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
    let (is_folder, other) = (is_folder(good)?, is_folder(bad)?);
    if is_folder != other {
        return Err(failed!(Input, "{} and {}: one is a file and one a folder", good.display(), bad.display()));
    }
    // A check has the one name, by which the failure may go.
    let name = bad.file_name().unwrap_or_default();
    let read = |path: &PathBuf| {
        let real = || std::fs::canonicalize(path).and_then(|path| read_file(&path));
        let file = || Ok(real()?.map(|file| Files::of_file(name, file)));
        let files = if is_folder { read_folder(path).map(Some) } else { file() };
        let files = files.with_context(|| format!("cannot read {}", path.display())).or_exit(Exit::Input)?;
        let files = files.ok_or_else(|| failed!(Input, "{} is neither a file nor a folder", path.display()))?;
        Ok::<_, Failed>((path.display().to_string(), files))
    };
    let ends = [read(good)?, read(bad)?];
    let program = match ends[1].1.files.values().next().filter(|_| !is_folder) {
        None => None,
        Some(file) => match String::from_utf8(file.bytes.to_vec()) {
            Ok(text) => Some(Program::new(name, text)),
            Err(_) if args.oracle.is_judged() => Some(Program::new(name, "")),
            Err(_) => {
                let bad = bad.display();
                return Err(failed!(Input, "{bad} is not UTF-8 text: say what the failure is by --test"));
            }
        },
    };
    Ok((Versions::Two(ends), program))
}

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
        return Ok(VersionOracle::Fixed(oracle.with_time_to_pass()));
    }
    let is_test = matches!(spec.run_target(), Some(Target::Test(_)));
    if spec.run_target().is_some() && !is_test || !spec.diagnostics.is_empty() || !spec.has_no_kinds() {
        return Err(failed!(
            Usage,
            "folders are judged by `cargo test`: name the test by --test-name, or say by --test or by a command when they fail"
        ));
    }
    let cargo = programs::find("cargo".as_ref()).or_exit(Exit::Check)?.into();
    let mut env = shim::toolchain(session.toolchain.as_deref());
    if std::env::var_os(OFFLINE).is_none() {
        // What there is to download may change from one check to the next.
        env.push((OFFLINE.into(), Some(OsString::from("true"))));
    }
    let (named, (ignored, wanted)) = (args.oracle.test_name.as_deref().map(Named::new), Default::default());
    let args = args.oracle.args.clone();
    Ok(VersionOracle::CargoTest(Box::new(CargoTest { cargo, args, env, named, ignored, wanted })))
}

/// How to let cargo have what it lacks, if that is the reason.
fn offline(reason: &str) -> String {
    let lacks =
        ["no matching package named", "offline", "failed to download", "failed to get", "failed to load source"];
    if std::env::var_os(OFFLINE).is_none() && lacks.iter().any(|words| reason.contains(words)) {
        format!("\nmcve keeps cargo from the network: run `cargo fetch` in this version first, or set {OFFLINE}=false")
    } else {
        String::new()
    }
}

/// The error of a search without a result.
fn refused(refusal: Refusal, is_confined: bool) -> Failed {
    match refusal {
        Refusal::Same => failed!(NotFailing, "the two versions are equal"),
        Refusal::NotFailing(name, reason) => {
            let advice = if is_confined { advice(None) } else { String::new() };
            failed!(NotFailing, "the bad version {name} does not fail: {reason}{}{advice}", offline(&reason))
        }
        Refusal::Swapped(good, bad, reason) => {
            let code = reason.strip_prefix("exit code ").and_then(|rest| rest.split(',').next());
            let hint = code.map_or(String::new(), |code| {
                format!("; if the script exits with 0 for a good version, as for `git bisect run`, give --bad {code}")
            });
            failed!(NotFailing, "the good version {good} fails, and the bad version {bad} does not: {reason}{hint}")
        }
        Refusal::NotPassing(name, Outcome::Fail, reason) => {
            failed!(NotFailing, "the good version {name} fails as well: {reason}")
        }
        Refusal::NotPassing(name, _, reason) => {
            failed!(
                NotFailing,
                "it cannot be said whether the good version {name} passes: {reason}{}",
                offline(&reason)
            )
        }
        Refusal::Flaky(name, times, reason) => {
            failed!(Flaky, "{name} is flaky: {times} of {RUNS} runs agree: {reason}")
        }
        Refusal::History(HistoryError::Git(error @ GitError::Run(_))) => Failed::new(Exit::Check, error),
        Refusal::History(error) => Failed::new(Exit::Input, error),
        Refusal::Stop(stop) => stop.into(),
    }
}
