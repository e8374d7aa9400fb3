//! How the program of a result behaves with other toolchains.

use std::process::Command;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::exit::{Exit, Failed, OrExit, failed};
use super::messages::say;
use super::question::{NotFound, Question};
use super::toolchain::{version, without_host};
use crate::report::known::is_same;
use mcve_package::error::PackageError;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::failure::error::{Cause, Class, FailureError};
use mcve_reduce::failure::problem::Problem;
use mcve_reduce::oracle::FailureId;

/// How the program of a result behaves with a toolchain.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(super) enum Answer {
    /// It shows the failure of the result.
    Same,
    /// It shows another failure.
    Other { failure: String, is_crash: bool },
    /// It does not fail.
    Passes,
    /// The compiler does not accept the command, for this reason: it may be too old for an option.
    Refuses(String),
    /// It could not be tried, for this reason.
    Unknown(String),
}

impl Answer {
    /// In words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Same => "fails in the same way".to_owned(),
            Self::Other { failure, .. } => format!("another failure: {failure}"),
            Self::Passes => "does not fail".to_owned(),
            Self::Refuses(why) => format!("does not accept the command: {why}"),
            Self::Unknown(why) => format!("not tried: {why}"),
        }
    }

    /// Whether the compiler behaves as it should: the program does not fail, or an error is reported where another compiler crashes.
    pub(super) fn is_right(&self, failure_is_crash: bool) -> bool {
        match self {
            Self::Passes => true,
            Self::Other { is_crash, .. } => failure_is_crash && !is_crash,
            _ => false,
        }
    }
}

impl From<NotFound> for Answer {
    fn from(error: NotFound) -> Self {
        let (class, said) = match &error {
            NotFound::File(error) => (error.cause.class(), error.to_string()),
            NotFound::Package(error) => (error.class(), error.to_string()),
        };
        let line = |number| said.lines().nth(number).unwrap_or_default().trim().to_owned();
        match error {
            NotFound::File(FailureError { cause: Cause::Unknown(..), .. }) => Self::Refuses(line(1)),
            // The first of what is missing: `the program uses features of a nightly compiler: ..`.
            NotFound::File(FailureError { cause: Cause::Incomplete(..), .. }) => {
                Self::Refuses(line(1).split(": ").next().unwrap_or_default().to_owned())
            }
            NotFound::Package(PackageError::Unknown { .. }) => Self::Unknown(line(0)),
            _ if class == Class::NotFailing => Self::Passes,
            _ => Self::Unknown(line(0)),
        }
    }
}

/// A toolchain, and how the program of a result behaves with it.
pub(super) struct Tried {
    pub(super) name: String,
    /// What its compiler says of its version.
    pub(super) version: String,
    pub(super) answer: Answer,
}

/// Where a failure begins.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Origin {
    /// The toolchain of the first version with it.
    pub(super) first: String,
    /// That of the last version without it, and how the program behaves there.
    pub(super) before: String,
    pub(super) before_says: Answer,
    /// Their commits, if both are known.
    pub(super) commits: Option<[String; 2]>,
    /// The toolchains between them that could not be tried.
    pub(super) not_tried: Vec<String>,
}

impl Origin {
    /// The lines that an issue has.
    pub(super) fn lines(&self) -> Vec<String> {
        let Self { first, before, before_says, commits, not_tried } = self;
        let mut lines = vec![
            format!("first with the failure: {first}"),
            format!("last without it: {before} ({})", before_says.words()),
        ];
        let compared =
            |[old, new]: &[String; 2]| format!("commits: https://github.com/rust-lang/rust/compare/{old}...{new}");
        lines.extend(commits.as_ref().map(compared));
        lines.extend((!not_tried.is_empty()).then(|| format!("not tried between them: {}", not_tried.join(", "))));
        lines
    }
}

/// A failure, and how toolchains are asked for it.
pub(super) struct Asked<'a> {
    pub(super) question: &'a Question,
    pub(super) limits: &'a Limits,
    pub(super) failure: &'a FailureId,
}

impl Asked<'_> {
    /// How the program behaves with an installed toolchain.
    pub(super) fn ask(&self, toolchain: &str) -> Result<Answer, Failed> {
        let found = self.question.find(self.limits, Some(toolchain.to_owned()))?;
        self.limits.proceed()?;
        Ok(match found {
            Ok(Problem { oracle, .. }) => {
                let failure = oracle.failure();
                if is_same(self.failure, &failure) {
                    Answer::Same
                } else {
                    Answer::Other { failure: failure.words, is_crash: oracle.properties().is_crash }
                }
            }
            Err(error) => error.into(),
        })
    }

    /// The installed toolchains, and how the program behaves with each. Fails if rustup cannot be run, or the run is interrupted.
    pub(super) fn ask_all(&self) -> Result<Vec<Tried>, Failed> {
        let mut tried: Vec<Tried> = Vec::new();
        for name in installed()? {
            let said = version(Some(&name));
            let version = said.lines().next().unwrap_or_default().trim_start_matches("rustc ").to_owned();
            // Two names of one compiler.
            if let Some(same) = tried.iter_mut().find(|one| one.version == version) {
                same.name += &format!(", {name}");
                continue;
            }
            say(format_args!("asking {name}"));
            tried.push(Tried { answer: self.ask(&name)?, name, version });
        }
        Ok(tried)
    }
}

/// The label for a failure that an older compiler does not show, where `failing` is what the failing one says of its version.
pub(super) fn regression(failing: &str, is_crash: bool, tried: &[Tried], origin: Option<&Origin>) -> Option<String> {
    let channel = |said: &str| ["nightly", "beta"].into_iter().find(|name| said.contains(name)).unwrap_or("stable");
    let release = |said: &str| said.trim_start_matches("rustc ").split('.').nth(1)?.parse::<u32>().ok();
    let own = release(failing)?;
    let is_older = |one: &&Tried| release(&one.version).is_some_and(|other| other < own);
    let right =
        tried.iter().filter(is_older).filter(|one| one.answer.is_right(is_crash)).map(|one| channel(&one.version));
    let before = origin.filter(|origin| origin.before_says.is_right(is_crash)).map(|origin| channel(&origin.before));
    let right: Vec<&str> = right.chain(before).collect();
    let line = failing.lines().next().unwrap_or_default();
    match right.first() {
        None => None,
        Some(_) if right.contains(&"stable") => Some(format!("regression-from-stable-to-{}", channel(line))),
        Some(_) => Some("regression-untriaged".to_owned()),
    }
}

/// The names of the installed toolchains, without the host.
pub(super) fn installed() -> Result<Vec<String>, Failed> {
    let listed = Command::new("rustup").args(["toolchain", "list", "--quiet"]).output();
    let listed = listed.context("cannot run rustup").or_exit(Exit::Check)?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let said = version(None);
    let names = listed.lines().filter_map(|line| line.split_whitespace().next());
    Ok(names.map(|name| without_host(name, &said).to_owned()).collect())
}

/// Installs a toolchain with rustup, which shows its progress.
pub(super) fn install(name: &str) -> Result<(), Failed> {
    let words = ["toolchain", "install", "--profile", "minimal", "--no-self-update", name];
    let status = Command::new("rustup")
        .args(words)
        .stdout(std::io::stderr())
        .status()
        .context("cannot run rustup")
        .or_exit(Exit::Check)?;
    if status.success() { Ok(()) } else { Err(failed!(Check, "rustup cannot install {name}")) }
}

/// Uninstalls a toolchain. If that fails, the toolchain stays.
pub(super) fn uninstall(name: &str) {
    let _ = Command::new("rustup").args(["--quiet", "toolchain", "uninstall", name]).output();
}
