//! A request for a failure of a program, and the oracle that keeps it.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;

use super::error::{Cause, FailureError};
use super::held::{Found, FoundOracle, Held, with_held};
use super::lookup::Lookup;
use super::problem::{Problem, admit};
use super::shown::likely_reason;
use super::spec::{FailureSpec, Judge};
use super::subject::Subject;
use crate::check::ahead::Ahead;
use crate::exec::cancel::Cancel;
use crate::exec::fingerprint;
use crate::exec::job::{End, ExecError, Executor, Job, JobResult};
use crate::oracle::headers::Trust;
use crate::oracle::rustc::Rustc;
use crate::program::Program;
use crate::project::manifest;
use crate::session::Session;
use crate::state::invocation::{Fact, VERSION};
use crate::state::journal::Journal;

/// Texts in a program that may make it depend on other files, or on the environment.
const READS: [&str; 6] = ["env!", "include!", "include_bytes!", "include_str!", "path = \"", "path=\""];

/// A request for a failure of a program.
pub struct Request<'a> {
    /// The failure that the user asks for.
    pub spec: &'a FailureSpec,
    /// The unreduced program, as the user gave it.
    pub subject: Subject<'a>,
    /// The unreduced program.
    pub program: &'a Program,
    /// Runs checks, and knows the results of earlier ones.
    pub session: &'a Session,
    /// Whether the arguments of rustc belong to the program, so that they are reduced with it.
    pub reduces_arguments: bool,
}

impl Request<'_> {
    /// Finds the failure: a script or a command decides, or else rustc, or the program, shows it.
    ///
    /// # Errors
    /// When the check cannot be run, the program does not fail, or the resumed run had another judge.
    pub fn find(&self) -> Result<Problem, FailureError> {
        let mut found = self.judged();
        // By what was recorded before the change, another failure may have been found.
        if self.session.journal.take_restart() {
            found = self.judged();
        }
        found.map_err(|error| {
            let file = self.subject.file.to_owned();
            // A tool that was killed is not one that cannot be run.
            match (&error.cause, self.session.limits.proceed()) {
                (Cause::Unavailable(_), Err(stop)) => FailureError { file, ..stop.into() },
                _ => FailureError { file, ..error },
            }
        })
    }

    /// The failure, by whatever decides.
    fn judged(&self) -> Result<Problem, FailureError> {
        match &self.spec.judge {
            Judge::Compiler => self.compiled(),
            Judge::Script(test, bad) => self.by_script(test, *bad),
            Judge::Command(words, conditions) => self.by_command(words, conditions),
        }
    }

    /// The conditions besides the decision of a script or a command.
    pub(super) fn conditions(&self, rustc: &Rustc) -> Result<Vec<Held>, FailureError> {
        let (executor, cancel) = (self.remembering()?, self.session.limits.cancel());
        let lookup = self.lookup(&executor, &cancel, true);
        let held = lookup.conditions(rustc, None, &lookup.kinds()?)?;
        held.map_err(|unmet| unmet.error(Cause::UnmetBesides))
    }

    fn remembering(&self) -> Result<Remembering<'_>, FailureError> {
        let executor = Ahead::new(&self.session.executor(), self.session.jobs).context("cannot start a thread")?;
        Ok(Remembering { executor, journal: &self.session.journal })
    }

    fn lookup<'b>(&'b self, executor: &'b Remembering<'_>, cancel: &'b Cancel, may_run: bool) -> Lookup<'b> {
        let (spec, subject, program, session) = (self.spec, self.subject, self.program, self.session);
        Lookup { spec, subject, program, session, executor, cancel, may_run }
    }

    /// The failure that rustc, or the program, shows.
    fn compiled(&self) -> Result<Problem, FailureError> {
        let held = self.session.held();
        let is_held = held.is_some_and(|held| held.files);
        if self.program.has_proc_macros() && !is_held && self.spec.trust == Trust::AllowList {
            return Err(Cause::UnconfinedMacro.into());
        }
        admit(self.session, self.spec.run_target().is_some())?;
        let may_run = is_held || held.is_none() && self.spec.run_target().is_some();
        let (executor, cancel) = (self.remembering()?, self.session.limits.cancel());
        let Found { oracle, conditions, notes, program: found } = self.lookup(&executor, &cancel, may_run).run()?;
        self.hold_to_shown(&oracle, &found)?;
        self.record_basis_of(&oracle, &conditions)?;
        let executor = self.session.shared_executor_of(oracle.rustc().program.clone());
        let executor = executor.context("cannot use an executor")?;
        let (rustc, program) = self.with_arguments(oracle.rustc(), found);
        let oracle = with_held(oracle.with(rustc.clone()).oracle(), &rustc, &conditions);
        Ok(Problem { program, oracle, executor, runs: self.spec.runs(), notes })
    }

    /// The program with the arguments of rustc that belong to it, and rustc without them.
    fn with_arguments(&self, rustc: &Rustc, program: Program) -> (Rustc, Program) {
        let (without, arguments, variables) = rustc.split();
        // An argument of one of several configurations does not belong to the program.
        let is_wanted = self.reduces_arguments && !self.spec.fails_with.iter().any(|config| !config.args.is_empty());
        let extended = (is_wanted && !(arguments.is_empty() && variables.is_empty()))
            .then(|| program.with_arguments(&arguments, &variables))
            .flatten();
        extended.map_or_else(|| (rustc.clone(), program), |extended| (without, extended))
    }

    /// Checks that the first check shows only failures that cargo showed of the same crate.
    fn hold_to_shown(&self, oracle: &FoundOracle, program: &Program) -> Result<(), FailureError> {
        let Some(shown) = self.subject.shown.filter(|_| !self.spec.force) else { return Ok(()) };
        let is_diagnostic = matches!(oracle, FoundOracle::Diagnostic(_));
        let oracle = oracle.clone().oracle();
        let mut failures = oracle.failures();
        failures.extend(is_diagnostic.then(|| oracle.failure().words));
        let Some(error) = shown.lacking(&failures) else { return Ok(()) };
        let command = self.subject.by_hand(&|path| oracle.command(program, path));
        let cause = Cause::NotOfCargo(error.to_owned(), likely_reason(error));
        Err(FailureError { command: Some(command), ..cause.into() })
    }

    /// Records the basis of verdicts by a compiler or a run.
    fn record_basis_of(&self, oracle: &FoundOracle, conditions: &[Held]) -> Result<(), FailureError> {
        // Other files may change between two runs.
        let reads = READS.iter().any(|read| self.program.text.contains(read))
            || oracle.rustc().args.iter().any(|arg| arg.as_encoded_bytes().contains(&b'/'));
        let is_compiled =
            matches!(oracle, FoundOracle::Rustc(_)) && conditions.iter().all(|held| matches!(held, Held::Valid(_)));
        // The behaviour of a program that is run may depend on anything.
        let identity = (is_compiled && !reads)
            .then(|| format!("{oracle:?}, {conditions:?}, {:?}, {:?}", self.program.name, self.session.memory));
        let edition = manifest::edition(self.subject.file).map_or("none".to_owned(), |(edition, _)| edition);
        let edition = Fact::new("the edition of the nearest Cargo.toml", edition);
        let compiler = &oracle.rustc().program;
        self.record_basis(identity.clone(), Some(compiler), vec![edition])?;
        if let (Some(identity), Some(place)) = (identity, &self.session.store) {
            // The same compiler is elsewhere on other machines.
            let identity = identity.replace(&format!("{compiler:?}"), &fingerprint::released(compiler));
            self.session.journal.share(place, &format!("{VERSION} {identity} {:?}", Fact::environment()));
        }
        Ok(())
    }

    /// Records in the journal the facts that verdicts depend on, which may invalidate earlier ones. A script or a command may
    /// depend on anything: its verdicts hold in one run only, and there only while these facts do not change.
    pub(super) fn record_basis(
        &self,
        identity: Option<String>,
        rustc: Option<&Path>,
        others: Vec<Fact>,
    ) -> Result<(), FailureError> {
        if !self.session.journal.is_of_use() {
            return Ok(());
        }
        let mut facts = Fact::environment();
        facts.extend(rustc.map(|path| Fact::new("rustc", fingerprint::rustc(path))));
        facts.extend(others);
        self.session.journal.set_basis(identity, facts).map_err(|change| {
            let error = anyhow::Error::new(change);
            error.context("the run cannot be resumed, as its checks would no longer be the same").into()
        })
    }
}

/// Runs jobs in the order of an earlier run, taking the recorded results first.
struct Remembering<'a> {
    /// Runs the jobs without a recorded result.
    executor: Ahead,
    /// The recorded results, to which new ones are added.
    journal: &'a Journal,
}

impl Executor for Remembering<'_> {
    fn run(&self, job: &Job, timeout: Duration, cancel: &Cancel) -> Result<JobResult, ExecError> {
        if let Some(result) = self.journal.take_run() {
            return Ok(result);
        }
        let result = self.executor.run(job, timeout, cancel)?;
        // A cancelled run has no meaningful result.
        if result.end != End::Cancelled {
            self.journal.record_run(&result);
        }
        Ok(result)
    }

    fn expect(&self, jobs: Vec<Job>) {
        self.executor.expect(jobs);
    }
}
