//! What happens during a run, told to whoever wants to know. The search does not know who listens.

use std::path::PathBuf;
use std::time::Duration;

use mcve_transforms::Measure;

use crate::program::Program;
use mcve_dd::outcome::Outcome;

/// What a stage of the reduction of a package reduces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The crate that fails.
    Crate,
    /// The same with what procedural macros make, and the sources of dependencies.
    Expansion,
    /// The same with the sources of dependencies.
    Dependencies,
}

impl Stage {
    /// Its name for other programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Crate => "crate",
            Self::Expansion => "expansion",
            Self::Dependencies => "dependencies",
        }
    }
}

/// Something that happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// The unreduced program showed the failure each time.
    Baseline {
        /// The failure that every candidate will be held to, in words.
        failure: String,
        /// The same in a form that two runs can compare; none where it is not known what fails.
        fingerprint: Option<String>,
        /// All failures that the program shows, if there are several.
        shown: Vec<String>,
        /// The size at the start.
        measure: Measure,
        /// Lines at the start.
        lines: usize,
    },
    /// A stage of the reduction of a package begins: a reduction of its own, behind those of the stages before.
    StageStarted {
        /// What is reduced.
        stage: Stage,
        /// The dependencies whose sources come to the program with it.
        dependencies: Vec<String>,
    },
    /// A stage of the reduction of a package is over.
    StageEnded {
        /// Which one.
        stage: Stage,
        /// Whether what came of it is the best so far.
        is_taken: bool,
    },
    /// A pass begins.
    PassStarted {
        /// Its name in the schedule.
        pass: &'static str,
    },
    /// A candidate was checked.
    Checked {
        /// What the check said.
        outcome: Outcome,
        /// Why.
        reason: String,
        /// How long it took.
        wall: Duration,
    },
    /// Checks are from now on run without the shortcut that there was: no fork server.
    ShortcutClosed {
        /// Why.
        reason: String,
    },
    /// A candidate showed another failure than the one that is looked for, and no smaller one has shown that.
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
        /// How many checks had been made when the smaller program was found.
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
    /// A run that was cut short is taken up. What it did is not told again.
    Resumed {
        /// Its command line.
        command: String,
        /// The folder in which that was given.
        folder: PathBuf,
        /// How many verdicts are known from it.
        known: usize,
    },
    /// Something that the user should know, and that is as it should be.
    Note {
        /// What.
        message: String,
    },
    /// Something went wrong that does not end the run.
    Warning {
        /// What.
        message: String,
    },
    /// The run is over.
    Finished(Box<Summary>),
    /// A run that looked for a difference is over.
    PairFound(Box<PairFound>),
    /// Something that only happens where changes are looked for that made a program fail.
    Changes(Changed),
}

/// Something that happens while the change is looked for that made a program fail.
#[derive(Clone, Debug)]
pub enum Changed {
    /// One version passed and another one failed, each time.
    Baseline {
        /// The failure, in words.
        failure: String,
    },
    /// The history is searched.
    History {
        /// How many commits may be the first bad one.
        commits: usize,
    },
    /// A commit was tested.
    Commit {
        /// The commit, in a few words.
        commit: String,
        /// What was said of it.
        outcome: Outcome,
        /// Why.
        reason: String,
        /// How many commits could still be the first bad one.
        left: usize,
    },
    /// The first bad commit was found.
    FirstBad {
        /// The commit, in a few words.
        commit: String,
        /// What it is compared with, in a few words.
        good: String,
        /// How many commits could not be tested of which each may be the first bad one as well.
        untestable: usize,
        /// Checks until now.
        checks: usize,
    },
    /// Fewer changes are left.
    Narrowed {
        /// What is counted: `files`, `hunks`.
        grain: &'static str,
        /// How many there were.
        from: usize,
        /// How many there are.
        to: usize,
        /// Checks until now.
        checks: usize,
    },
    /// The change was found.
    Found {
        /// The failure, in words.
        failure: String,
        /// Lines that come and go between the versions at the beginning.
        before: (usize, usize),
        /// Lines that come and go with the change.
        after: (usize, usize),
        /// What the change can be applied to, and what happens then.
        applies: String,
        /// Whether the search came to its end.
        ending: Ending,
        /// Versions that were checked.
        checks: usize,
        /// Versions that were not checked because the same had been.
        known: usize,
        /// How long it took.
        wall: Duration,
        /// The change as a patch, where its place is not standard output.
        patch: Option<String>,
        /// Where the patch is; none for standard output.
        output: Option<PathBuf>,
    },
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// No enabled reduction can be applied any more.
    Complete,
    /// The time that was allowed is over.
    Budget,
    /// The user interrupted it.
    Interrupted,
}

/// What came of a run.
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
    /// Candidates that were not run because an earlier run had been told of them.
    pub recalled: usize,
    /// How long it took.
    pub wall: Duration,
    /// The failure, in words.
    pub failure: String,
    /// The same in a form that two runs can compare; none where it is not known what fails.
    pub fingerprint: Option<String>,
    /// In how many of how many runs the result failed, when it was run again at the end.
    pub seen: Option<(usize, usize)>,
    /// Where the failure is there in some of the runs only: in how many of how many the unreduced program failed, and how many runs all
    /// checks took.
    pub flaky: Option<((usize, usize), usize)>,
    /// The result.
    pub program: Program,
    /// Where the result is; none when it went to standard output.
    pub output: Option<PathBuf>,
    /// The command that shows the failure.
    pub command: String,
    /// How many other failures are kept, and in which folder; none where none are to be.
    pub finds: Option<(usize, PathBuf)>,
    /// What to name to `mcve resume` so that it goes on; none if it is at its end or keeps no journal.
    pub resume: Option<PathBuf>,
}

/// Another failure that a candidate showed.
#[derive(Clone, Debug)]
pub struct Find {
    /// Tells it from others, in this run and in others.
    pub fingerprint: String,
    /// What it is, in words.
    pub failure: String,
    /// The candidate.
    pub program: Program,
    /// Where it belongs: a file, or a folder for several files.
    pub path: PathBuf,
    /// The command that shows it there.
    pub command: String,
}

/// What came of a run that looked for a difference: two versions of a program.
#[derive(Clone, Debug)]
pub struct PairFound {
    /// How it ended.
    pub ending: Ending,
    /// No single reduction that sets the two apart can be done without.
    pub one_minimal: bool,
    /// The tokens that only one of the two has.
    pub tokens: usize,
    /// The one that fails.
    pub failing: Program,
    /// The one that passes.
    pub passing: Program,
    /// What sets them apart, in words, in source order.
    pub causes: Vec<String>,
    /// Candidates that were run.
    pub checks: usize,
    /// How long it took.
    pub wall: Duration,
    /// The failure, in words.
    pub failure: String,
}

/// Listens to events.
pub trait Observer {
    /// Called for each event, in order, on the thread that searches.
    fn event(&mut self, event: &Event);

    /// Called at the end of a run.
    ///
    /// # Errors
    /// When some events could not be passed on to where they go.
    fn close(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Listens to nothing.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Observer for Nobody {
    fn event(&mut self, _: &Event) {}
}
