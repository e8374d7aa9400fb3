//! `mcve fingerprint`: which failures files show, and whether these are known.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::args::PairArgs;
use super::argv::usual_question;
use super::exit::{Exit, Failed, OrExit};
use super::messages::say;
use super::oracle_args::OracleArgs;
use super::result_args::FingerprintArgs;
use super::run_args::{OutputArgs, SearchArgs};
use super::toolchain::{repository, version};
use super::{input, setup};
use crate::report::known::{kinship, search_link};
use crate::report::terminal::Shown;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::oracle::FailureId;
use mcve_reduce::program::ContentHash;
use mcve_reduce::state::place::StateFolder;

/// Prints the failure of each file, and how it is known. Fails if a folder cannot be read, or the run is interrupted.
pub(super) fn fingerprint(args: FingerprintArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let FingerprintArgs { files, known, oracle } = args;
    let limits = setup::limits(oracle.failure.timeout, None)?;
    let tool = oracle.spec()?.tool;
    let (files, known) = (all(&files)?, all(&known)?);
    let mut finder = Finder::begin(oracle, toolchain, limits.clone());
    let (mut found, mut shows_failure) = (Vec::new(), false);
    // One file of many that cannot be checked does not end the run.
    let skip = |failed: Failed| {
        say(format_args!("error: {:#}", failed.error));
        limits.proceed()
    };
    for path in known {
        match finder.failure(&path) {
            Ok(failure) => found.extend(failure.map(|failure| (path, failure))),
            Err(failed) => skip(failed)?,
        }
    }
    for path in files {
        let mut words = path.display().to_string();
        let own = match finder.failure(&path) {
            Ok(Some(own)) => own,
            Ok(None) => {
                Shown::plain(format_args!("{words}: no failure\n")).print().or_exit(Exit::Output)?;
                continue;
            }
            Err(failed) => {
                skip(failed)?;
                continue;
            }
        };
        shows_failure = true;
        // Writing to a string never fails.
        let _ = write!(words, ": {}\n  {}\n", own.fingerprint.as_deref().unwrap_or("no fingerprint"), own.words);
        let alike = alike(&own, &found);
        alike.iter().for_each(|line| words += &format!("  {line}\n"));
        if alike.is_empty() {
            let _ = writeln!(
                words,
                "  {}search: {}",
                if found.is_empty() { "" } else { "new; " },
                search_link(&own, repository(tool))
            );
        }
        Shown::plain(words).print().or_exit(Exit::Output)?;
    }
    Ok(if shows_failure { Exit::Done } else { Exit::NotFailing })
}

/// How the failures of files are like `own`, a line each; the most alike first.
fn alike(own: &FailureId, found: &[(PathBuf, FailureId)]) -> Vec<String> {
    let mut alike: Vec<_> = found.iter().filter_map(|(path, other)| Some((kinship(own, other)?, path))).collect();
    alike.sort();
    alike.iter().map(|(kinship, path)| format!("{}: {}", kinship.words(), short(path))).collect()
}

/// A path without the folders of this machine: the name of the file, and of the folder in which it is.
fn short(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}

/// How the failures of the files at these paths, as a compiler shows them, are like `own`; and how many these are.
/// Fails if a folder cannot be read, or the run is interrupted.
pub(super) fn known(
    own: &FailureId,
    paths: &[PathBuf],
    toolchain: Option<&str>,
    limits: &Limits,
) -> Result<(Vec<String>, usize), Failed> {
    let mut finder = Finder::begin(usual_question(), toolchain.map(str::to_owned), limits.clone());
    let mut found = Vec::new();
    for path in all(paths)? {
        let failure = finder.failure(&path);
        limits.proceed()?;
        // A file that cannot be checked is not known to be like it.
        found.extend(failure.ok().flatten().map(|failure| (path, failure)));
    }
    Ok((alike(own, &found), found.len()))
}

/// The Rust files that these paths name, in order.
fn all(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failed> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries =
            path.read_dir().with_context(|| format!("cannot read {}", path.display())).or_exit(Exit::Input)?;
        let entries = entries.flatten().map(|entry| entry.path());
        let start = files.len();
        files.extend(entries.filter(|path| path.extension().is_some_and(|end| end == "rs")));
        files[start..].sort();
    }
    Ok(files)
}

/// Finds failures, and keeps them from one call to the next.
struct Finder {
    args: PairArgs,
    toolchain: Option<String>,
    limits: Limits,
    /// Where they are kept, if they can be.
    place: Option<PathBuf>,
    /// The failures by the hash of the program and the question.
    kept: BTreeMap<String, Option<FailureId>>,
}

impl Finder {
    fn begin(oracle: OracleArgs, toolchain: Option<String>, limits: Limits) -> Self {
        let search = SearchArgs::default();
        let output_args = OutputArgs { quiet: true, ..OutputArgs::default() };
        let compiler = ContentHash::of(version(toolchain.as_deref()).as_bytes());
        let place =
            StateFolder::of_user().ok().map(|state| state.path().join(format!("{}.failures", String::from(compiler))));
        let kept = place.as_ref().and_then(|place| serde_json::from_slice(&std::fs::read(place).ok()?).ok());
        let args = PairArgs { file: PathBuf::new(), grammar: None, oracle, search, output_args };
        Self { args, toolchain, limits, place, kept: kept.unwrap_or_default() }
    }

    /// The failure of a file; none if it does not fail. Fails if the file cannot be read, or a check cannot be run.
    fn failure(&mut self, path: &Path) -> Result<Option<FailureId>, Failed> {
        let program = input::read(path)?;
        let key = format!("{:?} {:?}", String::from(program.hash()), self.args.oracle);
        let key = String::from(ContentHash::of(key.as_bytes()));
        if let Some(known) = self.kept.get(&key) {
            return Ok(known.clone());
        }
        self.limits.proceed()?;
        self.args.file = path.to_owned();
        let failure = match self.args.start_within(self.limits.clone(), self.toolchain.clone()) {
            Ok(start) => Some(start.problem.oracle.failure()),
            Err(Failed { exit: Exit::NotFailing, .. }) => None,
            Err(failed) => return Err(failed),
        };
        self.kept.insert(key, failure.clone());
        Ok(failure)
    }
}

/// What is known now is known the next time. What cannot be written is found again.
impl Drop for Finder {
    fn drop(&mut self) {
        if let Some(place) = &self.place {
            let _ = serde_json::to_vec(&self.kept).map(|json| std::fs::write(place, json));
        }
    }
}
