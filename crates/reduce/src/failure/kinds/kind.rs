//! The interface of a kind of failure.

use std::fmt::Debug;
use std::sync::Arc;

use super::run_with::RunWith;
use crate::exec::job::JobResult;
use crate::failure::config::CompilerConfig;
use crate::failure::error::FailureError;
use crate::failure::spec::FailureSpec;
use crate::oracle::Oracle;
use crate::oracle::run::{Runner, Stdin, Target};
use crate::oracle::rustc::Rustc;

/// A kind of failure with its parameters: how it is judged, and how it is found on the unreduced program.
pub(in crate::failure) trait FailureKind: Debug + Send + Sync {
    /// The oracle that judges candidates by `rustc`. `seen` is the result on the unreduced program, if it is known.
    fn oracle(&self, rustc: &Rustc, seen: Option<&JobResult>) -> Arc<dyn Oracle>;

    fn runner(&self, _rustc: &Rustc) -> Option<Runner> {
        None
    }

    /// Whether it shows when the program is run, which then cannot be checked as a library. With `--run` or `--test-name` it is the
    /// failure itself. Another kind is then a further condition on a run that fails.
    fn is_of_run(&self) -> bool {
        false
    }

    /// The ways of compiling that may show the failure, cheapest first.
    fn ways(&self, rustc: &Rustc) -> Vec<Rustc> {
        vec![rustc.clone()]
    }

    /// A form with weaker requirements on the program, if there is one.
    fn simpler(&self) -> Option<Arc<dyn FailureKind>> {
        None
    }
}

/// Adds the requested failures of a kind to those of the kinds before it.
///
/// Returns an error if they conflict, or if a program that they need is missing.
pub(in crate::failure) type Add = fn(&Ask<'_>, &mut Vec<Arc<dyn FailureKind>>) -> Result<(), FailureError>;

/// The inputs from which kinds are built.
pub(in crate::failure) struct Ask<'a> {
    pub(in crate::failure) spec: &'a FailureSpec,
    pub(in crate::failure) stdin: Option<Stdin>,
    /// The first of the configurations that must not show the failure, with its compiler.
    pub(in crate::failure) passes_with: Option<CompilerConfig>,
    pub(in crate::failure) toolchain: Option<&'a str>,
    /// The names of the versions of the program.
    pub(in crate::failure) versions: Vec<String>,
}

impl Ask<'_> {
    /// How the program is run, if the user specified it.
    pub(super) fn run(&self) -> Option<RunWith> {
        self.spec.run_target().map(|target| self.run_of(target.clone()))
    }

    /// How the program is run; by default its `main`.
    pub(in crate::failure) fn run_or_main(&self) -> RunWith {
        self.run().unwrap_or_else(|| self.run_of(Target::Main(Vec::new())))
    }

    fn run_of(&self, target: Target) -> RunWith {
        RunWith { target, stdin: self.stdin.clone() }
    }
}
