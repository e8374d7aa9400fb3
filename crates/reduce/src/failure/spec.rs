//! The user's description of the failure, as plain values.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use regex::Regex;

use super::config::CompilerConfig;
use super::error::FailureError;
use super::tool::Tool;
use crate::check::baseline::{Runs, Times};
use crate::oracle::changed::suggestion::Certainty;
use crate::oracle::command::Conditions;
use crate::oracle::headers::Trust;
use crate::oracle::identity::Detail;
use crate::oracle::run::Target;
use crate::oracle::strictness::Strictness;
use crate::oracle::wanted::Wanted;

/// The failure to keep, and further conditions. The default is any failure that the compiler or the program shows.
#[derive(Clone, Debug, Default)]
pub struct FailureSpec {
    /// The judge of candidates.
    pub judge: Judge,
    /// The rustc to run, by name or path; none: that of the toolchain.
    pub rustc: Option<PathBuf>,
    /// Arguments of rustc.
    pub rustc_args: Vec<OsString>,
    /// The headers of the file that are followed.
    pub trust: Trust,
    /// The `main` or the test to run.
    pub target: Option<Target>,
    /// A file for the standard input of the program.
    pub stdin: Option<PathBuf>,
    /// The diagnostics that the compiler must report.
    pub diagnostics: Wanted,
    /// Whether `diagnostics` names a lint.
    pub names_lint: bool,
    /// The parts of the failure that a candidate must show.
    pub strictness: Option<Match>,
    /// Configurations of the compiler that must not show the failure.
    pub passes_with: Vec<CompilerConfig>,
    /// Configurations that must not show the failure, if the unreduced program passes with them.
    pub passes_perhaps: Vec<CompilerConfig>,
    /// Configurations that must show the failure: it is looked for in the first one.
    pub fails_with: Vec<CompilerConfig>,
    /// The limits of time or memory whose excess is the failure.
    pub bounds: Vec<Bound>,
    /// A suggestion of the diagnostic with at least this certainty is wrong.
    pub suggestion: Option<Certainty>,
    /// A tool other than rustc that fails.
    pub tool: Option<Tool>,
    /// The pattern that the program matches once its macros are expanded.
    pub expands_to: Option<Regex>,
    /// The text that the program prints.
    pub prints: Option<String>,
    /// The sides from which the program behaves differently.
    pub differs: Vec<Side>,
    /// The failure shows only after earlier versions of the program, which have their own `--cfg`, in one incremental folder.
    pub incremental: bool,
    /// Conditions that must not hold.
    pub unwanted: Vec<Unwanted>,
    /// Whether candidates may have errors that the program does not have.
    pub allow_errors: bool,
    /// Whether candidates of a failing run may fail for another reason: without the changes with which the program passes.
    pub no_pair: bool,
    /// Whether `main` or the test of a failing run stays, also where a single call goes wrong.
    pub no_carve: bool,
    /// Whether to continue if the failure is likely not the one that the user means.
    pub force: bool,
    /// The number of checks of the program at the start.
    pub times: Times,
}

/// The judge that decides whether a candidate fails.
#[derive(Clone, Debug, Default)]
pub enum Judge {
    /// rustc or another tool of the toolchain, whose failures are recognised.
    #[default]
    Compiler,
    /// A script, or a command line for the shell, and the code with which it exits if the candidate fails.
    Script(OsString, i32),
    /// The words of a command, and the conditions under which the candidate fails.
    Command(Vec<OsString>, Conditions),
}

/// The parts of a failure that a candidate must show, for crashes and for diagnostics.
#[derive(Clone, Copy, Debug)]
pub struct Match {
    /// The parts of a crash of rustc; none if the given value applies to diagnostics.
    pub crash: Option<Strictness>,
    /// The parts of an error or a warning; none if the given value applies to crashes.
    pub diagnostic: Option<Detail>,
}

/// How much is too much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// The compiler or the program does not end within this processor time, in whole seconds, as the system counts them.
    Hangs(Duration),
    /// It ends, and takes more processor time than this.
    Slower(Duration),
    /// It ends, and takes this many times the processor time of an empty program, or of another configuration.
    Times(f64),
    /// One of its processes has more bytes of memory than this.
    Memory(u64),
}

/// A side that the program is compared with.
#[derive(Clone, Debug)]
pub enum Side {
    /// The program itself, compiled in another configuration.
    Config(CompilerConfig),
    /// A command line for the shell, in which `{}` is the program.
    Command(String),
}

/// A condition that must not hold.
#[derive(Clone, Debug)]
pub enum Unwanted {
    /// rustc reports this diagnostic.
    Says(Wanted),
    /// The program is accepted in this configuration.
    Accepted(CompilerConfig),
    /// The program prints this.
    Prints(String),
    /// The expansion of the program matches this pattern.
    Expands(Regex),
}

impl FailureSpec {
    /// All configurations besides that of the failure, and those that fail.
    pub fn configs_mut(&mut self) -> impl Iterator<Item = &mut CompilerConfig> {
        let unwanted = self.unwanted.iter_mut().filter_map(|unwanted| match unwanted {
            Unwanted::Accepted(config) => Some(config),
            _ => None,
        });
        self.passes_with.iter_mut().chain(&mut self.passes_perhaps).chain(&mut self.fails_with).chain(unwanted)
    }

    /// The `main` or the test to run to see the failure, if one is given.
    pub fn run_target(&self) -> Option<&Target> {
        self.target.as_ref().filter(|_| self.suggestion.is_none())
    }

    /// Whether the failure is the one that rustc shows, whatever it is.
    pub(crate) fn is_default(&self) -> bool {
        let is_by_compiler = matches!(self.judge, Judge::Compiler);
        is_by_compiler && self.has_no_kinds() && self.diagnostics.is_empty() && self.run_target().is_none()
    }

    /// Whether the program may get another test, as nothing says what stays.
    #[must_use]
    pub fn may_carve(&self) -> bool {
        !self.no_carve && !self.no_pair && self.diagnostics.messages.is_empty() && self.strictness.is_none()
    }

    /// Whether only a failure of the default kind is requested.
    pub fn has_no_kinds(&self) -> bool {
        // All fields are named, so that a new one cannot be forgotten here.
        let Self {
            passes_with,
            passes_perhaps,
            fails_with,
            bounds,
            suggestion,
            tool,
            expands_to,
            prints,
            differs,
            incremental,
            unwanted,
            judge: _,
            rustc: _,
            rustc_args: _,
            trust: _,
            target: _,
            stdin: _,
            diagnostics: _,
            names_lint: _,
            strictness: _,
            allow_errors: _,
            no_pair: _,
            no_carve: _,
            force: _,
            times: _,
        } = self;
        let has_configs = [passes_with, passes_perhaps, fails_with].iter().any(|configs| !configs.is_empty());
        let has_configs = has_configs || !differs.is_empty();
        let has_values = suggestion.is_some() || tool.is_some() || expands_to.is_some() || prints.is_some();
        !has_configs && !has_values && bounds.is_empty() && !incremental && unwanted.is_empty()
    }

    /// Whether the failure is a behaviour of a program that cargo does not report as a failure.
    pub fn is_of_run(&self) -> bool {
        self.prints.is_some() || !self.differs.is_empty() || !self.bounds.is_empty()
    }

    /// Whether mcve sees other failures in a check: not if a script, a command, rustfmt or rust-analyzer judges.
    pub fn recognises_failures(&self) -> bool {
        matches!(self.judge, Judge::Compiler) && self.tool.is_none_or(Tool::is_compiler)
    }

    /// The parts of an error or a warning that a candidate must show.
    pub(super) fn detail(&self) -> Result<Detail, FailureError> {
        let Some(given) = self.strictness else { return Ok(Detail::default()) };
        given.diagnostic.ok_or_else(|| {
            FailureError::conflict(
                "the parts to keep are those of a crash, and this is none",
                "give --match code, message, labels or notes",
            )
        })
    }

    /// The parts of a crash of rustc that a candidate must show.
    pub(super) fn crash_parts(&self) -> Result<Strictness, FailureError> {
        let Some(given) = self.strictness else { return Ok(Strictness::default()) };
        given.crash.ok_or_else(|| {
            FailureError::conflict(
                "the parts to keep are those of an error, and this is a crash",
                "give --match some of message,place,stack, or any-ice",
            )
        })
    }

    /// How the program is checked at the start.
    pub fn runs(&self) -> Runs {
        Runs { times: self.times, refuse_flaky: false, accept_flaky: self.force, accept_trivial: self.force }
    }

    /// The requested failure as one text: different failures have different texts.
    pub fn identity(&self) -> String {
        format!("{:?}", Self { force: false, times: Times::default(), ..self.clone() })
    }
}
