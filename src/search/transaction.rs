//! Transactions: a larger program is reduced to see whether it becomes smaller than the one that it was made of.

use std::ops::Range;

use mcve_transforms::{Analysis, Reduction, Tree, related_items};

use super::engine::Search;
use crate::check::limits::Stop;
use crate::program::Program;

/// A larger program that is reduced to see whether it becomes smaller than the one that it was made of.
#[derive(Clone)]
pub(super) struct Transaction {
    /// The program before.
    pub(super) before: Program,
    /// How many tests are left.
    tests: usize,
    /// What may be reduced.
    scope: Scope,
}

/// What of a program a transaction reduces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// What was changed.
    Changed,
    /// The items, too, that have to do with it, told by name.
    Related,
}

impl Search<'_> {
    /// Reduces `program`, which fails and may be larger than the best one, with so many tests at most. The best program
    /// is replaced if what comes of it is smaller, and is as it was if not. Whether it was replaced.
    pub(super) fn transact(
        &mut self,
        program: Program,
        tests: usize,
        steps: Vec<String>,
        reduce: impl Fn(&mut Self) -> Result<(), Stop>,
    ) -> Result<bool, Stop> {
        let (before, measure) = (self.best().clone(), self.measure());
        self.replace(program);
        let mut reduced = Ok(());
        let mut left = tests;
        for scope in [Scope::Changed, Scope::Related] {
            self.state.transaction = Some(Transaction { before: before.clone(), tests: left, scope });
            reduced = reduce(self);
            left = self.state.transaction.take().map_or(0, |transaction| transaction.tests);
            if reduced.is_err() || self.measure() < measure {
                break;
            }
        }
        let (after, paid) = (self.best().clone(), self.measure() < measure);
        self.replace(before);
        if paid {
            self.accept(after, steps)?;
        }
        // Of an interrupted transaction, too, what it gained is kept.
        reduced.map(|()| paid)
    }

    /// How many tests the transaction under way has left, if there is one.
    pub(super) fn tests_left(&mut self) -> Option<&mut usize> {
        self.state.transaction.as_mut().map(|transaction| &mut transaction.tests)
    }

    /// Of `reductions`, leaves those that concern what the transaction under way reduces, if there is one.
    pub(super) fn retain_concerned(&mut self, reductions: &mut Vec<Reduction>) -> Result<(), Stop> {
        let Some((before, scope)) =
            self.state.transaction.as_ref().map(|transaction| (transaction.before.clone(), transaction.scope))
        else {
            return Ok(());
        };
        let source = self.source();
        let (was, is) = self.best().changed_since(&before);
        let mut parts = vec![is.clone()];
        if scope == Scope::Related {
            let changes = [(&*before.text, was), (&*self.best().text, is)];
            parts.extend(self.checks.in_time(|| related_items(&Analysis::of(&Tree::new(&source)), &changes))?);
        }
        let is_inside = |site: &Range<usize>| parts.iter().any(|part| part.start <= site.start && site.end <= part.end);
        reductions.retain(|reduction| is_inside(&reduction.site));
        Ok(())
    }
}
