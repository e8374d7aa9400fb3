//! The oracle of a text that rustc prints where it expands the macros of a program.

use std::path::Path;
use std::sync::Arc;

use regex::Regex;

use crate::exec::job::{End, Job, JobResult, Word};
use crate::oracle::rustc::Rustc;
use crate::oracle::signature::failure::Failure;
use crate::oracle::signature::fingerprint::OtherFailure;
use crate::oracle::{Advice, CompilerJob, FailureId, Oracle, Properties, Verdict};
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// The option that prints a program with its macros expanded, and the variable that lets a stable rustc take it.
const EXPANDED: &str = "-Zunpretty=expanded";
const UNSTABLE: &str = "RUSTC_BOOTSTRAP";

/// Does the program still expand to this?
#[derive(Clone, Debug)]
pub(crate) struct ExpandsOracle {
    pub rustc: Rustc,
    /// The pattern that its expansion must match.
    pub pattern: Regex,
    /// Whether the program itself may match. Otherwise macros must make the text, although writing it out would be smaller.
    pub may_be_written: bool,
}

impl ExpandsOracle {
    /// The oracle for this pattern. `result` is that of the unreduced program, if known.
    pub(crate) fn new(rustc: Rustc, pattern: Regex, result: Option<&JobResult>) -> Self {
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
