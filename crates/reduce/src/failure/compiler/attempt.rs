//! A run of rustc in which a failure is looked for.

use crate::exec::job::{End, JobResult};
use crate::oracle::diagnostics::Stderr;
use crate::oracle::failure::Failure;
use crate::oracle::rustc::Rustc;

/// A run of rustc on the program.
pub(super) struct Run {
    pub(super) rustc: Rustc,
    /// How it was run: without code where that is enough.
    pub(super) by: Rustc,
    pub(super) edition: Option<&'static str>,
    pub(super) result: JobResult,
    pub(super) failure: Option<Failure>,
}

impl Run {
    pub(super) fn is_crash(&self) -> bool {
        self.failure.as_ref().is_some_and(|failure| !failure.is_in_program())
    }

    /// Smaller is better: a crash before errors, then the fewest codes. A refusal of rustc to run comes last.
    pub(super) fn rank(&self) -> (bool, bool, usize) {
        let codes = self.failure.as_ref().map_or(0, |failure| failure.codes.len());
        (self.is_unknown(), !self.is_crash(), codes)
    }

    pub(super) fn is_unknown(&self) -> bool {
        self.failure.is_none() && self.result.end != End::Exited(0)
    }

    pub(super) fn shows_same(&self, other: &Self) -> bool {
        let failures = self.failure.as_ref().zip(other.failure.as_ref());
        failures.is_some_and(|(own, other)| own.is_same(other) && own.codes == other.codes)
    }

    /// Whether it shows no crash, but might if code were generated: that of functions is, although others have errors.
    pub(super) fn may_crash(&self) -> bool {
        !self.is_crash() && !self.is_unknown() && self.by != self.rustc
    }
}

/// So many errors and warnings are shown in the place of one that is not there.
const SHOWN: usize = 6;

/// The errors and warnings that there are, a line each.
pub fn said_instead(result: &JobResult) -> String {
    let all = Failure::list(result).into_iter().chain(warnings(result).into_iter().map(|(_, words)| words));
    let lines: String = all.take(SHOWN).map(|line| format!("\n  {line}")).collect();
    if lines.is_empty() { "; it says nothing".to_owned() } else { format!("; it says:{lines}") }
}

/// The lints that warn, each with its first warning in one line.
pub(super) fn warnings(result: &JobResult) -> Vec<(String, String)> {
    let mut warnings: Vec<(String, String)> = Vec::new();
    for said in Stderr::read(&result.stderr).diagnostics {
        let Some(lint) = said.code_or_lint().filter(|_| said.level == "warning") else { continue };
        if warnings.iter().all(|(known, _)| *known != lint) {
            warnings.push((lint.to_owned(), said.headline()));
        }
    }
    warnings
}
