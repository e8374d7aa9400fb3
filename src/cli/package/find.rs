//! Looks for what fails in a package: runs the commands of cargo until one of them fails.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, anyhow};

use super::args::{PackageArgs, Verb};
use super::failing::{Failing, Sought, What};
use super::observer::Shared;
use super::{asked, handed_on};
use crate::check::limits::Limits;
use crate::cli::exit::{Exit, Failed};
use crate::cli::{sandbox, work};
use crate::oracle::shell;
use crate::oracle::wanted::Wanted;
use crate::package::build::{Built, Cargo, TELLING};
use crate::package::lock_file::LockFile;

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
    /// What a call of the compiler has to say, where that is said.
    wanted: Option<Wanted>,
    lock: LockFile,
    /// The manifest of the workspace.
    manifest: PathBuf,
    limits: &'a Limits,
    observer: &'a Shared,
}

/// The first of the commands of cargo that fails, or that shows what is asked for, and what fails in it. Afterwards `Cargo.lock`, which is at `lock`, is as it was.
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
    let lacking = cargo.sandbox.as_deref().map(sandbox::admit_tools).transpose()?.flatten();
    lacking.into_iter().for_each(|message| observer.warn(message));
    let mut look = Look {
        args,
        cargo,
        wanted: asked::of_call(args),
        manifest: lock.with_file_name("Cargo.toml"),
        lock: LockFile::at(lock),
        limits,
        observer,
    };
    let verbs = asked::verbs(args);
    for verb in &verbs {
        let built = look.build(*verb)?;
        if let Some(failing) = look.failing(*verb, &built)? {
            if args.failure.strictness.is_some() && !matches!(failing.what, What::Compilation(_)) {
                let error = anyhow!("--match is about what the compiler says, and {failing}");
                return Err(Failed::new(Exit::Usage, error));
            }
            return Ok(Found { failing, lock: look.lock.text().unwrap_or_default() });
        }
    }
    let names: Vec<String> = verbs.iter().map(|verb| format!("`cargo {}`", verb.name())).collect();
    let (names, wanted) = (names.join(", "), look.wanted);
    let error = match wanted.as_ref().map(|wanted| (wanted, wanted.at.as_ref())) {
        None => anyhow!("there is no failure to keep: {names} passed"),
        Some((wanted, None)) => anyhow!("{names} does not show what was asked for: {wanted}"),
        Some((wanted, Some(at))) if wanted.anywhere().is_empty() => {
            anyhow!("{names} does not show anything about {at}")
        }
        Some((wanted, Some(at))) => anyhow!("{names} does not show what was asked for: {wanted} about {at}"),
    };
    Err(Failed::new(Exit::NotFailing, error))
}

impl Look<'_> {
    /// Runs a command of cargo, which writes no `Cargo.lock` and downloads nothing. Where that is needed, `cargo fetch` does it, and the
    /// command is run again.
    fn build(&mut self, verb: Verb) -> Result<Built, Failed> {
        let is_locked = self.lock.text().is_some() || self.fetch(true)?;
        let built = self.run(verb, is_locked)?;
        let is_outdated = is_locked && built.needs_lock_file() && !self.args.cargo.locked();
        if !is_outdated && !built.needs_download() {
            return Ok(built);
        }
        let is_done = self.fetch(is_outdated)?;
        if is_done || is_outdated { self.run(verb, is_done) } else { Ok(built) }
    }

    /// Downloads what is needed, and brings `Cargo.lock` up to date or leaves it. Says whether that went well.
    fn fetch(&mut self, updates_lock_file: bool) -> Result<bool, Failed> {
        let end = if updates_lock_file { "; `Cargo.lock` will be as it was" } else { "" };
        self.observer.note(format!("`cargo fetch` runs{end}"));
        if updates_lock_file && self.lock.is_link() {
            let message = "`Cargo.lock` is a link, which mcve does not follow: it is not updated";
            self.observer.warn(message.to_owned());
        }
        let is_locked = !updates_lock_file || self.lock.is_link();
        let locked = (is_locked && !self.args.cargo.locked()).then(|| "--locked".into());
        let options: Vec<OsString> = self.args.cargo.of_lock_file().into_iter().chain(locked).collect();
        let done = self.lock.change(|| self.cargo.fetch(&self.manifest, &options));
        self.limits.proceed().map_err(work::stopped)?;
        self.cargo.sandbox.iter().for_each(|sandbox| sandbox.renew());
        done.context("cannot run cargo").map_err(work::check)
    }

    fn run(&self, verb: Verb, is_locked: bool) -> Result<Built, Failed> {
        let words = self.words(verb);
        let shown = ["cargo", verb.name()].map(OsString::from);
        let shown = shell::line(shown.iter().chain(&words).map(OsString::as_os_str));
        self.observer.note(format!("`{shown}` runs"));
        let locked = (is_locked && !self.args.cargo.locked()).then(|| "--locked".into());
        let offline = (!words.contains(&"--offline".into())).then(|| "--offline".into());
        let words: Vec<OsString> = locked.into_iter().chain(offline).chain(words).collect();
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
        if self.wanted.is_some() {
            // All crates are of interest, and tests only as far as they are compiled.
            let options = if verb == Verb::Test { &["--no-run", "--no-fail-fast"][..] } else { &["--keep-going"] };
            words.extend(options.iter().chain(&[TELLING]).map(OsString::from));
        }
        let handed_on = handed_on::words(self.args);
        if !handed_on.is_empty() && self.args.verb == Some(verb) {
            words.push("--".into());
            words.extend(handed_on);
        }
        words
    }

    /// What failed in a run of cargo, or shows what is asked for; none where nothing does.
    fn failing(&self, verb: Verb, built: &Built) -> Result<Option<Failing>, Failed> {
        let is_success = built.output.status.success();
        if is_success && self.wanted.is_none() && !asked::is_of_run(self.args) {
            return Ok(None);
        }
        let printed = built.printed();
        let advice = self.cargo.sandbox.as_ref().and_then(|_| sandbox::advice_on_cargo(&printed));
        let args = handed_on::words(self.args);
        let (wanted, name) = (self.wanted.as_ref(), self.args.name.as_deref());
        let found = Failing::of(built, &Sought { verb, wanted, name, args: &args, folder: &self.cargo.target });
        if let (Some(_), Some(advice)) = (&found, &advice) {
            self.observer.warn(advice.clone());
        }
        if found.is_none() && wanted.is_some() && (is_success || built.failed_call().is_some()) {
            return Ok(None);
        }
        found.map(Some).ok_or_else(|| {
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
