//! An oracle with conditions on a candidate that fails, such as that another compiler accepts it.

use std::path::Path;
use std::sync::Arc;

use mcve_transforms::{Hint, Seen};

use super::judge::{Condition, Oracle, Properties, Verdict};
use super::kinds::diagnostic::DiagnosticOracle;
use super::run::RunOracle;
use crate::exec::job::{End, Job, JobResult};
use crate::oracle::signature::fingerprint::FailureId;
use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// A failure and conditions, all of which must hold.
struct Conditional {
    /// The failure, which is judged first, as most candidates do not show it.
    failure: Arc<dyn Oracle>,
    conditions: Vec<Arc<dyn Condition>>,
}

pub(crate) fn with_conditions(failure: Arc<dyn Oracle>, conditions: Vec<Arc<dyn Condition>>) -> Arc<dyn Oracle> {
    if conditions.is_empty() { failure } else { Arc::new(Conditional { failure, conditions }) }
}

impl dyn Oracle {
    /// The failure with these conditions in place of its own.
    pub(crate) fn with_others(self: &Arc<Self>, conditions: Vec<Arc<dyn Condition>>) -> Arc<Self> {
        with_conditions(self.base().unwrap_or(self).clone(), conditions)
    }

    /// With a longer time limit, as a program that passes may take longer. The oracle itself if no program runs.
    #[must_use]
    pub fn with_time_to_pass(self: &Arc<Self>) -> Arc<Self> {
        let Some(run) = self.as_run() else { return Arc::clone(self) };
        with_conditions(Arc::new(run.with_time_to_pass()), self.conditions().to_vec())
    }

    /// Whether a condition says how the program passes: in another configuration.
    pub(crate) fn says_how_it_passes(&self) -> bool {
        self.conditions().iter().any(|condition| condition.properties().is_passing)
    }

    /// A copy for the expression of `program`, which is traced, that fails in `result`. None if no place of it fails.
    pub(crate) fn at_place(&self, program: &Program, result: &JobResult) -> Option<Arc<dyn Oracle>> {
        Some(with_conditions(Arc::new(self.as_run()?.at_place(program, result)?), self.conditions().to_vec()))
    }

    /// A copy for a failure whose functions may be renamed. None if nothing runs.
    pub(crate) fn following_names(&self) -> Option<Arc<dyn Oracle>> {
        let run = RunOracle { follows_names: true, ..self.as_run()?.clone() };
        Some(with_conditions(Arc::new(run), self.conditions().to_vec()))
    }

    /// A copy for a failure that depends on no function of `program` whose body is in `not_reached`. None if nothing runs.
    pub(crate) fn reaching(&self, program: &Program, not_reached: &[Hint]) -> Option<Arc<dyn Oracle>> {
        Some(with_conditions(Arc::new(self.as_run()?.reaching(program, not_reached)), self.conditions().to_vec()))
    }
}

/// The oracle for other data, or for data that were `seen` to run. None if nothing depends on the data.
pub(crate) fn of_data(oracle: &Arc<dyn Oracle>, seen: Option<&Seen>) -> Option<Arc<dyn Oracle>> {
    let mut depends = false;
    let of_data = |condition: &Arc<dyn Condition>| {
        let other = condition.of_data(seen);
        depends |= other.is_some();
        other.unwrap_or_else(|| Arc::clone(condition))
    };
    let conditions = oracle.conditions().iter().map(of_data).collect();
    depends.then(|| oracle.with_others(conditions))
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

    fn base(&self) -> Option<&Arc<dyn Oracle>> {
        Some(&self.failure)
    }

    fn properties(&self) -> Properties {
        let own = self.failure.properties();
        let any = |has: fn(&Properties) -> bool| self.conditions.iter().any(|condition| has(&condition.properties()));
        Properties {
            runs_candidates: own.runs_candidates || any(|condition| condition.runs_candidates),
            holds_values: own.holds_values || any(|condition| condition.holds_values),
            holds_decisions: own.holds_decisions || any(|condition| condition.holds_decisions),
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

/// The condition that the program has another failure as well, or has it not.
#[derive(Clone)]
pub(crate) struct ByOracle {
    /// Judges the condition: `Fail` means that it holds.
    pub oracle: Arc<dyn Oracle>,
    /// Whether the condition must not hold, although its job ended by itself.
    pub is_negated: bool,
    /// The diagnostic that must not be reported in this job where the failure has it.
    pub absent: Option<DiagnosticOracle>,
}

impl Condition for ByOracle {
    fn job(&self, program: &Program, _: &JobResult) -> Result<Job, String> {
        Ok(self.oracle.job(program))
    }

    fn broken(&self, result: &JobResult, first: &JobResult) -> Option<String> {
        let verdict = self.oracle.verdict(result);
        let has_ended = !matches!(result.end, End::TimedOut | End::Cancelled);
        match (verdict.outcome, self.is_negated) {
            (Outcome::Fail, false) => self.absent.as_ref()?.repeated(result, first),
            (_, false) => Some(verdict.reason),
            (Outcome::Fail, true) => Some(self.oracle.failure().words),
            (_, true) => (!has_ended).then_some(verdict.reason),
        }
    }

    fn properties(&self) -> Properties {
        let own = self.oracle.properties();
        Properties { is_passing: own.is_passing && !self.is_negated, ..own }
    }

    fn words(&self) -> String {
        let without = if self.absent.is_some() { " without it" } else { "" };
        format!("{}{}{without}", if self.is_negated { "not: " } else { "" }, self.oracle.failure().words)
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.oracle.command(program, path)
    }
}
