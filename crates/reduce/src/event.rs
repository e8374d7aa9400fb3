//! Events of a run, reported to an observer. The search does not know who observes it.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use mcve_transforms::Measure;
use serde::{Deserialize, Serialize};

use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// A stage of the reduction of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The crate that fails.
    Crate,
    /// The crate with the output of procedural macros, and the sources of dependencies.
    Expansion,
    /// The crate with the sources of dependencies.
    Dependencies,
}

/// An event.
#[derive(Clone, Debug)]
pub enum Event {
    /// The unreduced program showed the failure each time.
    Baseline {
        /// A description of the failure that every candidate has to show.
        failure: String,
        /// The failure in a form that is comparable across runs; none if its cause is unknown.
        fingerprint: Option<String>,
        /// All failures that the program shows, if there are several.
        shown: Vec<String>,
        /// The size at the start.
        measure: Measure,
        /// Lines at the start.
        lines: usize,
        /// What sizes count: tokens, or characters or bytes of what is not Rust.
        unit: &'static str,
    },
    /// A stage of the reduction of a package begins: a reduction of its own, behind those of the stages before.
    StageStarted {
        /// The stage.
        stage: Stage,
        /// The dependencies whose sources are added to the program.
        dependencies: Vec<String>,
    },
    /// A stage of the reduction of a package is over.
    StageEnded {
        /// The stage.
        stage: Stage,
        /// Whether its result is the best so far.
        is_taken: bool,
    },
    /// A pass begins.
    PassStarted {
        /// Its name in the schedule.
        pass: &'static str,
    },
    /// A candidate was checked.
    Checked {
        /// The outcome of the check.
        outcome: Outcome,
        /// The reason.
        reason: String,
        /// How long it took.
        wall: Duration,
    },
    /// What became of a change that was proposed. Sent only to an observer that [wants](Observer::wants_attempts) it.
    Tried {
        /// The program to be changed.
        base: Program,
        /// The change.
        attempt: Attempt,
    },
    /// From now on checks run without a shortcut that was used before: no fork server.
    ShortcutClosed {
        /// The reason.
        reason: String,
    },
    /// A candidate showed another failure than the one being reduced, in a smaller program than any before.
    Found(Box<Find>),
    /// A run of the failing program showed which parts of it are executed.
    Covered {
        /// The tokens of the functions that were called, without the blocks in them that were not executed.
        reached: usize,
        /// The tokens of the program that was run.
        tokens: usize,
    },
    /// The best program was replaced by a smaller one.
    Gained {
        /// The reductions that were applied, as `line:column: transform`, at most a few of them.
        steps: Vec<String>,
        /// The number of checks when the smaller program was found.
        checks: usize,
        /// The size now.
        measure: Measure,
        /// Lines now.
        lines: usize,
    },
    /// A pass ended.
    PassEnded {
        /// Its name in the schedule.
        pass: &'static str,
        /// The size now.
        measure: Measure,
        /// Lines now.
        lines: usize,
        /// Checks until now.
        checks: usize,
    },
    /// A program that passes and one that fails differ by less than before.
    Narrowed {
        /// The tokens that only one of the two has.
        tokens: usize,
        /// Checks until now.
        checks: usize,
    },
    /// An interrupted run is resumed. Its events are not reported again.
    Resumed {
        /// Its command line.
        command: String,
        /// The folder in which the command was run.
        folder: PathBuf,
        /// The number of verdicts known from it.
        known: usize,
    },
    /// A remark for the user; nothing is wrong.
    Note {
        /// The text.
        message: String,
    },
    /// A problem that does not end the run.
    Warning {
        /// The text.
        message: String,
    },
    /// The run is over.
    Finished(Box<Summary>),
    /// A run that looked for a difference is over.
    PairFound(Box<PairFound>),
    /// The parts of a program that may be any of their kind are known.
    Generalised(Box<Generalised>),
    /// An event of a search for the change that made a program fail.
    Changes(Changed),
    /// An event of fuzzing.
    Fuzz(Fuzzed),
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
        wall: Duration,
    },
}

/// An event of a search for the change that made a program fail.
#[derive(Clone, Debug)]
pub enum Changed {
    /// One version passed and another one failed, each time.
    Baseline {
        /// The failure, in words.
        failure: String,
    },
    /// The history is searched.
    History {
        /// The number of commits that may be the first bad one.
        commits: usize,
    },
    /// A commit was tested.
    Commit {
        /// A short description of the commit.
        commit: String,
        /// Its outcome.
        outcome: Outcome,
        /// The reason.
        reason: String,
        /// The number of commits that may still be the first bad one.
        left: usize,
    },
    /// The first bad commit was found.
    FirstBad {
        /// A short description of the commit.
        commit: String,
        /// A short description of the version it is compared with.
        good: String,
        /// The number of untestable commits that may be the first bad one as well.
        untestable: usize,
        /// Checks until now.
        checks: usize,
    },
    /// Fewer changes are left.
    Narrowed {
        /// The unit: `files`, `hunks`.
        grain: String,
        /// The number before.
        from: usize,
        /// The number now.
        to: usize,
        /// Checks until now.
        checks: usize,
    },
    /// The change was found.
    Found {
        /// The failure, in words.
        failure: String,
        /// Lines that the versions at the start add and remove.
        before: (usize, usize),
        /// Lines that the change adds and removes.
        after: (usize, usize),
        /// The version to which the change can be applied, and the effect.
        applies: String,
        /// Whether the search came to its end.
        ending: Ending,
        /// Versions that were checked.
        checks: usize,
        /// Versions that were not checked because an equal one had been.
        known: usize,
        /// How long it took.
        wall: Duration,
        /// The change as a patch, if it does not go to standard output.
        patch: Option<String>,
        /// The path of the patch; none for standard output.
        output: Option<PathBuf>,
        /// Other changes, each of which makes the bad version fail without those before.
        others: Vec<OtherCause>,
    },
}

/// Another change that makes the bad version fail.
#[derive(Clone, Debug, Serialize)]
pub struct OtherCause {
    /// The version to which the change can be applied, and the effect.
    pub applies: String,
    /// The change as a patch.
    pub patch: String,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug)]
pub struct Summary {
    /// How it ended.
    pub ending: Ending,
    /// No single enabled reduction can be applied any more without losing the failure.
    pub one_minimal: bool,
    /// The size at the start.
    pub before: Measure,
    /// Lines at the start.
    pub lines_before: usize,
    /// The size at the end.
    pub after: Measure,
    /// Lines at the end.
    pub lines_after: usize,
    /// Candidates that were run.
    pub checks: usize,
    /// Candidates that were not run because the same text had been.
    pub cache_hits: usize,
    /// Candidates that were not run because their verdicts were known from an earlier run.
    pub recalled: usize,
    /// How long it took.
    pub wall: Duration,
    /// The failure, in words.
    pub failure: String,
    /// The failure in a form that is comparable across runs; none if its cause is unknown.
    pub fingerprint: Option<String>,
    /// The number of failing runs and of all runs when the result was run again at the end.
    pub seen: Option<(usize, usize)>,
    /// The message of the failing run of the unreduced program, and that of the result, if they differ.
    pub messages: Option<(String, String)>,
    /// How what the result prints differs between the two configurations that are compared, as `diff` shows it.
    pub difference: Option<String>,
    /// For a failure that appears only in some runs: the numbers of failing and of all runs of the unreduced program, and the
    /// number of runs of all checks.
    pub flaky: Option<((usize, usize), usize)>,
    /// The result.
    pub program: Program,
    /// The result with a small change, and how it passes with that, such as `it compiles`; none if no such change is known.
    pub passing: Option<(Program, String)>,
    /// Whether the cause of a failing run was to be kept, and no change is known that shows it.
    pub is_unexplained: bool,
    /// The path of the result; none if it went to standard output.
    pub output: Option<PathBuf>,
    /// The command that shows the failure.
    pub command: String,
    /// The number of other failures that are kept, and their folder; none if they are not kept.
    pub finds: Option<(usize, PathBuf)>,
    /// The path to pass to `mcve resume` to continue; none if the run is complete or has no journal.
    pub resume: Option<PathBuf>,
}

/// Another failure that a candidate showed.
#[derive(Clone, Debug)]
pub struct Find {
    /// Identifies the failure, in this run and in others.
    pub fingerprint: String,
    /// A description of the failure.
    pub failure: String,
    /// The candidate.
    pub program: Program,
    /// The path for it: a file, or a folder for several files.
    pub path: PathBuf,
    /// The command that shows it there.
    pub command: String,
}

/// The result of a run that looked for a difference: two versions of a program.
#[derive(Clone, Debug)]
pub struct PairFound {
    /// How it ended.
    pub ending: Ending,
    /// No single reduction of the difference can be left out.
    pub one_minimal: bool,
    /// The tokens that only one of the two has.
    pub tokens: usize,
    /// The one that fails.
    pub failing: Program,
    /// The one that passes.
    pub passing: Program,
    /// Descriptions of the differences, in source order.
    pub causes: Vec<String>,
    /// The tests that fail in the one that passes and not in the one that fails.
    pub breaks: Vec<String>,
    /// Descriptions of other changes with which the unreduced program passes and breaks as few tests.
    pub others: Vec<String>,
    /// Candidates that were run.
    pub checks: usize,
    /// How long it took.
    pub wall: Duration,
    /// The failure, in words.
    pub failure: String,
}

/// The result of a run that looked for irrelevant parts of a program.
#[derive(Clone, Debug)]
pub struct Generalised {
    /// How it ended.
    pub ending: Ending,
    /// The program.
    pub program: Program,
    /// Its irrelevant parts, in source order.
    pub general: Vec<General>,
    /// Candidates that were run.
    pub checks: usize,
    /// How long it took.
    pub wall: Duration,
    /// The failure, in words.
    pub failure: String,
}

/// A part of a program that may be any of its kind.
#[derive(Clone, Debug)]
pub struct General {
    /// Its bytes.
    pub range: Range<usize>,
    /// Its kind in words, such as `integer type`.
    pub kind: String,
    /// The texts in its place with which the failure stayed: all that were tried.
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
