//! What is known of a run: its sizes, its passes, its failure, its best program.

use std::time::Instant;

use mcve_dd::outcome::Outcome;
use mcve_reduce::event::Event;
use mcve_reduce::program::{Language, Program};
use mcve_reduce::search::passes::growing;
use mcve_reduce::search::passes::schedule::{COARSE_TO_FINE, LAST};

use crate::report::progress::Progress;

/// What is known of a run.
#[derive(Clone)]
pub(super) struct State {
    pub(super) progress: Progress,
    start: Instant,
    /// The name of what is reduced.
    pub(super) name: String,
    pub(super) failure: Option<String>,
    /// The best program, once it is known.
    pub(super) program: Option<Program>,
    /// Seconds since the start, and the size then.
    pub(super) curve: Vec<(f64, f64)>,
    /// The passes that were run, the last one first.
    pub(super) passes: Vec<Pass>,
    /// The checks so far of this reduction; the progress has those of all.
    checks: usize,
    /// The last note or warning.
    pub(super) said: Option<String>,
    /// Whether the user wants a pause, and whether the search waits.
    pub(super) is_pause_asked: bool,
    pub(super) is_waiting: bool,
}

/// A pass, and what it came to in all of its runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    /// Its name.
    pub(super) name: &'static str,
    /// How many tokens it took away.
    pub(super) taken: usize,
    /// Its checks, and those of them in which the failure was still there.
    pub(super) checks: usize,
    pub(super) good: usize,
    /// The checks of the reduction when its last run began.
    began: usize,
}

impl State {
    /// A run that begins now, and ends at `deadline` if it did not before.
    pub(super) fn new(name: String, deadline: Option<Instant>) -> Self {
        let start = Instant::now();
        Self {
            progress: Progress::begin(start, deadline),
            start,
            name,
            failure: None,
            program: None,
            curve: Vec::new(),
            passes: Vec::new(),
            checks: 0,
            said: None,
            is_pause_asked: false,
            is_waiting: false,
        }
    }

    pub(super) fn follow(&mut self, event: &Event) {
        let before = self.progress.now.tokens;
        self.progress.follow(event, Instant::now());
        match event {
            Event::Baseline { failure, size, program, .. } => {
                (self.failure, self.program) = (Some(failure.clone()), Some(program.clone()));
                self.plot(size.tokens);
            }
            Event::StageStarted { .. } => self.checks = 0,
            Event::PassStarted { pass, .. } => self.begin(pass),
            Event::Checked { outcome, .. } => {
                self.checks += 1;
                if let Some(pass) = self.passes.first_mut() {
                    pass.checks += 1;
                    pass.good += usize::from(*outcome == Outcome::Fail);
                }
            }
            Event::Gained { size, checks, program, .. } => {
                let taken = before.saturating_sub(size.tokens);
                // A gain is reported once it is certain, which may be in a later pass.
                let at = self.passes.iter().position(|pass| pass.began < *checks).unwrap_or_default();
                if let Some(pass) = self.passes.get_mut(at) {
                    pass.taken += taken;
                }
                self.program = Some(program.clone());
                self.plot(size.tokens);
            }
            Event::Note { message } => self.said = Some(message.clone()),
            Event::Warning { message } => self.said = Some(format!("warning: {message}")),
            _ => {}
        }
    }

    fn begin(&mut self, name: &'static str) {
        let known = self.passes.iter().position(|pass| pass.name == name);
        let known = known.map(|at| self.passes.remove(at));
        let pass = known.unwrap_or(Pass { name, taken: 0, checks: 0, good: 0, began: 0 });
        self.passes.insert(0, Pass { began: self.checks, ..pass });
    }

    /// Adds a step to the curve.
    fn plot(&mut self, tokens: usize) {
        let seconds = self.start.elapsed().as_secs_f64();
        self.curve.extend(self.curve.last().map(|(_, before)| (seconds, *before)));
        self.curve.push((seconds, tokens as f64));
    }

    /// The pass under way.
    pub(super) fn pass(&self) -> &'static str {
        self.passes.first().map_or("baseline", |pass| pass.name)
    }

    /// Whether the pass under way can be skipped. The last pass over a text that is not Rust is its proof.
    pub(super) fn is_skippable(&self) -> bool {
        let is_rust = self.program.as_ref().is_none_or(|program| program.language == Language::Rust);
        let mut names = COARSE_TO_FINE.iter().chain(LAST).map(|pass| pass.name).chain([growing::NAME]);
        is_rust && names.any(|name| name == self.pass())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mcve_reduce::program::Size;

    fn checked(outcome: Outcome) -> Event {
        Event::Checked { outcome, reason: String::new(), seconds: 0.1 }
    }

    fn gained(tokens: usize, checks: usize) -> Event {
        let (size, program) = (Size { tokens, ..Size::default() }, Program::new("a.rs", "fn main() {}"));
        Event::Gained { steps: Vec::new(), size, checks, program }
    }

    fn begun(tokens: usize) -> State {
        let mut state = State::new("a.rs".to_owned(), None);
        let size = Size { tokens, ..Size::default() };
        let failure = "it crashes".to_owned();
        state.follow(&Event::Baseline {
            failure,
            fingerprint: None,
            shown: Vec::new(),
            size,
            unit: "tokens",
            program: Program::new("a.rs", ""),
        });
        state
    }

    #[test]
    fn a_gain_belongs_to_the_pass_that_made_it_although_it_is_reported_later() {
        let mut state = begun(100);
        for event in [
            Event::PassStarted { pass: "items", doing: "" },
            checked(Outcome::Fail),
            checked(Outcome::Pass),
            Event::PassStarted { pass: "names", doing: "" },
            checked(Outcome::Fail),
            gained(70, 1),
            gained(65, 3),
            Event::PassStarted { pass: "items", doing: "" },
        ] {
            state.follow(&event);
        }
        let found: Vec<_> = state.passes.iter().map(|pass| (pass.name, pass.taken, pass.good, pass.checks)).collect();
        assert_eq!(found, [("items", 30, 1, 2), ("names", 5, 1, 1)]);
        assert_eq!((state.pass(), state.progress.now.tokens, state.progress.checks), ("items", 65, 3));
        assert!(state.program.is_some());
    }

    #[test]
    fn the_curve_is_of_steps() {
        let mut state = begun(100);
        (1..=10).for_each(|count| state.follow(&gained(100 - count, 0)));
        let sizes: Vec<f64> = state.curve.iter().map(|point| point.1).collect();
        assert_eq!((sizes.len(), &sizes[..4], sizes.last()), (21, &[100.0, 100.0, 99.0, 99.0][..], Some(&90.0)));
        assert!(state.curve.is_sorted_by(|one, next| one.0 <= next.0));
    }

    #[test]
    fn neither_the_proof_nor_a_pass_over_another_text_can_be_skipped() {
        let mut state = begun(10);
        for (pass, expected) in [("items", true), ("trials", true), ("proof", false), ("cause", false)] {
            state.follow(&Event::PassStarted { pass, doing: "" });
            assert_eq!(state.is_skippable(), expected, "{pass}");
        }
        state.follow(&Event::PassStarted { pass: "characters", doing: "" });
        assert!(state.is_skippable());
        let mut program = Program::new("a.json", "{}");
        program.language = Language::Text;
        state.program = Some(program);
        assert!(!state.is_skippable());
    }
}
