//! The numbers of a page: the time and the checks by pass.

use std::cmp::Reverse;

use indicatif::HumanCount;

use crate::report::log::{End, Run};

/// So many passes have a colour of their own. The others share one.
pub(super) const COLOURS: usize = 5;

/// What was done in all passes of one name.
#[derive(Default)]
pub(super) struct Pass {
    pub(super) name: String,
    pub(super) seconds: f64,
    pub(super) checks: usize,
    /// By how much it made the program smaller.
    pub(super) removed: usize,
    /// The number of its colour: those that removed most have one of their own.
    pub(super) colour: usize,
}

/// The passes of a run, each once, the longest first.
pub(super) fn passes(run: &Run, end: &End) -> Vec<Pass> {
    let mut all: Vec<Pass> = Vec::new();
    let mut add = |name: &str, seconds, checks, removed| {
        let at = all.iter().position(|pass| pass.name == name).unwrap_or_else(|| {
            all.push(Pass { name: name.to_owned(), ..Pass::default() });
            all.len() - 1
        });
        (all[at].seconds, all[at].checks) = (all[at].seconds + seconds, all[at].checks + checks);
        all[at].removed += removed;
    };
    for pass in &run.passes {
        add(&pass.name, pass.seconds, pass.fail + pass.pass + pass.unresolved, 0);
    }
    let mut before = end.before.tokens;
    for step in &run.steps {
        add(&step.pass, 0.0, 0, before.saturating_sub(step.size.tokens));
        before = step.size.tokens;
    }
    all.sort_by_key(|pass| Reverse(pass.removed));
    for (rank, pass) in (0..).zip(&mut all) {
        pass.colour = if pass.removed > 0 { COLOURS.min(rank) } else { COLOURS };
    }
    all.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    all
}

/// The checks by their outcomes: the class of a colour, how many, and what that means.
pub(super) fn outcomes(run: &Run) -> [(&'static str, usize, &'static str); 3] {
    let (mut fail, mut pass, mut neither) = (0, 0, 0);
    for one in &run.passes {
        (fail, pass, neither) = (fail + one.fail, pass + one.pass, neither + one.unresolved);
    }
    [("p1", fail, "showed the failure"), ("p2", pass, "passed"), ("p5", neither, "did neither")]
}

/// A number with its thousands apart.
pub(super) fn number(number: usize) -> String {
    HumanCount(number as u64).to_string()
}
