//! Events of fuzzing.

use super::results::{Ending, Summary};

/// An event of fuzzing. An origin is the description of the file, seed or number that a program comes from.
#[derive(Clone, Debug)]
pub enum Fuzzed {
    /// A program shows a new failure.
    New {
        /// The origin of the program.
        origin: String,
        /// The failure, in words.
        failure: String,
        /// The failure in a form that is comparable across runs, if its cause is known.
        fingerprint: Option<String>,
    },
    /// A program shows the failure of an earlier one, or of one that an earlier run has kept.
    Again {
        /// The origin of the program.
        origin: String,
        /// The origin of the earlier one.
        first: String,
    },
    /// The program was reduced, and the result is kept.
    Kept(Box<Summary>),
    /// A problem with a program that is not a failure.
    Warning {
        /// The origin of the program.
        origin: String,
        /// The text.
        message: String,
    },
    /// The run is over.
    Finished {
        /// How it ended.
        ending: Ending,
        /// The number of programs that were made and tested.
        programs: usize,
        /// How many of them failed.
        failed: usize,
        /// In how many ways.
        ways: usize,
        /// How long it took.
        seconds: f64,
    },
}
