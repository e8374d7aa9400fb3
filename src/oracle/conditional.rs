//! An oracle with conditions: what else has to hold of a candidate that fails, such as that another compiler accepts it.

use std::path::Path;
use std::sync::Arc;

use super::fingerprint::{Fingerprint, OtherFailure};
use super::rustc::Rustc;
use super::ui_test::Form;
use super::{Oracle, Verdict};
use crate::dd::outcome::Outcome;
use crate::exec::job::{End, Job, JobResult};
use crate::program::Program;

/// What has to hold of a candidate besides its failure.
#[derive(Clone)]
pub struct Condition {
    /// The condition holds where this says `Fail`.
    pub oracle: Arc<dyn Oracle>,
    /// Or where it does not, although its job ended by itself.
    pub is_negated: bool,
}

/// A failure and conditions: all of them have to hold.
pub struct Conditional {
    /// The failure. It is judged first, as most candidates do not show it.
    pub failure: Arc<dyn Oracle>,
    /// What is judged then, one after the other.
    pub conditions: Vec<Condition>,
}

impl Condition {
    /// What is to be run to judge `program`, where `first` came of the check of the failure.
    ///
    /// # Errors
    /// When the condition does not hold by that alone: why.
    pub fn job(&self, program: &Program, first: &JobResult) -> Result<Job, String> {
        self.oracle.job_after(program, first)
    }

    /// Why the condition does not hold; nothing where it does.
    #[must_use]
    pub fn broken(&self, result: &JobResult) -> Option<String> {
        let verdict = self.oracle.verdict(result);
        let has_ended = !matches!(result.end, End::TimedOut | End::Cancelled);
        match (verdict.outcome, self.is_negated) {
            (Outcome::Fail, false) => None,
            (_, false) => Some(verdict.reason),
            (Outcome::Fail, true) => Some(self.oracle.failure()),
            (_, true) => (!has_ended).then_some(verdict.reason),
        }
    }
}

impl std::fmt::Display for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_negated {
            f.write_str("not: ")?;
        }
        f.write_str(&self.oracle.failure())
    }
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

    fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    fn runs_candidates(&self) -> bool {
        self.failure.runs_candidates() || self.conditions.iter().any(|condition| condition.oracle.runs_candidates())
    }

    fn hints(&self, program: &Program) -> Option<Job> {
        self.failure.hints(program)
    }

    fn errors(&self, program: &Program) -> Option<Job> {
        self.failure.errors(program)
    }

    fn layout(&self, program: &Program) -> Option<Job> {
        self.failure.layout(program)
    }

    fn compiled(&self, program: &Program) -> Option<Job> {
        self.failure.compiled(program)
    }

    fn runs_by(&self, program: &Program, variable: &str, values: &[String], whole: bool) -> Option<Job> {
        self.failure.runs_by(program, variable, values, whole)
    }

    fn holds_values(&self) -> bool {
        self.failure.holds_values() || self.conditions.iter().any(|condition| condition.oracle.holds_values())
    }

    fn may_pass(&self, program: &Program) -> bool {
        self.failure.may_pass(program)
    }

    fn is_crash(&self) -> bool {
        self.failure.is_crash()
    }

    fn is_question(&self) -> bool {
        self.failure.is_question()
    }

    /// A test of the failure: it cannot say what has to hold besides.
    fn as_ui_test(&self) -> Option<(&Rustc, Form)> {
        self.failure.as_ui_test()
    }

    /// The failure by another way of running rustc. The conditions say their own.
    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        self.failure.with_rustc(rustc)
    }

    fn with_time_to_pass(&self) -> Option<Arc<dyn Oracle>> {
        Some(Arc::new(Self { failure: self.failure.with_time_to_pass()?, conditions: self.conditions.clone() }))
    }

    fn failure(&self) -> String {
        let conditions = self.conditions.iter().map(ToString::to_string);
        together([self.failure.failure()].into_iter().chain(conditions))
    }

    fn failures(&self) -> Vec<String> {
        self.failure.failures()
    }

    fn fingerprint(&self) -> Option<Fingerprint> {
        self.failure.fingerprint()
    }

    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        self.failure.other_failure(result)
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        let conditions = self.conditions.iter().map(|condition| condition.oracle.command(program, path));
        together([self.failure.command(program, path)].into_iter().chain(conditions))
    }
}

/// All that is said of a failure and of what has to hold besides.
fn together(parts: impl Iterator<Item = String>) -> String {
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}
