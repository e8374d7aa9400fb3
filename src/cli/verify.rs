//! `mcve verify`: whether a result is what it should be.

use anyhow::Context;

use super::exit::{Exit, Failed, OrExit};
use super::input;
use super::known::Known;
use super::result_args::VerifyArgs;
use crate::report::log::{End, Run};
use crate::report::verified::{Verified, verified};

/// Checks a result by reducing it once more, and prints what holds. Fails when it does not fail, or cannot be checked.
pub(super) fn verify(args: VerifyArgs, toolchain: Option<String>) -> Result<Exit, Failed> {
    let VerifyArgs { file, oracle } = args;
    let known = Known::of(&file)?;
    let files = if file.is_dir() { None } else { Some(input::read(&file)?.files().len()) };
    let first = known.run.as_ref().and_then(|run| run.end.clone());
    let Run { end, tried, .. } = known.ask(oracle, toolchain)?;
    let now = end.context("the run did not end").or_exit(Exit::Output)?;
    let checked = Verified {
        is_same: first.as_ref().map(|first| is_same(first, &now)),
        first: first.map(|first| first.failure),
        tried: tried.iter().filter(|attempt| attempt.rejection.is_some()).count(),
        files,
        now,
    };
    verified(&file, &checked).print().or_exit(Exit::Output)?;
    Ok(match checked {
        Verified { is_same: Some(false), .. } => Exit::NotFailing,
        checked if checked.holds() => Exit::Done,
        _ => Exit::NotVerified,
    })
}

/// Whether two runs are about the same failure.
fn is_same(one: &End, other: &End) -> bool {
    match (&one.fingerprint, &other.fingerprint) {
        (Some(one), Some(other)) => one == other,
        _ => one.failure == other.failure,
    }
}
