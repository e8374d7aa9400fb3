//! An oracle with conditions on a candidate that fails, such as that another compiler accepts it.

use std::path::Path;
use std::sync::Arc;

use super::judge::{Condition, Oracle, Properties};
use super::verdict::Verdict;
use crate::exec::job::{Job, JobResult};
use crate::oracle::signature::fingerprint::FailureId;
use crate::program::Program;

/// A failure and conditions, all of which must hold.
struct Conditional {
    /// The failure, which is judged first, as most candidates do not show it.
    failure: Arc<dyn Oracle>,
    conditions: Vec<Arc<dyn Condition>>,
}

/// `failure` with more conditions.
pub(crate) fn with_conditions(failure: Arc<dyn Oracle>, conditions: Vec<Arc<dyn Condition>>) -> Arc<dyn Oracle> {
    if conditions.is_empty() { failure } else { Arc::new(Conditional { failure, conditions }) }
}

impl dyn Oracle {
    /// A copy with a longer time limit, as a program that passes may run longer than one that fails. None if no program runs.
    #[must_use]
    pub fn with_time_to_pass(&self) -> Option<Arc<dyn Oracle>> {
        Some(with_conditions(Arc::new(self.as_run()?.with_time_to_pass()), self.conditions().to_vec()))
    }

    /// A copy that holds candidates to the expression of `program`, which is traced, that fails in `result`. None if no place
    /// of the program fails.
    pub(crate) fn at_place(&self, program: &Program, result: &JobResult) -> Option<Arc<dyn Oracle>> {
        Some(with_conditions(Arc::new(self.as_run()?.at_place(program, result)?), self.conditions().to_vec()))
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

    fn failure(&self) -> FailureId {
        let conditions = self.conditions.iter().map(|condition| condition.words());
        let FailureId { words, fingerprint } = self.failure.failure();
        FailureId { words: together([words].into_iter().chain(conditions)), fingerprint }
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        let conditions = self.conditions.iter().map(|condition| condition.command(program, path));
        together([self.failure.command(program, path)].into_iter().chain(conditions))
    }

    fn base(&self) -> Option<&dyn Oracle> {
        Some(&*self.failure)
    }

    fn properties(&self) -> Properties {
        let own = self.failure.properties();
        let any = |has: fn(&Properties) -> bool| self.conditions.iter().any(|condition| has(&condition.properties()));
        Properties {
            runs_candidates: own.runs_candidates || any(|condition| condition.runs_candidates),
            holds_values: own.holds_values || any(|condition| condition.holds_values),
            ..own
        }
    }

    fn conditions(&self) -> &[Arc<dyn Condition>] {
        &self.conditions
    }
}

/// The words of a failure and of its conditions.
fn together(parts: impl Iterator<Item = String>) -> String {
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}
