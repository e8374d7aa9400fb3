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
    /// Whether it was tried to download what it needs.
    has_fetched: bool,
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
    let mut look = Look {
        args,
        cargo,
        wanted: asked::of_call(args),
        manifest: lock.with_file_name("Cargo.toml"),
        lock: LockFile::at(lock),
        has_fetched: false,
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
    /// Runs a command of cargo, which writes no `Cargo.lock`. Where that has to change, another command has done it before.
    fn build(&mut self, verb: Verb) -> Result<Built, Failed> {
        let has_lock = self.lock.text().is_some();
        let has_lock = if has_lock { self.fetch()? } else { self.update_lock_file()? } || has_lock;
        let built = self.run(verb, has_lock)?;
        if self.args.cargo.locked() || !has_lock || !built.needs_lock_file() {
            return Ok(built);
        }
        let is_updated = self.update_lock_file()?;
        self.run(verb, is_updated)
    }

    /// Downloads what `Cargo.lock` lists, once.
    fn fetch(&mut self) -> Result<bool, Failed> {
        if self.has_fetched {
            return Ok(true);
        }
        let locked = (!self.args.cargo.locked()).then(|| "--locked".into());
        let options: Vec<OsString> = self.args.cargo.of_lock_file().into_iter().chain(locked).collect();
        let done = self.cargo.fetch(&self.manifest, &options);
        self.fetched(done)
    }

    fn update_lock_file(&mut self) -> Result<bool, Failed> {
        self.observer.note("`cargo fetch` runs; `Cargo.lock` will be as it was".to_owned());
        let locked = (self.lock.is_link() && !self.args.cargo.locked()).then(|| "--locked".into());
        if locked.is_some() {
            self.observer
                .warn("`Cargo.lock` is a link, which mcve does not follow: it is not brought up to date".to_owned());
        }
        let options: Vec<OsString> = self.args.cargo.of_lock_file().into_iter().chain(locked).collect();
        let done = self.lock.change(|| self.cargo.fetch(&self.manifest, &options));
        self.fetched(done)
    }

    fn fetched(&mut self, done: std::io::Result<bool>) -> Result<bool, Failed> {
        if !self.has_fetched {
            let lacking = self.cargo.sandbox.as_deref().map(sandbox::admit_tools).transpose()?.flatten();
            lacking.into_iter().for_each(|message| self.observer.warn(message));
        }
        self.has_fetched = true;
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
