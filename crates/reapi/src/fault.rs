//! Faults of the infrastructure. None of them says anything of a candidate.

use std::fmt;

use tonic::{Code, Status};

/// Why a service gave no answer.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) kind: Kind,
    why: String,
}

/// What helps against a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// To send all files again.
    Incomplete,
    /// To ask again without the cache, best another node.
    Passing,
    /// To ask another node: this one does not want such jobs.
    Refused,
}

impl Fault {
    pub(crate) fn passing(why: impl Into<String>) -> Self {
        Self { kind: Kind::Passing, why: why.into() }
    }

    /// By the code of a status, as gRPC and the Remote Execution API number them.
    pub(crate) fn of_code(code: Code, message: &str) -> Self {
        let kind = match code {
            Code::FailedPrecondition | Code::NotFound => Kind::Incomplete,
            Code::InvalidArgument | Code::PermissionDenied | Code::Unauthenticated | Code::Unimplemented => {
                Kind::Refused
            }
            _ => Kind::Passing,
        };
        Self { kind, why: format!("{code:?}: {message}") }
    }
}

impl From<Status> for Fault {
    fn from(status: Status) -> Self {
        Self::of_code(status.code(), status.message())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Fault {}
