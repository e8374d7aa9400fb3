//! The lines of a log.

use mcve_reduce::event::{Attempt, Ending, General};
use mcve_reduce::program::Size;
use serde::{Deserialize, Serialize};

use crate::report::begun::Begun;

/// A line of a log.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Line {
    /// The first line: the version of mcve.
    Log(String),
    /// What was asked.
    Begun(Begun),
    /// The program that is reduced.
    Input(String),
    /// A smaller program.
    Step(Step),
    /// The end of a pass.
    Pass(Pass),
    /// A change that was proposed.
    Tried(Attempt),
    /// A line of the result.
    Result(ResultLine),
    /// How the run ended.
    End(Box<End>),
    /// The parts of the result that may be any of their kind, by a later question.
    General(Vec<General>),
}

/// A step to a smaller program: what was removed from the text of the program before, and what was added there.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Step {
    /// The time since the start.
    pub(crate) seconds: f64,
    /// Checks until then.
    pub(crate) checks: usize,
    pub(crate) pass: String,
    /// The first reductions that were applied, as `line:column: transform`.
    pub(crate) reductions: Vec<String>,
    pub(crate) size: Size,
    /// The byte at which the text differs from the one before.
    pub(crate) at: usize,
    /// How many bytes went there.
    pub(crate) removed: usize,
    pub(crate) added: String,
}

/// What was done in a pass.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Pass {
    /// What it does, in words.
    pub(crate) name: String,
    pub(crate) seconds: f64,
    /// The checks of the pass that failed (the good case), passed, and did neither.
    pub(crate) fail: usize,
    pub(crate) pass: usize,
    pub(crate) unresolved: usize,
    /// The size at its end.
    pub(crate) size: Size,
}

/// A line of the result.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct ResultLine {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) text: String,
    /// What it was when most was tried, with other names or in another order; else empty.
    pub(crate) was: String,
    /// The changes of it that were refused, the most telling first.
    pub(crate) tried: Vec<RefusedAt>,
    /// The parts that none of them changes.
    pub(crate) left: Vec<String>,
    /// The parts whose place before the last steps is not known: moved, renamed or laid out.
    pub(crate) untraced: Vec<String>,
}

/// Where a change of a line was refused.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct RefusedAt {
    /// The number of the change.
    pub(crate) number: usize,
    /// Where its part of the line begins and ends, in bytes.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether it changes nothing outside of the line.
    pub(crate) is_whole: bool,
}

/// How a run ended.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct End {
    pub(crate) ending: Ending,
    pub(crate) one_minimal: bool,
    pub(crate) before: Size,
    pub(crate) after: Size,
    /// What sizes count.
    pub(crate) unit: String,
    pub(crate) checks: usize,
    pub(crate) seconds: f64,
    pub(crate) failure: String,
    pub(crate) fingerprint: Option<String>,
    /// All failures of the input, if it showed several.
    pub(crate) shown: Vec<String>,
    /// The errors that a crash hides.
    pub(crate) hidden_errors: Vec<String>,
    /// The command that shows the failure.
    pub(crate) command: String,
    pub(crate) output: Option<String>,
    /// The line of the result that its failure names, if it does and the result is one file.
    pub(crate) at: Option<usize>,
    /// A change with which the result passes: its lines after `-` and `+`, and how it passes.
    pub(crate) change: Option<(String, String)>,
    /// The reasons of checks, without what is particular, and how many checks had them; the most frequent first.
    pub(crate) reasons: Vec<(String, usize)>,
    /// The text of the result, each file after its path if there are several.
    pub(crate) text: String,
}
