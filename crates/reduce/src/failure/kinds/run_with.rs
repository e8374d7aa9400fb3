//! How a program is checked: compiled, or compiled and run.

use std::path::Path;

use crate::exec::job::{Job, JobResult};
use crate::oracle::run::{Runner, Stdin, Target};
use crate::oracle::rustc::Rustc;
use crate::program::Program;

/// The processor seconds allowed to a program that is not meant to hang.
pub(super) const SECONDS: u64 = 60;

#[derive(Clone, Debug)]
pub(in crate::failure) struct RunWith {
    pub(in crate::failure) target: Target,
    pub(in crate::failure) stdin: Option<Stdin>,
}

impl RunWith {
    pub(super) fn runner(&self, rustc: &Rustc) -> Runner {
        let is_test = matches!(self.target, Target::Test(_));
        let rustc = if is_test { rustc.as_tests() } else { rustc.clone() };
        Runner::new(rustc, self.target.clone(), self.stdin.clone(), SECONDS)
    }
}

/// What a check runs.
#[derive(Clone, Debug)]
pub(super) enum Checked {
    Compiler(Rustc),
    Program(Runner),
}

impl Checked {
    /// A run of the program, with the limits that follow from the run that was `seen`, or else of the compiler.
    pub(super) fn new(runner: Option<Runner>, rustc: Rustc, seen: Option<&JobResult>) -> Self {
        let limited = |runner: Runner| seen.map_or(runner.clone(), |seen| runner.limited_by(seen));
        runner.map(limited).map_or(Self::Compiler(rustc), Self::Program)
    }

    pub(super) fn is_run(&self) -> bool {
        matches!(self, Self::Program(_))
    }

    pub(super) fn rustc(&self) -> &Rustc {
        match self {
            Self::Compiler(rustc) => rustc,
            Self::Program(runner) => &runner.rustc,
        }
    }

    pub(super) fn job(&self, program: &Program) -> Job {
        match self {
            Self::Compiler(rustc) => rustc.job(program),
            Self::Program(runner) => runner.job(program),
        }
    }

    pub(super) fn command(&self, program: &Program, path: &Path) -> String {
        match self {
            Self::Compiler(rustc) => rustc.command(program, path),
            Self::Program(runner) => runner.command(program, path),
        }
    }
}
