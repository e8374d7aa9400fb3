//! How the program of a result behaves with other toolchains.

use std::process::Command;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::args::PairArgs;
use super::exit::{Exit, Failed, OrExit, failed};
use super::messages::say;
use super::toolchain::version;
use crate::report::known::is_same;
use mcve_reduce::check::limits::Limits;
use mcve_reduce::failure::error::{Cause, Class, FailureError};
use mcve_reduce::oracle::FailureId;

/// How the program of a result behaves with a toolchain.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(super) enum Answer {
    /// It shows the failure of the result.
    Same,
    /// It shows another failure.
    Other(String),
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
            Self::Other(failure) => format!("another failure: {failure}"),
            Self::Passes => "does not fail".to_owned(),
            Self::Refuses(why) => format!("does not accept the command: {why}"),
            Self::Unknown(why) => format!("not tried: {why}"),
        }
    }
}

/// A failure, and how toolchains are asked for it.
pub(super) struct Asked<'a> {
    pub(super) question: &'a PairArgs,
    pub(super) limits: &'a Limits,
    pub(super) failure: &'a FailureId,
}

impl Asked<'_> {
    /// How the program behaves with an installed toolchain.
    ///
    /// # Errors
    /// If the run is interrupted.
    pub(super) fn ask(&self, toolchain: &str) -> Result<Answer, Failed> {
        let found = self.question.find(self.limits.clone(), Some(toolchain.to_owned()))?;
        self.limits.proceed()?;
        let line =
            |error: &FailureError, number| error.to_string().lines().nth(number).unwrap_or_default().trim().to_owned();
        Ok(match found {
            Ok(start) => {
                let found = start.problem.oracle.failure();
                if is_same(self.failure, &found) { Answer::Same } else { Answer::Other(found.words) }
            }
            Err(error) if matches!(error.cause, Cause::Unknown(..)) => Answer::Refuses(line(&error, 1)),
            Err(error) if error.cause.class() == Class::NotFailing => Answer::Passes,
            Err(error) => Answer::Unknown(line(&error, 0)),
        })
    }

    /// The installed toolchains, their versions, and how the program behaves with each.
    ///
    /// # Errors
    /// If rustup cannot be run, or the run is interrupted.
    pub(super) fn ask_all(&self) -> Result<Vec<(String, String, String)>, Failed> {
        let ask = |name: String| {
            say(format_args!("asking {name}"));
            let said = version(Some(&name));
            let said = said.lines().next().unwrap_or_default().trim_start_matches("rustc ").to_owned();
            let answer = self.ask(&name)?.words();
            Ok((name, said, answer))
        };
        installed()?.into_iter().map(ask).collect()
    }
}

/// The names of the installed toolchains.
///
/// # Errors
/// If rustup cannot be run.
pub(super) fn installed() -> Result<Vec<String>, Failed> {
    let listed = Command::new("rustup").args(["toolchain", "list", "--quiet"]).output();
    let listed = listed.context("cannot run rustup").or_exit(Exit::Check)?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    Ok(listed.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
}

/// Installs a toolchain with rustup, which shows its progress.
///
/// # Errors
/// If it cannot be installed.
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
