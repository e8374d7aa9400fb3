//! The results of runs.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::written::{change, lossy, lossy_if_any, text};
use crate::program::{Program, Size};

/// How a search ended.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// No enabled reduction can be applied any more.
    Complete,
    /// The time limit was reached.
    Budget,
    /// The user interrupted it.
    Interrupted,
}

/// The result of a run.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Summary {
    /// How the search ended.
    pub ending: Ending,
    /// Whether no single step makes the result smaller.
    pub one_minimal: bool,
    /// The size at the start.
    pub before: Size,
    /// The size at the end.
    pub after: Size,
    /// Checks until now.
    pub checks: usize,
    /// Candidates that were not checked, as the same text had been.
    pub cache_hits: usize,
    /// Candidates that were not checked, as the journal of an earlier run has their verdicts.
    pub recalled: usize,
    /// How long the run took.
    pub seconds: f64,
    /// The failure, in words.
    pub failure: String,
    /// The failure in a form that two runs can compare, if its cause is known.
    pub fingerprint: Option<String>,
    /// How often the result failed when it was run again at the end.
    pub seen: Option<Rate>,
    /// The errors that the crash of the result hides, as another way of compiling it shows.
    pub hidden_errors: Vec<String>,
    /// What the failing run says, if the result says something else than the input.
    pub messages: Option<Messages>,
    /// How what the result prints differs between the two configurations that are compared, as `diff` shows it.
    pub difference: Option<String>,
    /// How often the input failed, if the failure occurs only sometimes.
    pub flaky: Option<Flaky>,
    /// The result.
    #[serde(skip)]
    pub program: Program,
    /// The line of the result that its failure names, if it does and the result is one file.
    #[serde(skip)]
    pub at: Option<usize>,
    /// The text of the result with a small change with which it passes, if such a change is known.
    // With how it passes, such as `it compiles`.
    #[serde(rename = "pass", serialize_with = "change")]
    #[schemars(with = "Option<String>")]
    pub passing: Option<(Program, String)>,
    /// Whether the cause of a failing run was to be kept, and no change is known that shows it.
    #[serde(skip)]
    pub is_unexplained: bool,
    /// What is left of the source, if the result was scrubbed.
    pub left: Option<Vec<Left>>,
    /// The path of the result, unless it goes to standard output.
    #[serde(serialize_with = "lossy_if_any")]
    pub output: Option<PathBuf>,
    /// The command that shows the failure.
    pub command: String,
    /// The other failures that `--finds` keeps.
    pub finds: Option<Finds>,
    /// What to name to `mcve resume`, unless the run is complete or has no journal.
    #[serde(serialize_with = "lossy_if_any")]
    pub resume: Option<PathBuf>,
}

/// A name, word, number or comment of the source that is left in a result that was scrubbed.
#[derive(Clone, Debug, JsonSchema, PartialEq, Eq, Serialize)]
pub struct Left {
    /// As it is written.
    pub text: String,
    /// What it is, such as `function` or `text`.
    pub kind: String,
    /// Why it is left, by the check that refused another.
    pub why: String,
}

/// How often a program failed.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct Rate {
    /// The number of failing runs.
    pub times: usize,
    /// The number of runs.
    pub runs: usize,
}

/// How often a program failed that fails only sometimes.
#[derive(Clone, Copy, Debug, JsonSchema, Serialize)]
pub struct Flaky {
    /// How often the input failed.
    #[serde(flatten)]
    pub input: Rate,
    /// The number of runs of all checks.
    pub all_runs: usize,
}

/// What a failing run says.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Messages {
    /// The message of the input.
    pub before: String,
    /// The message of the result.
    pub after: String,
}

/// The other failures that are kept.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Finds {
    /// How many other failures are kept.
    pub count: usize,
    /// The folder of the other failures.
    #[serde(serialize_with = "lossy")]
    pub folder: PathBuf,
}

/// Another failure that a candidate showed.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Find {
    /// The failure, in words.
    pub failure: String,
    /// The failure in a form that two runs can compare.
    pub fingerprint: String,
    /// The path of the candidate: a file, or a folder for several files.
    #[serde(rename = "output", serialize_with = "lossy")]
    pub path: PathBuf,
    /// The command that shows the failure.
    pub command: String,
    /// The tokens of the program.
    pub tokens: usize,
    /// The candidate.
    #[serde(skip)]
    pub program: Program,
}

/// The result of a run that looked for a difference: two versions of a program.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct PairFound {
    /// How the search ended.
    pub ending: Ending,
    /// Whether no single part of the difference can be left out.
    pub one_minimal: bool,
    /// The tokens that only one of the two versions has.
    pub tokens: usize,
    /// What the two versions differ in, in words, in source order.
    pub causes: Vec<String>,
    /// The tests that fail in the version that passes and not in the one that fails.
    pub breaks: Vec<String>,
    /// Other changes with which the input passes and breaks as few tests, in words.
    pub others: Vec<String>,
    /// The text of the version that fails.
    #[serde(rename = "fail", serialize_with = "text")]
    #[schemars(with = "String")]
    pub failing: Program,
    /// The text of the version that passes.
    #[serde(rename = "pass", serialize_with = "text")]
    #[schemars(with = "String")]
    pub passing: Program,
    /// Checks until now.
    pub checks: usize,
    /// How long the run took.
    pub seconds: f64,
    /// The failure, in words.
    pub failure: String,
}

/// The result of a run that looked for irrelevant parts of a program.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Generalised {
    /// How the search ended.
    pub ending: Ending,
    /// The program.
    #[serde(skip)]
    pub program: Program,
    /// The parts that may be any of their kind, in source order.
    pub parts: Vec<General>,
    /// Checks until now.
    pub checks: usize,
    /// How long the run took.
    pub seconds: f64,
    /// The failure, in words.
    pub failure: String,
}

/// A part of a program that may be any of its kind.
#[derive(Clone, Debug, Deserialize, JsonSchema, Serialize)]
pub struct General {
    /// The text of the part.
    pub text: String,
    /// Where the part begins, in bytes.
    pub start: usize,
    /// Where the part ends, in bytes.
    pub end: usize,
    /// The kind of the part in words, such as `integer type`.
    pub kind: String,
    /// The texts in the place of the part with which the failure stayed: all that were tried.
    pub samples: Vec<String>,
    /// Whether the failure also stays while all other parts with this property are changed.
    pub together: bool,
}
