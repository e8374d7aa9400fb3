//! What other toolchains make of a result.

use std::process::Command;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::args::PairArgs;
use super::exit::{Exit, Failed, OrExit, failed};
use super::messages::say;
use super::toolchain::version;
use crate::report::known::{Identity, is_same};
use mcve_reduce::check::limits::Limits;
use mcve_reduce::failure::error::{Cause, Class, FailureError};

/// What a toolchain makes of a result.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(super) enum Answer {
    /// The failure of the result.
    Same,
    /// Another failure.
    Other(String),
    /// It does not fail.
    Passes,
    /// Nobody knows, for this reason.
    Unknown(String),
}

impl Answer {
    /// In words.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Same => "fails in the same way".to_owned(),
            Self::Other(failure) => format!("another failure: {failure}"),
            Self::Passes => "does not fail".to_owned(),
            Self::Unknown(why) => format!("not asked: {why}"),
        }
    }
}

/// A failure that toolchains are asked for.
pub(super) struct Asked<'a> {
    pub(super) question: &'a PairArgs,
    pub(super) limits: &'a Limits,
    pub(super) failure: &'a Identity,
}

impl Asked<'_> {
    /// What an installed toolchain makes of the program.
    ///
    /// # Errors
    /// When the run is to end.
    pub(super) fn ask(&self, toolchain: &str) -> Result<Answer, Failed> {
        self.limits.proceed()?;
        Ok(match self.question.find(self.limits.clone(), Some(toolchain.to_owned()))? {
            Ok(start) => {
                let found = Identity::from(start.problem.oracle.failure());
                if is_same(self.failure, &found) { Answer::Same } else { Answer::Other(found.words) }
            }
            Err(FailureError { cause: Cause::Stopped(_), .. }) => {
                return self.limits.proceed().map(|()| Answer::Unknown("stopped".to_owned())).map_err(Failed::from);
            }
            // Such as an option that this version does not have.
            Err(error @ FailureError { cause: Cause::Unknown(..), .. }) => {
                Answer::Unknown(error.to_string().lines().nth(1).unwrap_or_default().trim().to_owned())
            }
            Err(error) if error.cause.class() == Class::NotFailing => Answer::Passes,
            Err(error) => Answer::Unknown(error.to_string().lines().next().unwrap_or_default().to_owned()),
        })
    }

    /// The installed toolchains, their versions, and what each makes of the program.
    ///
    /// # Errors
    /// When there is no rustup, or the run is to end.
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
/// When there is no rustup.
pub(super) fn installed() -> Result<Vec<String>, Failed> {
    let listed = Command::new("rustup").args(["toolchain", "list", "--quiet"]).output();
    let listed = listed.context("cannot run rustup").or_exit(Exit::Check)?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    Ok(listed.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect())
}

/// Installs a toolchain by rustup, which says how far it is.
///
/// # Errors
/// When it cannot be installed.
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

/// Removes a toolchain. One that stays does no harm.
pub(super) fn uninstall(name: &str) {
    let _ = Command::new("rustup").args(["--quiet", "toolchain", "uninstall", name]).output();
}
