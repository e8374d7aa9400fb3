//! Which outcome a check most likely has: by its pass, and by the check before in that pass.
//!
//! The lists are what recorded runs show (`benches/workers.py`): with a table of both, 86.4 % of the predictions are right that were
//! not counted for it, and 83.5 % by the check before alone.

use mcve_dd::outcome::Outcome;

/// Passes in which the first check mostly fails.
pub(crate) const FIRST: [&str; 10] = [
    "characters", "comments", "coverage", "expansions", "files", "focus", "literals", "modules", "names", "rustc-hints",
];

/// Passes in which a check mostly does not fail after one that does.
pub(crate) const ALONE: [&str; 17] = [
    "bindings", "control", "declarations", "expressions", "generics", "literals", "macros", "modifiers", "optional",
    "rustc-hints", "single-items", "token-windows", "tokens", "trials", "type-lists", "types", "values",
];

/// The pass, and its last outcome, known or assumed.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::check) struct Course {
    pass: &'static str,
    last: Option<Outcome>,
}

impl Course {
    /// That of a pass of which no outcome is known.
    pub(in crate::check) fn of(pass: &'static str) -> Self {
        Self { pass, last: None }
    }

    pub(in crate::check) fn observe(&mut self, outcome: Outcome) {
        self.last = Some(outcome);
    }

    /// The outcome that the next check most likely has.
    pub(super) fn likely(self) -> Outcome {
        match self.last {
            None => Outcome::fail_if(FIRST.contains(&self.pass)),
            Some(Outcome::Fail) => Outcome::fail_if(!ALONE.contains(&self.pass)),
            Some(outcome) => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_like_the_one_before_but_where_the_pass_knows_better() {
        use Outcome::{Fail, Pass, Unresolved};
        for (pass, first, after_fail) in
            [("proof", Pass, Fail), ("comments", Fail, Fail), ("values", Pass, Pass), ("", Pass, Fail)]
        {
            let mut course = Course::of(pass);
            assert_eq!(course.likely(), first, "{pass}");
            for (outcome, next) in [(Fail, after_fail), (Unresolved, Unresolved), (Pass, Pass)] {
                course.observe(outcome);
                assert_eq!(course.likely(), next, "{pass} after {outcome:?}");
            }
        }
    }
}
