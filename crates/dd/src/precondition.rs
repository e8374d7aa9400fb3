//! Preconditions of delta debugging.

use std::convert::Infallible;
use std::fmt;

/// A violated precondition of delta debugging.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precondition {
    /// The failing input passes.
    NotFailing,
    /// The failing input is unresolved.
    Unresolved,
    /// The passing input, which is empty unless another is given, fails; or it is unresolved, and nothing that passes was
    /// found.
    NotPassing,
    /// The passing input has elements that the failing input does not have.
    NotContained,
}

impl fmt::Display for Precondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFailing => "the input was expected to fail, but passes",
            Self::Unresolved => "the input was expected to fail, but is unresolved",
            Self::NotPassing => "no input was found that passes: the empty or given one does not",
            Self::NotContained => "the passing input is not contained in the failing one",
        })
    }
}

impl std::error::Error for Precondition {}

/// The reason why an algorithm ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped<E> {
    /// A precondition does not hold.
    Precondition(Precondition),
    /// The tester returned an error.
    Tester(E),
}

impl<E: fmt::Display> fmt::Display for Stopped<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Precondition(precondition) => precondition.fmt(f),
            Self::Tester(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error> std::error::Error for Stopped<E> {}

impl<E> From<Precondition> for Stopped<E> {
    fn from(precondition: Precondition) -> Self {
        Self::Precondition(precondition)
    }
}

/// A tester without errors leaves only preconditions.
impl From<Stopped<Infallible>> for Precondition {
    fn from(stopped: Stopped<Infallible>) -> Self {
        match stopped {
            Stopped::Precondition(precondition) => precondition,
            Stopped::Tester(never) => match never {},
        }
    }
}
