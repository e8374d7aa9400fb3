//! The oracle of a program that fails when it is run: its `main`, or one of its tests.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use mcve_transforms::{Analysis, Ended, FailingSite, Hint, Probes, Seen, Source, Tree, covers};

use crate::exec::job::{End, Job, JobResult};
use crate::oracle::output::run_message::OVERFLOW;
use crate::oracle::run::{RunOracle, Runner, Target, subject};
use crate::oracle::run_conditions::{EndsAt, PassesChanged, SameValues};
use crate::oracle::rustc::Rustc;
use crate::oracle::signature::failure::Failure;
use crate::oracle::signature::fingerprint::{Fingerprint, OtherFailure};
use crate::oracle::signature::run_failure::{RunFailure, RunKind, failing_byte, is_of_limit, message};
use crate::oracle::ui_test::Form;
use crate::oracle::{CompilerJob, Condition, FailureId, Oracle, Properties, Verdict};
use crate::program::{Change, Program};

/// The seconds of a processor that a run may take where a program that passes is looked for.
const SECONDS_TO_PASS: u64 = 5;

impl Oracle for RunOracle {
    fn job(&self, program: &Program) -> Job {
        self.runner.job(program)
    }

    fn verdict(&self, result: &JobResult) -> Verdict {
        if result.failed_step.is_some() {
            return Verdict::not_compiled(result);
        }
        if self.runner.passes(result) {
            let is_kept = result.subject.as_ref().is_some_and(|program| self.failure.is_tested_by(program));
            return if is_kept { Verdict::pass("it passes") } else { Verdict::unresolved("what fails is gone") };
        }
        if is_of_limit(result.end) {
            return Verdict::unresolved(End::TimedOut.to_string());
        }
        let failure = result.subject.as_ref().and_then(|program| {
            let failure = self.runner.failure(result, program)?;
            Some(if self.follows_names { failure.named_by_origin(program) } else { failure })
        });
        match failure {
            None if result.end == End::Exited(0) => Verdict::unresolved("the test did not run"),
            None => Verdict::unresolved(format!("no failure that is known: {}", result.end)),
            Some(other) => match self.failure.difference(&other) {
                None if result.subject.as_ref().is_some_and(|program| self.is_elsewhere(result, program)) => {
                    Verdict::unresolved("another expression fails in the same way")
                }
                None => Verdict::fail("the same failure"),
                Some(why) => Verdict::unresolved(why),
            },
        }
    }

    fn failure(&self) -> FailureId {
        let words = match &self.runner.target {
            Target::Main(_) => self.failure.to_string(),
            Target::Test(name) => format!("the test `{name}` fails: {}", self.failure),
        };
        FailureId { words, fingerprint: Some(Fingerprint::from(&self.failure).to_string()) }
    }

    fn command(&self, program: &Program, path: &Path) -> String {
        self.runner.command(program, path)
    }

    fn properties(&self) -> Properties {
        Properties { holds_values: self.failure.is_of_values(), is_of_run: true, ..Properties::default() }
    }

    fn compiler_job(&self, which: CompilerJob, program: &Program) -> Option<Job> {
        self.runner.compiler_job(which, program)
    }

    fn as_run(&self) -> Option<&RunOracle> {
        Some(self)
    }

    fn as_ui_test(&self) -> Option<(&Rustc, Form)> {
        // The suite puts nothing on the standard input of a test.
        let is_plain = self.runner.stdin.is_none();
        let args = if let Target::Main(args) = &self.runner.target { args.clone() } else { Vec::new() };
        let (crashes, message) = (matches!(self.failure.kind, RunKind::Signal(_)), self.failure.message.clone());
        is_plain.then_some((&self.runner.rustc, Form::Run { crashes, message, args }))
    }

    fn with_rustc(&self, rustc: Rustc) -> Option<Arc<dyn Oracle>> {
        let runner = Runner { rustc, ..self.runner.clone() };
        Some(Arc::new(Self { runner, ..self.clone() }))
    }

    fn message(&self, result: &JobResult) -> Option<String> {
        message(result)
    }

    fn other_failure(&self, result: &JobResult) -> Option<OtherFailure> {
        if result.failed_step.is_some() {
            return OtherFailure::of_compiler(&Failure::recognise(result)?);
        }
        let failure = self.runner.failure(result, result.subject.as_ref()?)?;
        let is_other =
            failure.is_crash() && (failure.kind, &failure.message) != (self.failure.kind, &self.failure.message);
        is_other.then(|| OtherFailure::of_program(failure))
    }
}

/// Advice of this kind alone.
impl RunOracle {
    /// Whether `program` still has the code that fails. If not, a run without the failure proves nothing.
    pub(crate) fn may_pass(&self, program: &Program) -> bool {
        self.failure.is_tested_by(&subject(program))
    }

    /// A copy with a longer time limit.
    pub(crate) fn with_time_to_pass(&self) -> Self {
        Self { runner: self.to_pass(), ..self.clone() }
    }

    /// A copy that holds candidates to the expression of `program`, which is traced, that fails in `result`.
    pub(crate) fn at_place(&self, program: &Program, result: &JobResult) -> Option<Self> {
        let byte = failing_byte(result, program)?;
        let expression = Some(FailingSite::expression(&Tree::new(&Source::parse(&*program.text)), byte));
        Some(Self { expression, ..self.clone() })
    }

    /// A copy for a failure that depends on no function of `program` whose body is in `not_reached`.
    pub(crate) fn reaching(&self, program: &Program, not_reached: &[Hint]) -> Self {
        let source = Source::parse(&*program.text);
        let tree = Tree::new(&source);
        let is_reached = |bytes: &Range<usize>| !not_reached.iter().any(|hint| covers(&hint.site, bytes));
        let site = self.failure.site.clone().reaching(&Analysis::of(&tree), &is_reached);
        Self { failure: RunFailure { site, ..self.failure.clone() }, ..self.clone() }
    }

    /// A copy for the failure in `result` of one call by `main` or a test: an assertion about it, or the same panic in it.
    pub(crate) fn of_call(&self, program: &Program, result: &JobResult, is_asserted: bool) -> Option<Self> {
        let failure = self.runner.failure(result, program)?;
        let is_own = if is_asserted { failure.is_asserted() } else { failure.message == self.failure.message };
        is_own.then(|| Self { failure, expression: None, ..self.clone() })
    }

    /// The condition that the program passes with a change of the unreduced program, for which that takes as long as in
    /// `passing`, and that what decides about the changed code is there.
    pub(crate) fn passes_with(
        &self,
        change: Change,
        decisions: Vec<Vec<Range<usize>>>,
        passing: &JobResult,
    ) -> Arc<dyn Condition> {
        // The change may be where it fails.
        let failure = RunFailure { site: FailingSite::default(), ..self.failure.clone() };
        let oracle =
            Self { runner: self.runner.clone().limited_by(passing), failure, expression: None, ..self.clone() };
        Arc::new(PassesChanged { change, decisions, oracle: Arc::new(oracle) })
    }

    /// The condition that the run ends by these statements of `program`, which is not reduced. None if no statement ends it.
    pub(crate) fn ends_at(&self, program: &Program, ended: Ended) -> Option<Arc<dyn Condition>> {
        if self.failure.message == OVERFLOW {
            return None;
        }
        let source = Source::parse(&*program.text);
        let tree = Tree::new(&source);
        let [last, before] = [Some(ended.last), ended.before].map(|byte| Some(Ended::statement(&tree, byte?)));
        Some(Arc::new(EndsAt { runner: self.to_pass(), last: last?, before }))
    }

    /// The condition that a run shows no values that were not `seen` in those of `program`, which is not reduced and fails in `failing`.
    /// Where no change shows the cause, a block around the failure has to be begun more than once, if one was: what decides is held.
    pub(crate) fn same_values(
        &self,
        program: &Program,
        seen: Seen,
        failing: &JobResult,
        has_cause: bool,
    ) -> SameValues {
        let (runner, input) = (self.to_pass(), Arc::clone(&program.text));
        let byte = failing_byte(failing, program).filter(|_| !has_cause);
        let repeated =
            byte.map(|byte| Probes::blocks(&Tree::new(&Source::parse(&*input))).repeated_around(byte, &seen));
        let repeated = repeated.unwrap_or_default();
        SameValues { runner, seen, has_other_data: false, input, repeated, has_cause }
    }

    /// How the program is run if it may pass, which may take longer than to fail.
    pub(crate) fn to_pass(&self) -> Runner {
        let seconds = self.runner.seconds.max(SECONDS_TO_PASS);
        Runner { seconds, processor: None, ..self.runner.clone() }
    }

    /// Whether another expression of the unreduced program fails.
    fn is_elsewhere(&self, result: &JobResult, program: &Program) -> bool {
        let Some(expression) = &self.expression else { return false };
        let from = failing_byte(result, program).and_then(|byte| program.origin_of(byte));
        from.is_some_and(|from| !expression.contains(&from.start))
    }
}
