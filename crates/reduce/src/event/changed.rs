//! Events of a search for the change that made a program fail.

use std::path::PathBuf;

use mcve_dd::outcome::Outcome;
use schemars::JsonSchema;
use serde::Serialize;

use super::results::Ending;
use super::written::{OutcomeName, lossy_if_any};

/// An event of a search for the change that made a program fail.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Changed {
    /// The good version passed and the bad one failed, each time.
    #[serde(rename = "changes-baseline")]
    Baseline {
        /// The failure, in words.
        failure: String,
    },
    /// The search for the first bad commit begins.
    History {
        /// How many commits may be the first bad one.
        commits: usize,
    },
    /// A commit was tested.
    Commit {
        /// A commit, in a few words.
        commit: String,
        /// The outcome of the check.
        #[serde(with = "OutcomeName")]
        outcome: Outcome,
        /// Why, in words.
        reason: String,
        /// How many commits may still be the first bad one.
        left: usize,
    },
    /// The first bad commit is known.
    #[serde(rename = "first-bad-commit")]
    FirstBad {
        /// A commit, in a few words.
        commit: String,
        /// The commit that the first bad one is compared with.
        good: String,
        /// How many commits before it could not be tested and may be the first bad one.
        untestable: usize,
        /// Checks until now.
        checks: usize,
    },
    /// Fewer changes are left.
    Narrowed {
        /// What is counted, such as `files` or `hunks`.
        grain: String,
        /// How many changes there were.
        from: usize,
        /// How many changes there are.
        to: usize,
        /// Checks until now.
        checks: usize,
    },
    /// The change was found, or the best so far at the end.
    Found {
        /// How the search ended.
        ending: Ending,
        /// The lines that differ between the versions at the start.
        before: Lines,
        /// The lines of the change.
        after: Lines,
        /// What the patch applies to, and what happens then.
        applies: String,
        /// Checks until now.
        checks: usize,
        /// Versions that were not checked because an equal one had been.
        cache_hits: usize,
        /// How long the run took.
        seconds: f64,
        /// The failure, in words.
        failure: String,
        /// The patch, if it does not go to standard output.
        patch: Option<String>,
        /// The path of the result, unless it goes to standard output.
        #[serde(serialize_with = "lossy_if_any")]
        output: Option<PathBuf>,
        /// Other causes, each of which makes the bad version fail without those before.
        others: Vec<OtherCause>,
    },
}

/// The lines of a change.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct Lines {
    /// Lines that are added.
    pub added: usize,
    /// Lines that are removed.
    pub removed: usize,
}

/// Another change that makes the bad version fail.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct OtherCause {
    /// What the patch applies to, and what happens then.
    pub applies: String,
    /// The change as a patch.
    pub patch: String,
}
