//! An oracle with conditions on a candidate that fails, such as that another compiler accepts it.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use mcve_transforms::{Completed, Ended};

use super::compiler_job::CompilerJob;
use super::judge::{Advice, Condition, Oracle, Properties};
use super::rustc::Rustc;
use super::ui_test::Form;
use super::verdict::Verdict;
use crate::exec::job::{Job, JobResult};
use crate::oracle::signature::fingerprint::{FailureId, OtherFailure};
use crate::program::{Change, Program};

/// A failure and conditions, all of which must hold.
pub(crate) struct Conditional {
    /// The failure, which is judged first, as most candidates do not show it.
    pub failure: Arc<dyn Oracle>,
    /// The conditions.
    pub conditions: Vec<Arc<dyn Condition>>,
}

impl Oracle for Conditional {
    fn job(&self, program: &Program) -> Job {
        // The conditions are about the same program.
        let subject = Some(Arc::new(program.clone()));
        let job = self.failure.job(program);
        Job { subject: job.subject.or(subject), ..job }
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        self.failure.verdict(result)
    }

    fn failure(&self) -> FailureId {
        let conditions = self.conditions.iter().map(|condition| condition.words());
        let FailureId { words, fingerprint } = self.failure.failure();
        FailureId { words: together([words].into_iter().chain(conditions)), fingerprint }
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        let conditions = self.conditions.iter().map(|condition| condition.command(program, path));
        together([self.failure.command(program, path)].into_iter().chain(conditions))
    }
}

impl Advice for Conditional {
    fn properties(&self) -> Properties {
        let own = self.failure.properties();
        let any = |has: fn(&Properties) -> bool| self.conditions.iter().any(|condition| has(&condition.properties()));
        Properties {
            runs_candidates: own.runs_candidates || any(|condition| condition.runs_candidates),
            holds_values: own.holds_values || any(|condition| condition.holds_values),
            ..own
        }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        self.failure.compiler_job(which, program)
    }

    fn conditions(&self) -> &[Arc<dyn Condition>] {
        &self.conditions
    }

    fn runs_by(&self, program: &Program, variable: &str, values: &[String], whole: bool) -> Option<Job> {
        self.failure.runs_by(program, variable, values, whole)
    }

    fn made_constant(&self, program: &Program) -> Vec<Range<usize>> {
        self.failure.made_constant(program)
    }

    fn test(&self) -> Option<&str> {
        self.failure.test()
    }

    fn may_pass(&self, program: &Program) -> bool {
        self.failure.may_pass(program)
    }

    /// A test of the failure alone: the suite has no conditions.
    fn as_ui_test(&self) -> Option<(&Rustc, Form)> {
        self.failure.as_ui_test()
    }

    /// The failure alone: conditions name their own rustc.
    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        self.failure.with_rustc(rustc)
    }

    fn with_time_to_pass(&self) -> Option<Arc<dyn Oracle>> {
        Some(Arc::new(Self { failure: self.failure.with_time_to_pass()?, conditions: self.conditions.clone() }))
    }

    fn at_place(&self, program: &Program, result: &JobResult) -> Option<Arc<dyn Oracle>> {
        let failure = self.failure.at_place(program, result)?;
        Some(Arc::new(Self { failure, conditions: self.conditions.clone() }))
    }

    fn passes_with(&self, change: Change, passing: &JobResult) -> Option<Arc<dyn Condition>> {
        self.failure.passes_with(change, passing)
    }

    fn ends_at(&self, program: &Program, ended: Ended) -> Option<Arc<dyn Condition>> {
        self.failure.ends_at(program, ended)
    }

    fn completes_before(&self, part: Completed) -> Option<Arc<dyn Condition>> {
        self.failure.completes_before(part)
    }

    fn failures(&self) -> Vec<String> {
        self.failure.failures()
    }

    fn message(&self, result: &JobResult) -> Option<String> {
        self.failure.message(result)
    }

    fn difference(&self, result: &JobResult) -> Option<String> {
        self.failure.difference(result)
    }

    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        self.failure.other_failure(result)
    }
}

/// The words of a failure and of its conditions.
fn together(parts: impl Iterator<Item = String>) -> String {
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}
