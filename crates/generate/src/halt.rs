//! Why a run of a generator ends early.

use std::fmt;

/// Why a run of a generator ended before it was done. Generators hand it on with `?`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The run cannot be that of the trace.
    Infeasible {
        /// Where in the generator.
        place: String,
        /// The innermost part of the trace around that, by its node.
        part: Option<usize>,
    },
    /// It took more decisions than this, and most likely never ends.
    Endless(usize),
    /// The generator does not keep to the rules, or cannot be run: why.
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
