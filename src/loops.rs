//! Reductions that put an endless loop into the program: where it is run, their checks would hang.

use mcve_transforms::{Reduction, tokens};

use crate::oracle::Oracle;
use crate::program::Program;

/// What stands in the place of a loop.
const PANIC: &str = "panic!";

/// Attributes that take `panic!` away, among others.
const NO_PRELUDE: [&str; 2] = ["no_core", "no_implicit_prelude"];

/// What becomes of reductions that put an endless loop into the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loops {
    /// They are as good as any other: the program is not run.
    Fine,
    /// Each would make its check hang. A panic takes the place of the loop.
    Panic,
    /// A loop may take the place of a panic, which is never reached: elsewhere it would be reached as the panic was.
    ForPanic,
}

impl Loops {
    /// In what `program`, of which `oracle` is the judge, is reduced to.
    pub(super) fn of(oracle: &dyn Oracle, program: &Program) -> Self {
        // Where there is no prelude there is no panic.
        let is_bare =
            || tokens(&program.text).iter().any(|token| NO_PRELUDE.contains(&&program.text[token.range.clone()]));
        if oracle.runs_candidates() && !is_bare() { Self::Panic } else { Self::Fine }
    }

    /// What becomes of `reductions` of `text`.
    pub(super) fn apply(self, text: &str, reductions: impl Iterator<Item = Reduction>) -> Vec<Reduction> {
        let panics = |reduction: &Reduction| text[reduction.site.clone()].contains(PANIC);
        match self {
            Self::Fine => reductions.collect(),
            Self::Panic => reductions.filter_map(Reduction::panicking).collect(),
            Self::ForPanic => reductions
                .flat_map(|reduction| {
                    let endless = (reduction.is_endless() && panics(&reduction)).then(|| reduction.clone());
                    reduction.panicking().into_iter().chain(endless)
                })
                .collect(),
        }
    }
}
