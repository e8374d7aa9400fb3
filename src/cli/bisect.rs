//! `mcve bisect`: the first nightly, or release, with a failure.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::channels::{Answer, Asked, Origin, install, installed, uninstall};
use super::exit::{Exit, Failed, OrExit, failed};
use super::known::{Known, is_package};
use super::messages::say;
use super::oracle_args::OracleArgs;
use super::package_args::OLDER;
use super::result_args::BisectArgs;
use super::rustc_version::Version;
use super::{question, setup, toolchain};
use crate::report::terminal::Shown;
use mcve_dd::bisection::{bisect, passing_before};
use mcve_dd::outcome::Outcome;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::failure::problem::Problem;
use mcve_reduce::oracle::FailureId;
use mcve_reduce::output::real_path;
use mcve_reduce::program::Program;
use mcve_reduce::state::place::StateFolder;

/// The answers so far of one program and one failure.
#[derive(Default, Deserialize, Serialize)]
struct Kept {
    /// The program and the failure.
    of: String,
    /// By toolchain: the commit of its compiler, and the answer.
    answers: BTreeMap<String, (String, Answer)>,
    /// Toolchains that were installed for this search, and are still there.
    installed: BTreeSet<String>,
    /// What was found.
    origin: Option<Origin>,
}

/// A search.
struct Search<'a> {
    asked: Asked<'a>,
    kept: Kept,
    /// Where the answers are kept.
    place: Option<PathBuf>,
    keeps_toolchains: bool,
}

/// Which versions are tried, and whether their toolchains stay.
#[derive(Clone, Copy, Default)]
pub(super) struct Versions {
    start: Option<Version>,
    end: Option<Version>,
    keeps_toolchains: bool,
}

/// Finds the first version with the failure of a file or a package, and prints it.
/// Fails if it does not fail, no version without the failure is found, or the run is interrupted: the same command then goes on.
pub(super) fn run(args: BisectArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let BisectArgs { file, crate_name, start, end, keep_toolchains, oracle } = args;
    let known = Known::of(&file)?;
    let limits = setup::limits(oracle.failure.timeout, None)?;
    if let Some(name) = crate_name {
        return dependency(&known, &name, oracle, &limits, toolchain);
    }
    let (question, own) = known.question(oracle)?;
    let toolchain = toolchain.or(own);
    let Problem { program, oracle, .. } = question.find(&limits, toolchain.clone())??;
    let failure = oracle.failure();
    let asked = Asked { question: &question, limits: &limits, failure: &failure };
    let versions = Versions { start, end, keeps_toolchains: keep_toolchains };
    let origin = find(asked, &known.path, &program, toolchain.as_deref(), versions)?;
    Shown::plain(origin.lines().join("\n") + "\n").print().or_exit(Exit::Output)?;
    Ok(Exit::Done)
}

/// Finds the first version of a dependency with the failure of a package, and prints it.
fn dependency(
    known: &Known,
    name: &str,
    oracle: OracleArgs,
    limits: &Limits,
    toolchain: Option<String>,
) -> Result<Exit, Failed> {
    if !is_package(&known.path) {
        return Err(failed!(Usage, "--crate is for a package, and {} is none", known.named.display()));
    }
    let (mut args, own) = known.enter_package(oracle)?;
    let older = format!("{name}={OLDER}").parse().map_err(|why: String| failed!(Usage, "{why}"))?;
    args.failure.kinds.passes_with.push(older);
    args.run.output_args.quiet = false;
    let found = question::package(&args, limits, toolchain.or(own))??;
    Shown::plain(found.since.unwrap_or_default() + "\n").print().or_exit(Exit::Output)?;
    Ok(Exit::Done)
}

/// Finds where the failure of the file begins. Fails as [`run`].
pub(super) fn find(
    asked: Asked<'_>,
    file: &Path,
    program: &Program,
    toolchain: Option<&str>,
    Versions { start, end, keeps_toolchains }: Versions,
) -> Result<Origin, Failed> {
    let end = end.or_else(|| Version::of(&toolchain::version(toolchain)));
    let end = end.ok_or_else(|| failed!(Usage, "the version of the compiler is not known: give it by --end"))?;
    if start.is_some_and(|start| std::mem::discriminant(&start) != std::mem::discriminant(&end)) {
        return Err(failed!(Usage, "--start and --end are both days, or both releases"));
    }
    let of = of(program, asked.failure);
    // Toolchains that a killed run has left are removed, also by a search for another failure.
    let kept = match read(file) {
        kept if kept.of == of => kept,
        Kept { installed, .. } => Kept { of, installed, ..Kept::default() },
    };
    let mut search = Search { asked, kept, place: place(file), keeps_toolchains };
    let found = search.find(start, end);
    search.kept.origin = found.as_ref().ok().cloned();
    search.remove_installed();
    found
}

/// Where the failure of the file begins, if that was found before.
pub(super) fn found(file: &Path, program: &Program, failure: &FailureId) -> Option<Origin> {
    let kept = read(file);
    kept.origin.filter(|_| kept.of == of(program, failure))
}

/// What the answers are about.
fn of(program: &Program, failure: &FailureId) -> String {
    format!("{} {failure:?}", String::from(program.hash()))
}

/// What is kept of a file.
fn read(file: &Path) -> Kept {
    let read = || serde_json::from_slice(&std::fs::read(place(file)?).ok()?).ok();
    read().unwrap_or_default()
}

/// Where the answers about the file are kept.
fn place(file: &Path) -> Option<PathBuf> {
    Some(StateFolder::of_user().ok()?.file(&real_path(file).ok()?, "bisect"))
}

impl Search<'_> {
    /// Where the failure begins.
    fn find(&mut self, start: Option<Version>, end: Version) -> Result<Origin, Failed> {
        if self.ask(end)? != Outcome::Fail {
            return Err(failed!(NotFailing, "{} does not show the failure: {}", end.toolchain(), self.words(end)));
        }
        let passing = match start {
            Some(start) if self.ask(start)? == Outcome::Pass => start.index(),
            Some(start) => {
                return Err(failed!(
                    NothingPasses,
                    "{} is not without the failure: {}",
                    start.toolchain(),
                    self.words(start)
                ));
            }
            None => {
                let (index, first) = (end.index(), end.first());
                let found = passing_before(index, first, end.step(), |index| self.ask(end.at(index)))?;
                let first = end.at(first).toolchain();
                found.ok_or_else(|| {
                    failed!(NothingPasses, "no version without the failure was found, back to {first}")
                })?
            }
        };
        let boundary = bisect(passing, end.index(), |index| self.ask(end.at(index)))?;
        Ok(self.origin(end.at(boundary.passing), end.at(boundary.failing), &boundary.unresolved))
    }

    /// Whether a version shows the failure. One that does not accept the command does not show it.
    fn ask(&mut self, version: Version) -> Result<Outcome, Failed> {
        let name = version.toolchain();
        if !self.kept.answers.contains_key(&name) {
            let (commit, answer) = match self.provide(&name) {
                Ok(()) => {
                    let said = toolchain::version(Some(&name));
                    let commit = said.lines().find_map(|line| line.strip_prefix("commit-hash: "));
                    (commit.unwrap_or_default().to_owned(), self.asked.ask(&name)?)
                }
                Err(failed) => {
                    self.asked.limits.proceed()?;
                    (String::new(), Answer::Unknown(failed.error.to_string()))
                }
            };
            say(format_args!("{name}: {}", answer.words()));
            self.kept.answers.insert(name.clone(), (commit, answer));
            self.remove_installed();
        }
        Ok(match self.kept.answers[&name].1 {
            Answer::Same => Outcome::Fail,
            Answer::Other { .. } | Answer::Passes | Answer::Refuses(_) => Outcome::Pass,
            Answer::Unknown(_) => Outcome::Unresolved,
        })
    }

    /// Installs a toolchain if it is not there.
    fn provide(&mut self, name: &str) -> Result<(), Failed> {
        if installed()?.iter().any(|one| one.starts_with(name)) {
            return Ok(());
        }
        // It is removed by the next run, if this one is killed.
        self.kept.installed.insert(name.to_owned());
        self.write();
        install(name)
    }

    /// Removes what was installed for the search, unless the user keeps it, and keeps the answers.
    fn remove_installed(&mut self) {
        let installed = std::mem::take(&mut self.kept.installed);
        if !self.keeps_toolchains {
            installed.iter().for_each(|name| uninstall(name));
        }
        self.write();
    }

    /// Keeps the answers. What cannot be kept is asked again.
    fn write(&self) {
        if let Some(place) = &self.place {
            let _ = serde_json::to_vec(&self.kept).map(|json| std::fs::write(place, json));
        }
    }

    fn words(&self, version: Version) -> String {
        self.kept.answers.get(&version.toolchain()).map_or_else(String::new, |(_, answer)| answer.words())
    }

    /// The boundary between two versions.
    fn origin(&self, passing: Version, failing: Version, unresolved: &[usize]) -> Origin {
        let (before, first) = (passing.toolchain(), failing.toolchain());
        let kept = |name: &String| self.kept.answers.get(name).cloned();
        let commit = |name: &String| kept(name).map(|(commit, _)| commit).filter(|commit| !commit.is_empty());
        let commits = commit(&before).zip(commit(&first)).map(|(old, new)| [old, new]);
        let before_says = kept(&before).map_or(Answer::Passes, |(_, answer)| answer);
        let not_tried = unresolved.iter().map(|index| failing.at(*index).toolchain()).collect();
        Origin { first, before, before_says, commits, not_tried }
    }
}
