//! The oracles that judge candidates once the failure was found on the unreduced program.

use std::sync::Arc;

use super::config::CompilerConfig;
use super::kinds::FailureKind;
use crate::exec::job::JobResult;
use crate::oracle::changed::FailsChanged;
use crate::oracle::conditional::{ByOracle, with_conditions};
use crate::oracle::crash::RustcOracle;
use crate::oracle::diagnostic::DiagnosticOracle;
use crate::oracle::run::{RunOracle, Runner};
use crate::oracle::rustc::Rustc;
use crate::oracle::valid::IsValid;
use crate::oracle::{Condition, Oracle};
use crate::program::Program;

/// The oracle of a failure that was found by running rustc or the program.
#[derive(Clone, Debug)]
pub(super) enum FoundOracle {
    Rustc(RustcOracle),
    /// The requested diagnostics among all that rustc reports.
    Diagnostic(DiagnosticOracle),
    /// A failure of the program when it is run.
    Run(RunOracle),
    /// A failure of a requested kind.
    Asked(Asked),
}

/// A requested kind of failure that the unreduced program shows.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) kind: Arc<dyn FailureKind>,
    pub(super) rustc: Rustc,
    /// The result of the check of the unreduced program.
    pub(super) result: JobResult,
}

/// A condition that holds for the unreduced program.
#[derive(Clone, Debug)]
pub(super) enum Held {
    Besides(Box<Besides>),
    /// The failure appears once the program is changed.
    Changed(Box<FailsChanged>),
    /// The program is valid, although a compiler crashes.
    Valid(Box<IsValid>),
}

/// Another failure that the program has, or has not.
#[derive(Clone, Debug)]
pub(super) struct Besides {
    /// The configuration in which the condition must hold, if it differs from that of the failure.
    pub(super) config: Option<CompilerConfig>,
    pub(super) oracle: FoundOracle,
    pub(super) is_negated: bool,
    /// The diagnostic that the configuration must not report where the failure has it.
    pub(super) absent: Option<DiagnosticOracle>,
}

/// The failure of a program, as it was found.
pub(super) struct Found {
    pub(super) oracle: FoundOracle,
    pub(super) conditions: Vec<Held>,
    pub(super) notes: Vec<String>,
    /// The program, with the files that rustc looked for.
    pub(super) program: Program,
}

impl FoundOracle {
    pub(super) fn rustc(&self) -> &Rustc {
        match self {
            Self::Rustc(oracle) => &oracle.rustc,
            Self::Diagnostic(oracle) => &oracle.rustc,
            Self::Run(oracle) => &oracle.runner.rustc,
            Self::Asked(asked) => &asked.rustc,
        }
    }

    pub(super) fn runner(&self) -> Option<Runner> {
        match self {
            Self::Run(oracle) => Some(oracle.runner.clone()),
            Self::Asked(asked) => asked.kind.runner(&asked.rustc),
            Self::Rustc(_) | Self::Diagnostic(_) => None,
        }
    }

    /// Replaces the way rustc is run.
    pub(super) fn with(self, rustc: Rustc) -> Self {
        match self {
            Self::Rustc(oracle) => Self::Rustc(RustcOracle { rustc, ..oracle }),
            Self::Diagnostic(oracle) => Self::Diagnostic(DiagnosticOracle { rustc, ..oracle }),
            Self::Run(oracle) => Self::Run(RunOracle { runner: Runner { rustc, ..oracle.runner }, ..oracle }),
            Self::Asked(asked) => Self::Asked(Asked { rustc, ..asked }),
        }
    }

    pub(super) fn oracle(self) -> Arc<dyn Oracle> {
        match self {
            Self::Rustc(oracle) => Arc::new(oracle),
            Self::Diagnostic(oracle) => Arc::new(oracle),
            Self::Run(oracle) => Arc::new(oracle),
            Self::Asked(asked) => asked.kind.oracle(&asked.rustc, Some(&asked.result)),
        }
    }
}

impl Held {
    /// The condition, for a failure that `rustc` shows.
    pub(super) fn by(&self, rustc: &Rustc) -> Arc<dyn Condition> {
        match self {
            Self::Changed(changed) => Arc::new(changed.as_ref().clone().by(rustc.clone())),
            Self::Valid(valid) => Arc::new(IsValid { rustc: rustc.clone(), ..(**valid).clone() }),
            Self::Besides(besides) => {
                let Besides { config, oracle, is_negated, absent } = (**besides).clone();
                let rustc = config.map_or_else(|| rustc.clone(), |config| config.of(rustc));
                Arc::new(ByOracle { oracle: oracle.with(rustc).oracle(), is_negated, absent })
            }
        }
    }
}

/// `failure`, which `rustc` shows, with these conditions.
pub(super) fn with_held(failure: Arc<dyn Oracle>, rustc: &Rustc, held: &[Held]) -> Arc<dyn Oracle> {
    with_conditions(failure, held.iter().map(|held| held.by(rustc)).collect())
}
