//! The expansion of the program's macros matches a pattern.

use std::path::Path;
use std::sync::Arc;

use regex::Regex;

use super::kind::{Ask, FailureKind};
use crate::exec::job::{End, Job, JobResult, Word};
use crate::failure::error::FailureError;
use crate::oracle::failure::Failure;
use crate::oracle::fingerprint::OtherFailure;
use crate::oracle::rustc::Rustc;
use crate::oracle::{CompilerJob, FailureId, Oracle, Properties, Verdict};
use crate::program::Program;

#[derive(Clone, Debug)]
pub(in crate::failure) struct Expands(pub(in crate::failure) Regex);

pub(super) fn add(ask: &Ask<'_>, kinds: &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError> {
    if let Some(pattern) = &ask.spec.expands_to {
        kinds.push(Arc::new(Expands(pattern.clone())));
    }
    Ok(())
}

impl FailureKind for Expands {
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle> {
        let mut oracle = ExpandsOracle { rustc: rustc.clone(), pattern: self.0.clone(), may_be_written: true };
        oracle.may_be_written = seen.is_none_or(|seen| !oracle.is_expanded(seen) || oracle.is_written(seen));
        Arc::new(oracle)
    }
}

/// The option that prints a program with its macros expanded, and the variable that lets a stable rustc take it.
const EXPANDED: &str = "-Zunpretty=expanded";
const UNSTABLE: &str = "RUSTC_BOOTSTRAP";

/// Does the program still expand to this?
#[derive(Clone, Debug)]
struct ExpandsOracle {
    rustc: Rustc,
    /// The pattern that its expansion must match.
    pattern: Regex,
    /// Whether the program itself may match. Otherwise macros must make the text, although writing it out would be smaller.
    may_be_written: bool,
}

impl ExpandsOracle {
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
                true => Verdict::fail("it expands to the same"),
                false => Verdict::unresolved("it is written in the program itself"),
            },
            End::Exited(0) => Verdict::pass("it expands to something else"),
            other => Verdict::unresolved(other.to_string()),
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
