//! The options that say what the failure of a file is, and how it is checked.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::Args;
use regex::bytes::Regex;

use super::exit::{Failed, failed};
use super::failure_args::FailureArgs;
use mcve_reduce::event::{Event, Observer};
use mcve_reduce::failure::spec::{FailureSpec, Judge};
use mcve_reduce::oracle::command::Conditions;
use mcve_reduce::oracle::headers::Trust;
use mcve_reduce::oracle::run::Target;

/// The options that say what must hold of the command after `--`.
pub(super) const CONDITIONS: [&str; 5] = ["exit_code", "stdout", "stderr", "not_stdout", "not_stderr"];

/// Those that say what the failure is where no script or command does.
const OF_RUSTC: [&str; 6] = ["code", "lint", "message", "at", "strictness", "stdin"];

/// Options of rustc whose value may be the next word.
const WITH_VALUE: &str =
    "--edition --crate-type --crate-name --cfg --check-cfg --extern --emit --target --cap-lints -C -Z -A -W -D";

/// Options of rustc without a value.
const WITHOUT_VALUE: &str = "-O -g";

/// The option of rustc that a word is, and whether a value may follow as the next word.
pub(super) fn rustc_option(word: &OsStr) -> Option<(&'static str, bool)> {
    let text = word.to_str()?;
    let name = if text.starts_with("--") { text.split('=').next().unwrap_or(text) } else { text };
    // The value of a short option may be part of the word.
    let is_short = |option: &str| !option.starts_with("--") && text.starts_with(option);
    let options = |names: &'static str, takes_value| names.split(' ').map(move |name| (name, takes_value));
    let mut options = options(WITH_VALUE, true).chain(options(WITHOUT_VALUE, false));
    options.find(|(option, _)| *option == name || is_short(option))
}

/// The options that say what the failure is and how it is checked, of all commands that check candidates.
#[derive(Args, Clone, Debug)]
pub(super) struct OracleArgs {
    /// A script, or a line for the shell, that exits with 0 when the failure is there; $1 is the candidate.
    #[arg(long, value_name = "SCRIPT", help_heading = "What the failure is", conflicts_with_all = CONDITIONS, conflicts_with_all = OF_RUSTC)]
    pub(super) test: Option<OsString>,

    /// The exit code by which the script says that the failure is there, such as 1 for a script of `git bisect run`.
    /// 0 then says that it is not.
    #[arg(id = "bad_code", long = "bad", value_name = "CODE", help_heading = "What the failure is", requires = "test", value_parser = clap::value_parser!(i32).range(1..=255))]
    pub(super) bad_code: Option<i32>,

    /// The exit code of the command after `--`.
    #[arg(long, value_name = "CODE", help_heading = "What the failure is", conflicts_with_all = OF_RUSTC)]
    pub(super) exit_code: Option<i32>,

    /// A regex that the standard output of the command after `--` matches.
    #[arg(long, value_name = "REGEX", value_parser = Conditions::pattern, help_heading = "What the failure is", conflicts_with_all = OF_RUSTC)]
    pub(super) stdout: Vec<Regex>,

    /// A regex that the standard error of the command after `--` matches.
    #[arg(long, value_name = "REGEX", value_parser = Conditions::pattern, help_heading = "What the failure is", conflicts_with_all = OF_RUSTC)]
    pub(super) stderr: Vec<Regex>,

    /// A regex that the standard output of the command after `--` does not match.
    #[arg(long, value_name = "REGEX", value_parser = Conditions::pattern, help_heading = "What the failure is", conflicts_with_all = OF_RUSTC)]
    pub(super) not_stdout: Vec<Regex>,

    /// A regex that the standard error of the command after `--` does not match.
    #[arg(long, value_name = "REGEX", value_parser = Conditions::pattern, help_heading = "What the failure is", conflicts_with_all = OF_RUSTC)]
    pub(super) not_stderr: Vec<Regex>,

    /// Runs the program, with the arguments after `--`: it panics, exits with a code that is not 0, or a signal ends it.
    #[arg(long, help_heading = "What the failure is", conflicts_with_all = CONDITIONS, conflicts_with_all = ["test", "test_name", "strictness"])]
    pub(super) run: bool,

    /// The test that fails, such as `tests::adds`; the modules may be left out.
    #[arg(long, value_name = "NAME", help_heading = "What the failure is", conflicts_with_all = ["test", "strictness"], conflicts_with_all = CONDITIONS)]
    pub(super) test_name: Option<String>,

    /// The failure is there only after an earlier version of the program was compiled into the same incremental
    /// folder.
    ///
    /// rustc fails, or with --run the program behaves differently. `--incremental FIRST SECOND` for two files,
    /// `--incremental FILE` for one with `//@ revisions: A B`. Of any other file, mcve looks for a small change that
    /// makes it fail.
    #[arg(long, help_heading = "What the failure is", conflicts_with_all = ["test", "test_name", "tool"], conflicts_with_all = CONDITIONS)]
    pub(super) incremental: bool,

    /// The rustc to run.
    #[arg(long, value_name = "PATH", help_heading = "What the failure is", conflicts_with = "tool")]
    pub(super) rustc: Option<PathBuf>,

    /// Follows all headers of the file (`//@ compile-flags: ..`), also those by which it names a linker, files to
    /// load or places to write to.
    #[arg(long, help_heading = "What the failure is")]
    pub(super) trust_headers: bool,

    #[command(flatten)]
    pub(super) failure: FailureArgs,

    /// Arguments for rustc, or a command to run instead of it, in which {} is the candidate.
    #[arg(last = true, value_name = "ARGS")]
    pub(super) args: Vec<OsString>,
}

impl OracleArgs {
    /// The failure that is asked for. Fails when the options make no sense together.
    pub(super) fn spec(&self) -> Result<FailureSpec, Failed> {
        let usage = |message: &str| failed!(Usage, "{message}");
        let conditions = self.conditions();
        let judge = match &self.test {
            Some(_) if !self.args.is_empty() => {
                return Err(usage("with --test, nothing follows `--`: the script runs what it needs"));
            }
            Some(test) => Judge::Script(test.clone(), self.bad_code.unwrap_or(0)),
            None if conditions.is_empty() => Judge::Compiler,
            None if self.args.is_empty() => {
                return Err(usage("--exit-code, --stdout, .. check a command: put it after `--`"));
            }
            None => Judge::Command(self.args.clone(), conditions),
        };
        let args = |are_of_it: bool| if are_of_it { self.args.clone() } else { Vec::new() };
        let rustc_args = args(!self.run && matches!(judge, Judge::Compiler));
        if rustc_args.iter().any(|arg| arg.to_string_lossy().contains("{}")) {
            return Err(usage("a command after `--` needs a condition, such as --exit-code or --stderr"));
        }
        let main = || (self.run || self.failure.stdin.is_some()).then(|| Target::Main(args(self.run)));
        Ok(FailureSpec {
            judge,
            rustc: self.rustc.clone(),
            rustc_args,
            trust: if self.trust_headers { Trust::Everything } else { Trust::AllowList },
            incremental: self.incremental,
            target: self.test_name.clone().map(Target::Test).or_else(main),
            ..self.failure.spec()
        })
    }

    /// Says whose the words after `--` are, where they look like the compiler's and are the program's.
    pub(super) fn explain_arguments(&self, observer: &mut dyn Observer) {
        let own = self.args.iter().find(|word| self.run && rustc_option(word).is_some());
        if let Some(word) = own.map(|word| word.display()) {
            let message = format!(
                "with --run the words after `--` are the program's; to compile it with `{word}`: --fails-with={word}"
            );
            observer.event(&Event::Warning { message });
        }
    }

    /// Whether a script or a command decides whether a candidate fails.
    pub(super) fn is_judged(&self) -> bool {
        self.test.is_some() || !self.conditions().is_empty()
    }

    fn conditions(&self) -> Conditions {
        Conditions {
            exit_code: self.exit_code,
            stdout: self.stdout.clone(),
            stderr: self.stderr.clone(),
            not_stdout: self.not_stdout.clone(),
            not_stderr: self.not_stderr.clone(),
        }
    }
}
