//! Reasons for which a run of a generator ends early.

use std::fmt;

/// The reason why a run of a generator ended early. Generators propagate it with `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The run deviates from the trace.
    Infeasible {
        /// The place in the generator.
        place: String,
        /// The node of the innermost part of the trace around it.
        part: Option<usize>,
        /// The node of the trace that the run had reached.
        at: usize,
    },
    /// It took more decisions than this limit, and probably never ends.
    Endless(usize),
    /// The generator violates the protocol or cannot be run, with the reason.
    Broken(String),
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Infeasible { place, .. } => {
                write!(f, "the run of the generator is not that of the trace at `{place}`")
            }
            Self::Endless(limit) => write!(f, "the generator does not end: it took more than {limit} decisions"),
            Self::Broken(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Halt {}
