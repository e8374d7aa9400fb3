//! Finds the failure of a package: runs the commands of cargo until one of them fails.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, anyhow};

use super::build::{Built, Cargo, TELLING};
use super::error::{PackageError, denied_by_sandbox};
use super::failing::{Failing, Sought, What};
use super::libraries::OtherBuild;
use super::lock_file::{LockFile, NOTE};
use super::observer::Shared;
use super::remarks;
use super::spec::{PackageSpec, Verb};
use mcve_reduce::check::limits::Limits;
use mcve_reduce::exec::confinement::denied;
use mcve_reduce::exec::job::{End, JobResult};
use mcve_reduce::failure::compiler::said_instead;
use mcve_reduce::oracle::shell;
use mcve_reduce::oracle::wanted::Wanted;
use mcve_reduce::session::lacking;

/// The number of tests that a message shows.
const MOST_SHOWN: usize = 20;

/// The failure of a package.
pub(super) struct Found {
    pub(super) failing: Failing,
    /// The content of `Cargo.lock` at the failure.
    pub(super) lock: String,
    /// The versions of dependencies with which the package passes, and those since which it fails, if the user named some.
    pub(super) since: Option<String>,
    /// The libraries that other toolchains have made.
    pub(super) others: Vec<OtherBuild>,
}

/// The state of the search for the failure.
pub(super) struct Look<'a> {
    spec: &'a PackageSpec,
    cargo: &'a Cargo,
    /// The diagnostic that a call of the compiler has to print, if one is asked for.
    wanted: Option<&'a Wanted>,
    pub(super) lock: LockFile,
    /// The manifest of the workspace.
    pub(super) manifest: PathBuf,
    /// What the compiler said in the last run of cargo that did not show the wanted diagnostic.
    said: Vec<u8>,
    limits: &'a Limits,
    observer: &'a Shared,
}

impl<'a> Look<'a> {
    /// The search in the workspace whose lock file is at `lock`. Dropping it restores that. Fails when no process can be started.
    pub(super) fn new(
        spec: &'a PackageSpec,
        cargo: &'a Cargo,
        lock: PathBuf,
        limits: &'a Limits,
        observer: &'a Shared,
    ) -> Result<Self, PackageError> {
        if let Some(sandbox) = &cargo.sandbox {
            let held = sandbox.held().context("cannot start a process").map_err(PackageError::Unavailable)?;
            lacking(held, "cargo and what it runs", true).into_iter().for_each(|message| observer.warn(message));
        }
        let (wanted, manifest) = (spec.diagnostics_of_call(), lock.with_file_name("Cargo.toml"));
        let (lock, said) = (LockFile::at(lock, &cargo.target.join(NOTE)), Vec::new());
        Ok(Self { spec, cargo, wanted, manifest, said, lock, limits, observer })
    }

    /// Whether the network may not be used.
    pub(super) fn is_offline(&self) -> bool {
        self.spec.cargo.has("--offline")
    }

    /// Runs the commands until one fails or shows the wanted diagnostic.
    /// Fails when all commands pass, none can be run, or the run has to stop.
    pub(super) fn first(&mut self) -> Result<Found, PackageError> {
        let verbs = self.spec.verbs();
        for verb in &verbs {
            if let Some(failing) = self.try_verb(*verb)? {
                if self.spec.failure.strictness.is_some() && !matches!(failing.what, What::Compilation(_)) {
                    return Err(PackageError::PartsOfRun(failing.to_string()));
                }
                return Ok(Found {
                    failing,
                    lock: self.lock.text().unwrap_or_default(),
                    since: None,
                    others: Vec::new(),
                });
            }
        }
        if let (Some(name), [verb]) = (&self.spec.name, &verbs[..])
            && let Some(tests) = self.tests_but(*verb, name)?
        {
            return Err(PackageError::NotFailing(tests));
        }
        let names: Vec<String> = verbs.iter().map(|verb| format!("`cargo {}`", verb.name())).collect();
        let names = names.join(", ");
        let Some(wanted) = self.wanted else {
            return Err(PackageError::NotFailing(format!("there is no failure to keep: {names} passed")));
        };
        let sought = match &wanted.at {
            None => format!("what was asked for: {wanted}"),
            Some(at) if wanted.anywhere().is_empty() => format!("anything about {at}"),
            Some(at) => format!("what was asked for: {wanted} about {at}"),
        };
        let said = JobResult { stderr: std::mem::take(&mut self.said), ..JobResult::ended(End::Exited(1)) };
        Err(PackageError::NotFailing(format!("{names} does not show {sought}{}", said_instead(&said))))
    }

    /// Runs a command and returns the failure or the wanted diagnostic; none if there is none.
    /// Fails when it cannot be run, fails for an unknown reason, or the run has to stop.
    pub(super) fn try_verb(&mut self, verb: Verb) -> Result<Option<Failing>, PackageError> {
        let built = self.build(verb)?;
        let failing = self.failing(verb, &built)?;
        if failing.is_none() && self.wanted.is_some() {
            self.said = built.calls_of_run().flat_map(|call| call.said.bytes()).collect();
        }
        Ok(failing)
    }

    /// A message with the tests that there are, if none has `name` in its own.
    fn tests_but(&self, verb: Verb, name: &str) -> Result<Option<String>, PackageError> {
        let mut words = self.spec.cargo.0.clone();
        words.extend(["--", "--list"].map(OsString::from));
        let printed = self.run_with(verb, self.lock.text().is_some(), words)?.printed();
        let end = if verb == Verb::Bench { ": benchmark" } else { ": test" };
        let tests: Vec<&str> = printed.lines().filter_map(|line| line.strip_suffix(end)).collect();
        if tests.iter().any(|test| test.contains(name)) {
            return Ok(None);
        }
        let shown = tests.iter().take(MOST_SHOWN).copied().collect::<Vec<_>>().join(", ");
        let more = tests.len().saturating_sub(MOST_SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let there = if tests.is_empty() { "there are none".to_owned() } else { format!("there are {shown}{more}") };
        Ok(Some(format!("no name of a test has `{name}` in it: {there}")))
    }

    /// Runs a command of cargo without writing `Cargo.lock` or downloading. If one of these is needed, `cargo fetch`
    /// does it, and the command runs again.
    pub(super) fn build(&mut self, verb: Verb) -> Result<Built, PackageError> {
        let is_locked = self.lock.text().is_some() || self.fetch(true)?;
        let built = self.run(verb, is_locked)?;
        let is_outdated = is_locked && built.needs_lock_file() && !self.spec.cargo.has("--locked");
        if !is_outdated && !built.needs_download() {
            return Ok(built);
        }
        let is_done = self.fetch(is_outdated)?;
        if is_done || is_outdated { self.run(verb, is_done) } else { Ok(built) }
    }

    /// Downloads dependencies, and optionally updates `Cargo.lock`. Returns whether that succeeded.
    fn fetch(&mut self, updates_lock_file: bool) -> Result<bool, PackageError> {
        let end = if updates_lock_file { "; `Cargo.lock` will be as it was" } else { "" };
        self.observer.note(format!("`cargo fetch` runs{end}"));
        if updates_lock_file && self.lock.is_link() {
            let message = "`Cargo.lock` is a link, which mcve does not follow: it is not updated";
            self.observer.warn(message.to_owned());
        }
        let is_locked = !updates_lock_file || self.lock.is_link();
        let locked = (is_locked && !self.spec.cargo.has("--locked")).then(|| "--locked".into());
        let options: Vec<OsString> = self.spec.cargo.of(&["--locked", "--offline"]).into_iter().chain(locked).collect();
        let done = self.lock.change(|| self.cargo.fetch(&self.manifest, &options));
        self.limits.proceed()?;
        self.cargo.sandbox.iter().for_each(|sandbox| sandbox.renew());
        done.context("cannot run cargo").map_err(PackageError::Unavailable)
    }

    fn run(&self, verb: Verb, is_locked: bool) -> Result<Built, PackageError> {
        self.run_with(verb, is_locked, self.words(verb))
    }

    fn run_with(&self, verb: Verb, is_locked: bool, words: Vec<OsString>) -> Result<Built, PackageError> {
        let shown = ["cargo", verb.name()].map(OsString::from);
        let shown = shell::line(shown.iter().chain(&words).map(OsString::as_os_str));
        self.observer.note(format!("`{shown}` runs"));
        self.observer.pass("cargo", "running cargo");
        let locked = (is_locked && !self.spec.cargo.has("--locked")).then(|| "--locked".into());
        let offline = (!words.contains(&"--offline".into())).then(|| "--offline".into());
        let words: Vec<OsString> = locked.into_iter().chain(offline).chain(words).collect();
        let built = self.cargo.run(verb.name(), &words);
        // An interrupted cargo would look like a failure.
        self.limits.proceed()?;
        built.context("cannot run cargo").map_err(PackageError::Unavailable)
    }

    /// The arguments for a command of cargo.
    fn words(&self, verb: Verb) -> Vec<OsString> {
        let mut words = self.spec.cargo.0.clone();
        if verb == Verb::Doc {
            words.push("--no-deps".into());
        }
        if self.wanted.is_some() {
            // The failure may be in any crate; tests only need to be compiled.
            let options = if verb.has_names() { &["--no-run", "--no-fail-fast"][..] } else { &["--keep-going"] };
            words.extend(options.iter().chain(&[TELLING]).map(OsString::from));
        }
        let forwarded = self.spec.forwarded();
        if !forwarded.is_empty() && self.spec.verb == Some(verb) {
            words.push("--".into());
            words.extend(forwarded);
        }
        words
    }

    /// The failure or the wanted diagnostic in a run of cargo; none if there is none.
    fn failing(&self, verb: Verb, built: &Built) -> Result<Option<Failing>, PackageError> {
        let is_success = built.output.status.success();
        if is_success && self.wanted.is_none() && !self.spec.failure.is_of_run() {
            return Ok(None);
        }
        let printed = built.printed();
        let denied = self.cargo.sandbox.as_ref().and_then(|_| denied(&printed)).map(|line| line.trim().to_owned());
        let args = self.spec.forwarded();
        let (wanted, name) = (self.wanted, self.spec.name.as_deref());
        let found = Failing::of(built, &Sought { verb, wanted, name, args: &args, folder: &self.cargo.target });
        // Outside of the sandbox this build script may well end.
        let is_denied = |found: &Failing| denied.is_some() && found.is_of_build_script();
        let found = found.filter(|found| !is_denied(found));
        if let (Some(_), Some(line)) = (&found, &denied) {
            self.observer.warn(denied_by_sandbox(line));
        }
        let call = found.as_ref().map(|found| &found.call).filter(|call| !call.is_success());
        if let Some(why) = call.and_then(|call| remarks::hindrance(call, verb)) {
            return Err(PackageError::Unavailable(anyhow!(why)));
        }
        call.and_then(remarks::missing_crate).into_iter().for_each(|remark| self.observer.note(remark));
        if found.is_none() && wanted.is_some() && (is_success || built.failed_call().is_some()) {
            return Ok(None);
        }
        found.map(Some).ok_or_else(|| {
            let what = if verb.has_names() && built.failed_call().is_none() {
                "no test of it is known to fail"
            } else {
                "no call of the compiler fails"
            };
            PackageError::Unknown { verb: verb.name(), what, printed, denied }
        })
    }
}
