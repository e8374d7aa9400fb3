//! A candidate before it is made.

use std::cell::OnceCell;

use mcve_transforms::Reduction;

use crate::program::Program;
use mcve_dd::keep_list::KeepList;

/// A candidate: a set of reductions of a program, which are applied when the result is first asked for.
pub struct Proposal<'p> {
    /// The program that the reductions are of.
    pub base: &'p Program,
    /// The best program.
    pub best: &'p Program,
    /// The program before the transaction, if one is under way.
    pub before: Option<&'p Program>,
    /// The reductions.
    pub reductions: &'p [Reduction],
    /// Which of them the best program keeps.
    pub kept: &'p KeepList,
    /// Which of them the candidate keeps.
    pub keep: &'p KeepList,
    pub(super) program: OnceCell<Program>,
}

impl<'p> Proposal<'p> {
    /// A proposal to keep `keep` where the best program keeps `kept`.
    pub fn new(
        base: &'p Program,
        best: &'p Program,
        reductions: &'p [Reduction],
        [kept, keep]: [&'p KeepList; 2],
    ) -> Self {
        Self { base, best, before: None, reductions, kept, keep, program: OnceCell::new() }
    }

    /// The candidate.
    pub fn program(&self) -> &Program {
        self.program.get_or_init(|| self.base.reduced_by(self.keep.removed().map(|index| &self.reductions[index])))
    }

    pub(crate) fn into_program(self) -> Program {
        self.program();
        self.program.into_inner().expect("it was just made")
    }
}
