//! The oracle of a text: a program prints it when it is run, or rustc where it expands the macros of a program.

use std::path::Path;
use std::sync::Arc;

use regex::Regex;

use super::compiler_job::CompilerJob;
use super::failure::Failure;
use super::fingerprint::{FailureId, OtherFailure};
use super::judge::{Advice, Oracle, Properties};
use super::run::Runner;
use super::rustc::Rustc;
use super::verdict::Verdict;
use crate::dd::outcome::Outcome;
use crate::exec::job::{End, Job, JobResult, Word};
use crate::program::Program;

/// What makes rustc print a program with its macros expanded, and what lets a stable one do so.
const EXPANDED: &str = "-Zunpretty=expanded";
const UNSTABLE: &str = "RUSTC_BOOTSTRAP";

/// Does the program still print this?
#[derive(Clone, Debug)]
pub struct PrintsOracle {
    /// How it is run.
    pub runner: Runner,
    /// What it prints, to standard output or standard error.
    pub text: String,
    /// How it ended at the beginning, and has to end; none before that is known.
    pub end: Option<End>,
}

/// Does the program still expand to this?
#[derive(Clone, Debug)]
pub struct ExpandsOracle {
    /// How it is compiled.
    pub rustc: Rustc,
    /// What its expansion matches.
    pub pattern: Regex,
    /// Whether the program itself may match that. Else macros have to make it: to write it out would be smaller.
    pub may_be_written: bool,
}

impl ExpandsOracle {
    /// The oracle of programs that `rustc` expands to what `pattern` matches, where `result` came of the unreduced one, if that is known.
    #[must_use]
    pub fn new(rustc: Rustc, pattern: Regex, result: Option<&JobResult>) -> Self {
        let mut oracle = Self { rustc, pattern, may_be_written: true };
        oracle.may_be_written = result.is_none_or(|result| !oracle.is_expanded(result) || oracle.is_written(result));
        oracle
    }

    fn is_expanded(&self, result: &JobResult) -> bool {
        result.end == End::Exited(0) && self.pattern.is_match(&String::from_utf8_lossy(&result.stdout))
    }

    /// Whether the text of the program matches, in any layout.
    fn is_written(&self, result: &JobResult) -> bool {
        let Some(program) = &result.subject else { return false };
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let pattern = Regex::new(&bare(self.pattern.as_str()));
        self.pattern.is_match(&program.text) || pattern.is_ok_and(|pattern| pattern.is_match(&bare(&program.text)))
    }
}

impl Oracle for PrintsOracle {
    fn job(&self, program: &Program) -> Job {
        self.runner.job(program)
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        if result.failed_step.is_some() {
            return Verdict::new(Outcome::Unresolved, "it does not compile");
        }
        if matches!(result.end, End::TimedOut | End::Cancelled) || self.end.is_some_and(|end| end != result.end) {
            return Verdict::new(Outcome::Unresolved, result.end.to_string());
        }
        let has_text = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(&self.text);
        match has_text(&result.stdout) || has_text(&result.stderr) {
            true => Verdict::new(Outcome::Fail, "it prints the same"),
            false => Verdict::new(Outcome::Pass, "it prints something else"),
        }
    }

    fn failure(&self) -> FailureId {
        format!("the program prints `{}`", self.text).into()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.runner.command(program, path)
    }

    fn advice(&self) -> &dyn Advice {
        self
    }
}

impl Advice for PrintsOracle {
    fn properties(&self) -> Properties {
        Properties { holds_values: true, ..Properties::default() }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        matches!(which, CompilerJob::Hints | CompilerJob::Errors | CompilerJob::Layout)
            .then(|| which.by(&self.runner.rustc, program))
    }
}

impl Oracle for ExpandsOracle {
    fn job(&self, program: &Program) -> Job {
        let mut job = self.rustc.job(program);
        job.argv.insert(1, Word::Text(EXPANDED.into()));
        job.env.push((UNSTABLE.into(), Some("1".into())));
        Job { subject: Some(Arc::new(program.clone())), ..job }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        match result.end {
            _ if self.is_expanded(result) => match self.may_be_written || !self.is_written(result) {
                true => Verdict::new(Outcome::Fail, "it expands to the same"),
                false => Verdict::new(Outcome::Unresolved, "it is written in the program itself"),
            },
            End::Exited(0) => Verdict::new(Outcome::Pass, "it expands to something else"),
            other => Verdict::new(Outcome::Unresolved, other.to_string()),
        }
    }

    fn failure(&self) -> FailureId {
        format!("the program expands to `{}`", self.pattern).into()
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        let mut rustc = self.rustc.clone();
        rustc.args.insert(0, EXPANDED.into());
        rustc.with_variable(UNSTABLE, "1".into()).command(program, path)
    }

    fn advice(&self) -> &dyn Advice {
        self
    }
}

impl Advice for ExpandsOracle {
    fn properties(&self) -> Properties {
        Properties { runs_candidates: false, ..Properties::default() }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        matches!(which, CompilerJob::Hints | CompilerJob::Layout).then(|| which.by(&self.rustc, program))
    }

    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        OtherFailure::of_compiler(&Failure::recognise(result)?)
    }
}
