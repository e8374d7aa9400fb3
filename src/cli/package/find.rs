//! Looks for what fails in a package: runs the commands of cargo until one of them fails.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, anyhow};

use super::args::{PackageArgs, Verb};
use super::failing::Failing;
use super::handed_on;
use super::observer::Shared;
use crate::check::limits::Limits;
use crate::cli::exit::{Exit, Failed};
use crate::cli::{sandbox, work};
use crate::oracle::shell;
use crate::package::build::{Built, Cargo};
use crate::package::lock_file::LockFile;

/// The commands of cargo that are tried where none is named.
const VERBS: [Verb; 3] = [Verb::Check, Verb::Build, Verb::Test];

/// What fails in a package.
pub(super) struct Found {
    pub(super) failing: Failing,
    /// What `Cargo.lock` held when it failed.
    pub(super) lock: String,
}

/// What it takes to look for it.
struct Look<'a> {
    args: &'a PackageArgs,
    cargo: &'a Cargo,
    lock: LockFile,
    limits: &'a Limits,
    observer: &'a Shared,
}

/// The first of the commands of cargo that fails, and what fails in it. Afterwards `Cargo.lock`, which is at `lock`, is as it was.
///
/// # Errors
/// When all of them pass, none can be run, or the run is to end.
pub(super) fn find(
    args: &PackageArgs,
    cargo: &Cargo,
    lock: PathBuf,
    limits: &Limits,
    observer: &Shared,
) -> Result<Found, Failed> {
    let mut look = Look { args, cargo, lock: LockFile::at(lock), limits, observer };
    let verbs = args.verb.map_or(VERBS.to_vec(), |verb| vec![verb]);
    for verb in &verbs {
        let built = look.build(*verb)?;
        if !built.output.status.success() {
            let failing = look.failing(*verb, &built)?;
            return Ok(Found { failing, lock: look.lock.text().unwrap_or_default() });
        }
    }
    let names: Vec<String> = verbs.iter().map(|verb| format!("`cargo {}`", verb.name())).collect();
    let error = anyhow!("there is no failure to keep: {} passed", names.join(", "));
    Err(Failed::new(Exit::NotFailing, error))
}

impl Look<'_> {
    /// Runs a command of cargo, which writes no `Cargo.lock`. Where that has to change, another command has done it before.
    fn build(&mut self, verb: Verb) -> Result<Built, Failed> {
        let has_lock = self.lock.text().is_some() || self.update_lock_file()?;
        let built = self.run(verb, has_lock)?;
        if self.args.cargo.locked() || !has_lock || !built.needs_lock_file() {
            return Ok(built);
        }
        let is_updated = self.update_lock_file()?;
        self.run(verb, is_updated)
    }

    fn update_lock_file(&mut self) -> Result<bool, Failed> {
        self.observer.note("`cargo update --workspace` runs; `Cargo.lock` will be as it was".to_owned());
        let done = self.lock.change(|| self.cargo.update_lock_file(&self.args.cargo.of_workspace()));
        self.limits.proceed().map_err(work::stopped)?;
        done.context("cannot run cargo").map_err(work::check)
    }

    fn run(&self, verb: Verb, is_locked: bool) -> Result<Built, Failed> {
        let words = self.words(verb);
        let shown = ["cargo", verb.name()].map(OsString::from);
        let shown = shell::line(shown.iter().chain(&words).map(OsString::as_os_str));
        self.observer.note(format!("`{shown}` runs"));
        let locked = (is_locked && !self.args.cargo.locked()).then(|| "--locked".into());
        let words: Vec<OsString> = locked.into_iter().chain(words).collect();
        let built = self.cargo.run(verb.name(), &words);
        // Where cargo was interrupted, too, it seems to have failed.
        self.limits.proceed().map_err(work::stopped)?;
        built.context("cannot run cargo").map_err(work::check)
    }

    /// The words for a command of cargo.
    fn words(&self, verb: Verb) -> Vec<OsString> {
        let mut words = self.args.cargo.words();
        if verb == Verb::Doc {
            words.push("--no-deps".into());
        }
        let handed_on = handed_on::words(self.args);
        if !handed_on.is_empty() && self.args.verb == Some(verb) {
            words.push("--".into());
            words.extend(handed_on);
        }
        words
    }

    /// What failed in a run of cargo that failed.
    fn failing(&self, verb: Verb, built: &Built) -> Result<Failing, Failed> {
        let printed = built.printed();
        let advice = self.cargo.writable.as_ref().and_then(|_| sandbox::advice_on_cargo(&printed));
        let name = self.args.name.as_deref();
        let found = Failing::of(built, verb, name, &handed_on::words(self.args), &self.cargo.target);
        if let (Some(_), Some(advice)) = (&found, &advice) {
            self.observer.warn(advice.clone());
        }
        found.ok_or_else(|| {
            let what = if verb == Verb::Test && built.failed_call().is_none() {
                "no test of it is known to fail"
            } else {
                "no call of the compiler fails"
            };
            let advice = advice.map(|advice| format!("\n{advice}")).unwrap_or_default();
            let error = anyhow!("`cargo {}` fails, and {what}; it printed:\n{printed}{advice}", verb.name());
            Failed::new(Exit::NotFailing, error)
        })
    }
}
