//! The result as a package with the dependencies that it needs, checked with cargo.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use toml::{Table, Value};

use super::build::Cargo;
use super::failing::{Failing, Sought};
use super::manifest::{self, Origins};
use super::source;
use super::stages::{FOLDER, Stages};
use mcve_reduce::check::limits::{Limits, Stop};
use mcve_reduce::event::Summary;
use mcve_reduce::program::{File, Files, write_files};

/// The name of a cargo script during checks.
pub(super) const SCRIPT: &str = "script.rs";

/// The time limit for removing features one by one, which needs rebuilds.
const LONGEST: Duration = Duration::from_secs(120);

/// A result that becomes a package.
pub(super) struct Packaging<'a> {
    pub(super) stages: &'a Stages<'a>,
    pub(super) cargo: &'a Cargo,
    /// The content of the workspace's lock file.
    pub(super) lock: &'a str,
    /// The result.
    pub(super) last: &'a Summary,
    /// The limits of the search.
    pub(super) budget: &'a Limits,
}

impl Packaging<'_> {
    /// The smallest package that still shows the failure: removes unneeded features. A package that the budget does not let cargo check
    /// is reported. Fails when it does not show the failure, or cannot be made.
    pub(super) fn package(&self) -> anyhow::Result<Files> {
        let Self { stages, last, lock, budget, .. } = *self;
        let failing = stages.failing;
        let name = failing.variable("CARGO_PKG_NAME");
        let own = source::with_own_sources(&last.program, &failing.calls);
        let programs = if own == last.program { vec![own] } else { vec![own, last.program.clone()] };
        let mut packages = Vec::new();
        let origins = Origins { calls: &failing.calls, lock, profiles: None };
        for profiles in std::iter::once(None).chain(self.profiles().map(Some)) {
            let origins = Origins { profiles, ..origins };
            let of = |program| manifest::package(program, &format!("{name}-mcve"), &failing.call, &origins);
            packages.extend(programs.iter().filter_map(of));
        }
        let Some(first) = packages.first().cloned() else {
            let unknown: Vec<String> = origins.unknown(&last.program).collect();
            return Err(anyhow!("`Cargo.lock` does not say where this comes from: {}", unknown.join(", ")));
        };
        stages.observer.note(format!("`cargo {}` runs on the result", failing.verb_of_result()));
        let (mut best, mut why) = (None, String::new());
        for files in packages {
            match self.shows(&files, None) {
                Ok(Some(other)) => why = other,
                Ok(None) => {
                    best = Some(files);
                    break;
                }
                Err(_) if self.is_late() => {
                    stages.observer.warn("not checked with cargo: the budget is spent".to_owned());
                    return Ok(first);
                }
                Err(error) => return Err(error),
            }
        }
        let mut best = best.with_context(|| format!("as a package it does not show the failure: {why}"))?;
        let (began, mut index) = (Instant::now(), 0);
        let is_open = || began.elapsed() < LONGEST && budget.proceed().is_ok();
        while let Some(fewer) = manifest::without_feature(&best, index).filter(|_| is_open()) {
            match self.shows(&fewer, None) {
                Ok(None) => best = fewer,
                Ok(Some(_)) => index += 1,
                // The best package so far is the result.
                Err(_) => break,
            }
        }
        Ok(best)
    }

    /// The package as a cargo script, if the user does not keep packages, the toolchain supports scripts, and it shows the failure in time.
    pub(super) fn script(&self, package: &Files) -> Option<String> {
        if self.stages.spec.keep_package || self.is_late() {
            return None;
        }
        let script = manifest::script(package)?;
        let files = Files::of_file(SCRIPT, File::from(&*script));
        let shows = self.shows(&files, Some(Path::new(SCRIPT)));
        matches!(shows, Ok(None)).then_some(script)
    }

    /// Whether the time for checks of the result is over, too.
    fn is_late(&self) -> bool {
        matches!(self.stages.session.limits.proceed(), Err(Stop::Budget))
    }

    /// The profiles that the workspace sets.
    fn profiles(&self) -> Option<Value> {
        let folder = Path::new(self.stages.failing.variable(FOLDER));
        let table = |folder: &Path| std::fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse::<Table>().ok();
        folder.ancestors().filter_map(table).find_map(|manifest| manifest.get("profile").cloned())
    }

    /// Why cargo, run on these files, of which one may be a script, does not show the failure that the result shows; none if it does.
    fn shows(&self, files: &Files, script: Option<&Path>) -> anyhow::Result<Option<String>> {
        let folder = self.cargo.temporary_folder().context("cannot make a temporary folder")?;
        // With the same versions of all dependencies they are built already.
        std::fs::write(folder.path().join("Cargo.lock"), self.lock)?;
        write_files(folder.path(), &files.list())?;
        let shown = self.shows_in(folder.path(), script);
        let removed = self.cargo.remove_outputs(folder.path());
        let shown = shown?;
        removed.context("cannot remove what was built of the result")?;
        Ok(shown)
    }

    /// Why cargo, run in this folder, does not show the failure that the result shows; none if it does.
    fn shows_in(&self, folder: &Path, script: Option<&Path>) -> anyhow::Result<Option<String>> {
        let Self { stages, cargo, last, .. } = *self;
        let failing = stages.failing;
        let mut words = [vec!["--offline".into()], stages.options_of_result(script)].concat();
        let arguments = failing.program_arguments();
        if !arguments.is_empty() {
            words.push("--".into());
            words.extend_from_slice(arguments);
        }
        let cargo = Cargo { folder: Some(folder.to_owned()), ..cargo.clone() };
        let built = cargo.run(failing.verb_of_result(), &words)?;
        let wanted =
            stages.spec.diagnostics_of_call().map(|wanted| wanted.anywhere()).filter(|_| failing.said.is_some());
        let sought = Sought { verb: failing.verb, wanted: wanted.as_ref(), name: None, args: arguments, folder };
        let verb = failing.verb_of_result();
        let Some(found) = Failing::of(&built, &sought) else {
            let printed = built.printed();
            let error = printed.lines().find(|line| line.starts_with("error")).unwrap_or("it passes");
            return Ok(Some(format!("of `cargo {verb}`: {error}")));
        };
        let is_same = stages.is_same(&found, last).map_err(|error| anyhow!("{error}"))?;
        Ok((!is_same).then(|| format!("`cargo {verb}` shows another one")))
    }
}
