//! The arguments that say what the failure is, and how long and how much a check may take.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use regex::bytes::Regex;

use crate::exec::limits::Memory;
use crate::oracle::command::Conditions;

/// The options that say what must hold of the command after `--`.
const CONDITIONS: [&str; 5] = ["exit_code", "stdout", "stderr", "not_stdout", "not_stderr"];

/// What the failure is.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// A script, or a line for the shell, that exits with 0 when the failure is there; $1 is the candidate.
    #[arg(long, value_name = "SCRIPT", help_heading = "What the failure is", conflicts_with_all = CONDITIONS)]
    pub test: Option<OsString>,

    /// The exit code of the command after `--`.
    #[arg(long, value_name = "CODE", help_heading = "What the failure is")]
    pub exit_code: Option<i32>,

    /// A regex that the standard output of the command after `--` matches.
    #[arg(long, value_name = "REGEX", value_parser = Conditions::pattern, help_heading = "What the failure is")]
    pub stdout: Vec<Regex>,

    /// A regex that the standard error of the command after `--` matches.
    #[arg(long, value_name = "REGEX", value_parser = Conditions::pattern, help_heading = "What the failure is")]
    pub stderr: Vec<Regex>,

    /// A regex that the standard output of the command after `--` does not match.
    #[arg(long, value_name = "REGEX", value_parser = Conditions::pattern, help_heading = "What the failure is")]
    pub not_stdout: Vec<Regex>,

    /// A regex that the standard error of the command after `--` does not match.
    #[arg(long, value_name = "REGEX", value_parser = Conditions::pattern, help_heading = "What the failure is")]
    pub not_stderr: Vec<Regex>,

    /// The rustc to run.
    #[arg(long, value_name = "PATH", help_heading = "What the failure is")]
    pub rustc: Option<PathBuf>,

    /// Accepts candidates with errors that the input does not have.
    #[arg(long, help_heading = "What the failure is")]
    pub allow_errors: bool,

    /// The longest that one check may take, such as `30s`; by default ten times the slowest one that failed, at least ten seconds.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,

    /// The most memory that a process of a check may have, such as `4G`, or `unlimited`; by default half of the machine's, at least 4G. Only on Linux.
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Memory>,

    /// Arguments for rustc, or a command to run instead of it, in which {} is the candidate.
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,
}

impl CheckArgs {
    /// What must hold of the command after `--`.
    #[must_use]
    pub fn conditions(&self) -> Conditions {
        Conditions {
            exit_code: self.exit_code,
            stdout: self.stdout.clone(),
            stderr: self.stderr.clone(),
            not_stdout: self.not_stdout.clone(),
            not_stderr: self.not_stderr.clone(),
        }
    }
}

/// A time with a unit, or in seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let parsed = match text.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())?,
        Err(_) => humantime::parse_duration(text).map_err(|error| error.to_string())?,
    };
    if parsed.is_zero() { Err("a time of zero ends before it begins".to_owned()) } else { Ok(parsed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_or_are_seconds() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert!(duration("0").is_err());
        assert!(duration("-1").is_err());
        assert!(duration("soon").is_err());
    }
}
