//! Preconditions of delta debugging.

use std::convert::Infallible;
use std::fmt;

/// A violated precondition of delta debugging.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precondition {
    /// The input to minimise passes.
    NotFailing,
    /// The input to maximise fails.
    NotPassing,
    /// The failure is not reproducible.
    NotReproduced,
}

impl fmt::Display for Precondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFailing => "the input was expected to fail, but passes",
            Self::NotPassing => "the empty input was expected to pass, but fails",
            Self::NotReproduced => "the failure of the input was not reproduced when it was tested again",
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
