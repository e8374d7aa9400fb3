//! The oracles that judge candidates once the failure was found on the unreduced program.

use std::sync::Arc;

use super::config::CompilerConfig;
use super::kinds::FailureKind;
use super::note::Note;
use crate::exec::job::JobResult;
use crate::oracle::changed::ChangedOracle;
use crate::oracle::condition::ByOracle;
use crate::oracle::conditional::Conditional;
use crate::oracle::crash::RustcOracle;
use crate::oracle::diagnostic::DiagnosticOracle;
use crate::oracle::failing_run::RunOracle;
use crate::oracle::run::Runner;
use crate::oracle::rustc::Rustc;
use crate::oracle::valid::ValidOracle;
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
    /// A failure that appears once the compiler's suggestions are applied to the program.
    Changed(Box<ChangedOracle>),
    /// No failure: the program is valid, although a compiler crashes.
    Valid(ValidOracle),
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
pub(super) struct Held {
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
    pub(super) notes: Vec<Note>,
    /// The program, with the files that rustc looked for.
    pub(super) program: Program,
}

impl FoundOracle {
    pub(super) fn rustc(&self) -> &Rustc {
        match self {
            Self::Rustc(oracle) => &oracle.rustc,
            Self::Diagnostic(oracle) => &oracle.rustc,
            Self::Changed(oracle) => &oracle.diagnostic.rustc,
            Self::Valid(oracle) => &oracle.rustc,
            Self::Run(oracle) => &oracle.runner.rustc,
            Self::Asked(asked) => &asked.rustc,
        }
    }

    pub(super) fn runner(&self) -> Option<Runner> {
        match self {
            Self::Run(oracle) => Some(oracle.runner.clone()),
            Self::Asked(asked) => asked.kind.runner(&asked.rustc),
            Self::Rustc(_) | Self::Diagnostic(_) | Self::Changed(_) | Self::Valid(_) => None,
        }
    }

    /// Replaces the way rustc is run.
    pub(super) fn with(self, rustc: Rustc) -> Self {
        match self {
            Self::Rustc(oracle) => Self::Rustc(RustcOracle { rustc, ..oracle }),
            Self::Diagnostic(oracle) => Self::Diagnostic(DiagnosticOracle { rustc, ..oracle }),
            Self::Changed(oracle) => Self::Changed(Box::new(oracle.by(rustc))),
            Self::Valid(oracle) => Self::Valid(ValidOracle { rustc, ..oracle }),
            Self::Run(oracle) => {
                let runner = Runner { rustc, ..oracle.runner };
                Self::Run(RunOracle { runner, ..oracle })
            }
            Self::Asked(asked) => Self::Asked(Asked { rustc, ..asked }),
        }
    }

    pub(super) fn oracle(self) -> Arc<dyn Oracle> {
        match self {
            Self::Rustc(oracle) => Arc::new(oracle),
            Self::Diagnostic(oracle) => Arc::new(oracle),
            Self::Changed(oracle) => Arc::new(*oracle),
            Self::Valid(oracle) => Arc::new(oracle),
            Self::Run(oracle) => Arc::new(oracle),
            Self::Asked(asked) => asked.kind.oracle(&asked.rustc, Some(&asked.result)),
        }
    }
}

impl Held {
    /// A condition in the configuration of the failure.
    pub(super) fn own(oracle: FoundOracle) -> Self {
        Self { config: None, oracle, is_negated: false, absent: None }
    }

    /// Whether the condition is only that the program is valid.
    pub(super) fn is_validity(&self) -> bool {
        matches!(self.oracle, FoundOracle::Valid(_))
    }

    /// The condition, for a failure that `rustc` shows.
    pub(super) fn by(&self, rustc: &Rustc) -> Arc<dyn Condition> {
        let rustc = self.config.as_ref().map_or_else(|| rustc.clone(), |config| config.of(rustc));
        let oracle = self.oracle.clone().with(rustc).oracle();
        Arc::new(ByOracle { oracle, is_negated: self.is_negated, absent: self.absent.clone() })
    }
}

pub(super) fn with_conditions(failure: Arc<dyn Oracle>, rustc: &Rustc, held: &[Held]) -> Arc<dyn Oracle> {
    if held.is_empty() {
        return failure;
    }
    Arc::new(Conditional { failure, conditions: held.iter().map(|held| held.by(rustc)).collect() })
}
