//! Events of a run, reported to an observer. The search does not know who observes it.
//!
//! Their JSON, its schema and `docs/reference.md` are made from these types and their comments.

use std::ops::Range;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::program::{Program, Size};
use mcve_dd::outcome::Outcome;

/// The number of the form of the JSON that events have. A change that breaks readers adds one.
pub const FORM: u32 = 1;

/// A stage of the reduction of a package.
#[derive(Clone, Copy, Debug, JsonSchema, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The crate that fails.
    Crate,
    /// The crate with the output of procedural macros, and the sources of dependencies.
    Expansion,
    /// The crate with the sources of dependencies.
    Dependencies,
}

/// An event of a run of mcve.
#[derive(Clone, Debug, JsonSchema, Serialize)]
#[schemars(title = "A line of `--message-format json`")]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The run begins.
    Started {
        /// The version of mcve.
        version: &'static str,
        /// The number of this form of JSON. It grows when fields change their meaning or go.
        form: u32,
    },
    /// The input showed the failure in each of the first runs.
    Baseline {
        /// The failure, in words.
        failure: String,
        /// The failure in a form that two runs can compare, if its cause is known.
        fingerprint: Option<String>,
        /// All failures of the input, if it shows several.
        shown: Vec<String>,
        /// The size of the program.
        size: Size,
        /// What sizes count: tokens, or characters or bytes of what is not Rust.
        #[serde(skip)]
        unit: &'static str,
    },
    /// `cargo mcve` begins the reduction of a stage.
    StageStarted {
        /// The stage of the reduction of a package.
        stage: Stage,
        /// The crates whose sources are reduced in this stage for the first time.
        dependencies: Vec<String>,
    },
    /// The reduction of a stage is over.
    StageEnded {
        /// The stage of the reduction of a package.
        stage: Stage,
        /// Whether the result of the stage is the best so far.
        taken: bool,
    },
    /// A pass of the search begins.
    PassStarted {
        /// The name of the pass.
        pass: &'static str,
    },
    /// A candidate was checked.
    Checked {
        /// The outcome of the check.
        #[serde(with = "OutcomeName")]
        outcome: Outcome,
        /// Why, in words.
        reason: String,
        /// How long the check took.
        seconds: f64,
    },
    /// What became of a change that was proposed. Sent only to an observer that [wants](Observer::wants_attempts) it.
    #[serde(skip)]
    Tried {
        /// The program to be changed.
        base: Program,
        /// The change.
        attempt: Attempt,
    },
    /// Checks go on without the fork server.
    ShortcutClosed {
        /// Why, in words.
        reason: String,
    },
    /// A candidate showed another crash, which `--finds` keeps. It is the smallest program that showed it so far.
    Found(Box<Find>),
    /// An instrumented run showed which code is executed.
    Covered {
        /// The tokens of the functions that were called, without the blocks in them that were not executed.
        reached: usize,
        /// The tokens of the program.
        tokens: usize,
    },
    /// A smaller program is the best so far.
    Gained {
        /// The first reductions that were applied, as `line:column: transform`.
        steps: Vec<String>,
        /// The size of the program.
        size: Size,
        /// Checks until now.
        checks: usize,
    },
    /// A pass of the search is over.
    PassEnded {
        /// The name of the pass.
        pass: &'static str,
        /// The size of the program.
        size: Size,
        /// Checks until now.
        checks: usize,
    },
    /// `mcve isolate` or `repair`: the two versions differ by less than before.
    Narrowed {
        /// The tokens that only one of the two versions has.
        tokens: usize,
        /// Checks until now.
        checks: usize,
    },
    /// `mcve resume` continues a run. Its earlier events are not repeated.
    Resumed {
        /// The command line of the run.
        command: String,
        /// The folder in which the run was begun.
        #[serde(serialize_with = "lossy")]
        folder: PathBuf,
        /// How many verdicts the journal has.
        known: usize,
    },
    /// Information, no problem.
    Note {
        /// A sentence.
        message: String,
    },
    /// A problem that does not end the run.
    Warning {
        /// A sentence.
        message: String,
    },
    /// The reduction is over.
    Finished(Box<Summary>),
    /// `mcve isolate` or `repair` is over.
    #[serde(rename = "contrasted")]
    PairFound(Box<PairFound>),
    /// `mcve generalise` is over.
    Generalised(Box<Generalised>),
    /// An event of fuzzing.
    #[serde(skip)]
    Fuzz(Fuzzed),
    /// An event of `mcve changes`.
    #[serde(untagged)]
    Changes(Changed),
}

impl Event {
    /// The event as JSON; none if it has no such form.
    pub fn json(&self) -> Option<String> {
        let is_other = matches!(self, Self::Tried { .. } | Self::Fuzz(_));
        (!is_other).then(|| serde_json::to_string(self).expect("all is text and numbers"))
    }
}

/// The JSON schema of an event.
pub fn schema() -> Value {
    SchemaSettings::default().for_serialize().into_generator().into_root_schema_for::<Event>().to_value()
}

fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

fn lossy_if_any<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}

fn text<S: Serializer>(program: &Program, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&program.text)
}

fn change<S: Serializer>(passing: &Option<(Program, String)>, serializer: S) -> Result<S::Ok, S::Error> {
    passing.as_ref().map(|(program, _)| program.shown()).serialize(serializer)
}

/// The outcome of a test.
#[derive(JsonSchema, Serialize)]
#[serde(remote = "Outcome", rename_all = "lowercase")]
#[schemars(rename = "Outcome")]
enum OutcomeName {
    /// The failure is there.
    Fail,
    /// The failure is not there.
    Pass,
    /// The check cannot tell.
    Unresolved,
}

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
    /// What the failing run says, if the result says something else than the input.
    pub messages: Option<Messages>,
    /// How what the result prints differs between the two configurations that are compared, as `diff` shows it.
    pub difference: Option<String>,
    /// How often the input failed, if the failure occurs only sometimes.
    pub flaky: Option<Flaky>,
    /// The result.
    #[serde(skip)]
    pub program: Program,
    /// The text of the result with a small change with which it passes, if such a change is known.
    // With how it passes, such as `it compiles`.
    #[serde(rename = "pass", serialize_with = "change")]
    #[schemars(with = "Option<String>")]
    pub passing: Option<(Program, String)>,
    /// Whether the cause of a failing run was to be kept, and no change is known that shows it.
    #[serde(skip)]
    pub is_unexplained: bool,
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
#[derive(Clone, Debug, JsonSchema, Serialize)]
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

/// A change that was proposed, and what became of it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Attempt {
    /// Its place as `file:line:column`.
    pub place: String,
    /// The transform, or the pass if it has none.
    pub transform: String,
    /// What goes.
    pub before: String,
    /// What comes in its place.
    pub after: String,
    /// All bytes that go.
    #[serde(skip)]
    pub bytes: Vec<Range<usize>>,
    /// Why it was not taken; none if it was.
    pub rejection: Option<Rejection>,
}

/// Who refused a change, and why.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Rejection {
    /// `oracle`, `cache` (the oracle, before), `journal`, `screening`, `trial`, `switches`, `meaning`, or the name of a filter.
    pub by: String,
    /// The reason in words; empty where there is always the same.
    pub reason: String,
    /// The number of the check that decided, if one did.
    pub check: Option<usize>,
    /// How many other changes were refused with it: of all such sets the smallest one counts.
    pub others: usize,
}

/// Receives events.
pub trait Observer {
    /// Called for each event, in order, on the thread that searches.
    fn event(&mut self, event: &Event);

    /// Whether it wants to know what became of each reduction. By default not.
    fn wants_attempts(&self) -> bool {
        false
    }

    /// Called at the end of a run.
    ///
    /// # Errors
    /// When some events could not be written to their destination.
    fn close(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Ignores all events.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Observer for Nobody {
    fn event(&mut self, _: &Event) {}
}
