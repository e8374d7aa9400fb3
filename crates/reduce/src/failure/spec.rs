//! What the user says that the failure is, as plain values.

use std::ffi::OsString;
use std::path::PathBuf;

use regex::Regex;

use super::config::CompilerConfig;
use super::tool::Tool;
use crate::check::baseline::{Runs, Times};
use crate::oracle::changed::suggestion::Certainty;
use crate::oracle::command::Conditions;
use crate::oracle::headers::Trust;
use crate::oracle::identity::Detail;
use crate::oracle::run::Target;
use crate::oracle::strictness::Strictness;
use crate::oracle::usage::Bound;
use crate::oracle::wanted::Wanted;

/// Which failure is to be kept, and what has to hold besides. The default is whatever failure the compiler or the program shows.
#[derive(Clone, Debug, Default)]
pub struct FailureSpec {
    /// What decides whether a candidate fails.
    pub judge: Judge,
    /// The rustc to run, by name or path; none: the one of the toolchain.
    pub rustc: Option<PathBuf>,
    /// Arguments of rustc.
    pub rustc_args: Vec<OsString>,
    /// Which headers of the file are followed.
    pub trust: Trust,
    /// The `main` or the test to run.
    pub target: Option<Target>,
    /// A file for the standard input of the program.
    pub stdin: Option<PathBuf>,
    /// What the compiler has to say.
    pub diagnostics: Wanted,
    /// Whether `diagnostics` names a lint.
    pub names_lint: bool,
    /// How much of the failure a candidate has to show.
    pub strictness: Option<Match>,
    /// Configurations of the compiler in which the failure is not there.
    pub passes_with: Vec<CompilerConfig>,
    /// Configurations in which it is there: it is looked for in the first one.
    pub fails_with: Vec<CompilerConfig>,
    /// How much time or memory is too much.
    pub bounds: Vec<Bound>,
    /// A suggestion of the diagnostic is wrong, as far as it is this certain.
    pub suggestion: Option<Certainty>,
    /// Another tool than rustc fails.
    pub tool: Option<Tool>,
    /// What the program matches once its macros are expanded.
    pub expands_to: Option<Regex>,
    /// What the program prints.
    pub prints: Option<String>,
    /// What the program behaves differently from.
    pub differs: Vec<Side>,
    /// What must not hold.
    pub unwanted: Vec<Unwanted>,
    /// Whether candidates may have errors that the program does not have.
    pub allow_errors: bool,
    /// Whether to go on where the failure is likely not the one that the user means.
    pub force: bool,
    /// How often the program is checked at the beginning.
    pub times: Times,
}

/// What decides whether a candidate fails.
#[derive(Clone, Debug, Default)]
pub enum Judge {
    /// rustc or another tool of the toolchain, whose failures are recognised.
    #[default]
    Compiler,
    /// A script, or a line for the shell, that exits with 0 if it fails.
    Script(OsString),
    /// The words of a command, of which conditions hold if it fails.
    Command(Vec<OsString>, Conditions),
}

/// How much of a failure a candidate has to show, for each of the two that it can be said of.
#[derive(Clone, Copy, Debug)]
pub struct Match {
    /// Of a crash of rustc; none where what was given is about diagnostics.
    pub crash: Option<Strictness>,
    /// Of an error or a warning; none where it is about crashes.
    pub diagnostic: Option<Detail>,
}

/// What the program is compared with.
#[derive(Clone, Debug)]
pub enum Side {
    /// Itself, compiled in another configuration.
    Config(CompilerConfig),
    /// A line for the shell, in which `{}` is the program.
    Command(String),
}

/// What must not hold.
#[derive(Clone, Debug)]
pub enum Unwanted {
    /// rustc says this.
    Says(Wanted),
    /// It is accepted in this configuration.
    Accepted(CompilerConfig),
    /// The program prints this.
    Prints(String),
    /// It expands to this.
    Expands(Regex),
}

impl FailureSpec {
    /// What is to be run of the program to see its failure, where that is given.
    #[must_use]
    pub fn run_target(&self) -> Option<&Target> {
        self.target.as_ref().filter(|_| self.suggestion.is_none())
    }

    /// Whether nothing besides a failure of its own kind is asked for.
    #[must_use]
    pub fn has_no_kinds(&self) -> bool {
        let configs = self.passes_with.len() + self.fails_with.len() + self.differs.len() + self.unwanted.len();
        let is_set = self.suggestion.is_some() || self.tool.is_some() || self.expands_to.is_some();
        configs == 0 && self.bounds.is_empty() && self.prints.is_none() && !is_set
    }

    /// Whether mcve recognises other failures in the output of a check. It does not where a script, a command, rustfmt or
    /// rust-analyzer judges.
    #[must_use]
    pub fn recognises_failures(&self) -> bool {
        matches!(self.judge, Judge::Compiler) && self.tool.is_none_or(Tool::is_compiler)
    }

    /// How the program is checked at the beginning.
    #[must_use]
    pub fn runs(&self) -> Runs {
        Runs { times: self.times, refuse_flaky: false, accept_flaky: self.force, accept_trivial: self.force }
    }

    /// The failure that is asked for as one text: another text is another failure.
    #[must_use]
    pub fn identity(&self) -> String {
        format!("{:?}", Self { force: false, times: Times::default(), ..self.clone() })
    }
}
