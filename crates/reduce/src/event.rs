//! Events of a run, reported to an observer. The search does not know who observes it.
//!
//! Their JSON, its schema and `docs/reference.md` are made from these types and their comments.

mod attempt;
mod changed;
mod fuzzed;
mod results;
mod written;

use std::path::PathBuf;

use mcve_dd::outcome::Outcome;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::Value;

pub use self::attempt::{Attempt, Rejection};
pub use self::changed::{Changed, Lines, OtherCause};
pub use self::fuzzed::Fuzzed;
pub use self::results::{Ending, Find, Finds, Flaky, General, Generalised, Left, Messages, PairFound, Rate, Summary};
use self::written::{OutcomeName, lossy};
use crate::program::{Program, Size};

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
        /// The program.
        #[serde(skip)]
        program: Program,
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
        /// What it does, in words that follow "mcve is".
        doing: &'static str,
    },
    /// The proof goes on. It begins again after each gain.
    Proving {
        /// How many steps were tried, each alone.
        done: usize,
        /// How many there are, as far as that is known: some depend on what a compiler says.
        all: usize,
    },
    /// Changes of a program are tried together.
    #[serde(skip)]
    Trying {
        /// The program.
        base: Program,
        /// Where the first of the changes begins, in bytes.
        start: usize,
        /// How many changes.
        changes: usize,
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
    /// What became of a change that was proposed. Sent only to an observer that [wants](Observer::attempts) it.
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
        /// The best program.
        #[serde(skip)]
        program: Program,
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
        let is_other = matches!(self, Self::Tried { .. } | Self::Trying { .. } | Self::Fuzz(_));
        (!is_other).then(|| serde_json::to_string(self).expect("all is text and numbers"))
    }
}

/// The JSON schema of an event.
pub fn schema() -> Value {
    SchemaSettings::default().for_serialize().into_generator().into_root_schema_for::<Event>().to_value()
}

/// The reductions of which an observer wants to know what became of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attempts {
    /// None.
    None,
    /// Those of the proof that the result is 1-minimal.
    Proof,
    /// All.
    All,
}

/// Receives events.
pub trait Observer {
    /// Called for each event, in order, on the thread that searches.
    fn event(&mut self, event: &Event);

    /// Of which reductions it wants to know what became of them. By default of none.
    fn attempts(&self) -> Attempts {
        Attempts::None
    }

    /// Called at the end of a run. Fails when some events could not be written to their destination.
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
