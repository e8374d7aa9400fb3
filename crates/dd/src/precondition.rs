//! What has to hold before delta debugging can begin.

use std::convert::Infallible;
use std::fmt;

/// What does not hold of what delta debugging was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precondition {
    /// What is to be minimised passes.
    NotFailing,
    /// What is to be maximised fails.
    NotPassing,
    /// What failed does not fail in the same way again.
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

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped<E> {
    /// A precondition does not hold.
    Precondition(Precondition),
    /// The tester gave no verdict.
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

/// A tester that always answers leaves only preconditions.
impl From<Stopped<Infallible>> for Precondition {
    fn from(stopped: Stopped<Infallible>) -> Self {
        match stopped {
            Stopped::Precondition(precondition) => precondition,
            Stopped::Tester(never) => match never {},
        }
    }
}
