//! Transactions: a larger program is reduced to see whether it becomes smaller than the program that it was made of.

use std::ops::Range;

use mcve_transforms::{Analysis, Reduction, Source, Tree, related_items};

use crate::check::limits::{Clock, Stop};
use crate::program::Program;

#[derive(Clone)]
pub(super) struct Transaction {
    pub(super) before: Program,
    /// How many tests are left.
    pub(super) tests: usize,
    /// The parts that may be reduced.
    pub(super) scope: Scope,
}

/// The parts of a program that a transaction reduces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    Changed,
    /// Also the items around them, and those that are related to them by name.
    Related,
}

impl Transaction {
    /// Retains those of `reductions` of `program`, which is parsed as `source`, that are inside of the scope.
    pub(super) fn retain_concerned(
        &self,
        program: &Program,
        source: &Source,
        clock: &Clock,
        reductions: &mut Vec<Reduction>,
    ) -> Result<(), Stop> {
        let (was, is) = program.changed_since(&self.before);
        let mut parts = vec![is.clone()];
        if self.scope == Scope::Related {
            let before = (&*self.before.text, was);
            parts.extend(clock.in_time(|| related_items(&Analysis::of(&Tree::new(source)), before, &is))?);
        }
        let is_inside = |site: &Range<usize>| parts.iter().any(|part| part.start <= site.start && site.end <= part.end);
        reductions.retain(|reduction| is_inside(&reduction.site));
        Ok(())
    }
}
