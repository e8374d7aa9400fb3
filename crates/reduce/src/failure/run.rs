//! Recognises the failure of a program that compiles when it is run: its `main`, or else its tests.

use std::time::{Duration, Instant};

use super::compiler::{Recogniser, Unrecognised};
use crate::check::rerun::may_go_on;
use crate::exec::job::{End, JobResult};
use crate::oracle::entry::has_main;
use crate::oracle::harness::{failed_tests, started_tests};
use crate::oracle::run::{RunOracle, Runner, SECONDS, Stdin, Target};
use crate::oracle::run_failure::{RunFailure, RunKind};
use crate::oracle::rustc::Rustc;

/// The time limit of a run at the start where the user gave none for checks.
const PATIENCE: Duration = Duration::from_secs(60);

/// The result of running a program.
pub enum Recognised {
    /// A failure, and the number of tests that fail if all of them were run.
    Fails(Box<RunOracle>, usize),
    /// No failure: the description of what was run.
    Passes(String),
    /// Nothing was run: the reason, if there is one.
    NotRun(String),
    /// It cannot be compiled in the way that the run needs: the name of the target, and the result.
    NotCompiled(&'static str, JobResult),
    /// It did not end within this time.
    TimedOut(Duration),
}

/// Looks for the failure of a program that is run.
pub(super) struct RunRecogniser<'a> {
    pub(super) recogniser: Recogniser<'a>,
    pub(super) stdin: Option<Stdin>,
}

impl RunRecogniser<'_> {
    /// Runs `target`, or else `main` if there is one, then the tests, and again if they pass: it may fail in some of the runs only.
    pub(super) fn recognise(&self, rustc: &Rustc, target: Option<&Target>) -> Result<Recognised, Unrecognised> {
        let mut walls = Vec::new();
        loop {
            let start = Instant::now();
            let found = target.map_or_else(|| self.anything(rustc), |target| self.fails(rustc, target.clone()))?;
            walls.push(start.elapsed());
            match found {
                Recognised::Passes(_) if may_go_on(&walls) => {}
                Recognised::Passes(ran) => {
                    return Ok(Recognised::Passes(format!("{ran} (tried {} times)", walls.len())));
                }
                found => return Ok(found),
            }
        }
    }

    fn anything(&self, rustc: &Rustc) -> Result<Recognised, Unrecognised> {
        let has_main = rustc.of_type("bin").is_some() && has_main(&self.recogniser.program.root());
        let mut ran = Vec::new();
        if has_main {
            match self.fails(rustc, Target::Main(Vec::new()))? {
                Recognised::Passes(_) => ran.push("`main` runs"),
                other => return Ok(other),
            }
        }
        if self.recogniser.program.text.contains("test]") {
            match self.tests(rustc)? {
                Recognised::Passes(_) => ran.push("its tests pass"),
                other => return Ok(other),
            }
        }
        Ok(if ran.is_empty() { Recognised::NotRun(String::new()) } else { Recognised::Passes(ran.join(", ")) })
    }

    /// Runs all tests, then the first failing one by itself.
    fn tests(&self, rustc: &Rustc) -> Result<Recognised, Unrecognised> {
        let all = Target::Test(String::new());
        let runner = self.runner(rustc.as_tests(), all.clone());
        let (runner, result) = self.run(runner)?;
        if let Some(other) = self.not_run(&all, &result) {
            return Ok(other);
        }
        let failed = failed_tests(&result.stdout);
        let count = failed.len();
        // If a test ends the whole process, it is the last one that was started.
        let stdout = String::from_utf8_lossy(&result.stdout);
        let last = || started_tests(&stdout).next_back().map(str::to_owned);
        let ended = || last().filter(|_| result.end != End::Exited(0));
        let Some(name) = failed.into_iter().next().or_else(ended) else {
            return Ok(Recognised::Passes(String::new()));
        };
        Ok(match self.recognise(&runner.rustc, Some(&Target::Test(name)))? {
            Recognised::Fails(oracle, _) => Recognised::Fails(oracle, count),
            other => other,
        })
    }

    fn fails(&self, rustc: &Rustc, target: Target) -> Result<Recognised, Unrecognised> {
        let rustc = if matches!(target, Target::Test(_)) { rustc.as_tests() } else { rustc.clone() };
        let (mut runner, mut result) = self.run(self.runner(rustc, target.clone()))?;
        if let Some(other) = self.not_run(&target, &result) {
            return Ok(other);
        }
        if let Some(alone) = runner.alone(&result) {
            runner = alone;
            result = self.result(&runner)?;
        }
        let Some(mut failure) = runner.failure(&result, self.recogniser.program) else {
            let (ran, is_run) = (runner.describe_success(&result), runner.passes(&result));
            return Ok(if is_run { Recognised::Passes(ran) } else { Recognised::NotRun(ran) });
        };
        if failure.kind == RunKind::Panic && failure.site.function.is_none() {
            runner.is_traced = true;
            (result, failure) = self.failing_again(&runner)?.unwrap_or((result, failure));
        }
        if failure.is_of_values() {
            let again = self.failing_again(&runner)?;
            failure = failure.without_varying(again.map(|(_, failure)| failure).as_ref());
        }
        let (runner, expression, follows_names) = (runner.limited_by(&result), None, false);
        Ok(Recognised::Fails(Box::new(RunOracle { runner, failure, expression, follows_names }), 1))
    }

    /// Another run that fails of a program that failed.
    fn failing_again(&self, runner: &Runner) -> Result<Option<(JobResult, RunFailure)>, Unrecognised> {
        let mut walls = Vec::new();
        while may_go_on(&walls) {
            let result = self.result(runner)?;
            walls.push(result.wall);
            if let Some(failure) = runner.failure(&result, self.recogniser.program) {
                return Ok(Some((result, failure)));
            }
        }
        Ok(None)
    }

    /// The answer if `target` was not run to its end.
    fn not_run(&self, target: &Target, result: &JobResult) -> Option<Recognised> {
        let what = if matches!(target, Target::Test(_)) { "its tests" } else { "it" };
        match result.end {
            End::TimedOut => Some(Recognised::TimedOut(self.limit())),
            _ if result.failed_step.is_some() => Some(Recognised::NotCompiled(what, result.clone())),
            _ => None,
        }
    }

    fn limit(&self) -> Duration {
        self.recogniser.timeout.unwrap_or(PATIENCE)
    }

    fn runner(&self, rustc: Rustc, target: Target) -> Runner {
        Runner::new(rustc, target, self.stdin.clone(), self.limit().as_secs().max(SECONDS))
    }

    /// Runs it, linked to the shared standard library if possible.
    fn run(&self, runner: Runner) -> Result<(Runner, JobResult), Unrecognised> {
        let result = self.result(&runner)?;
        if result.failed_step.is_none() {
            return Ok((runner, result));
        }
        let runner = Runner { is_dynamic: false, ..runner };
        let result = self.result(&runner)?;
        Ok((runner, result))
    }

    fn result(&self, runner: &Runner) -> Result<JobResult, Unrecognised> {
        self.recogniser.run_job(&runner.job(self.recogniser.program), self.limit())
    }
}
