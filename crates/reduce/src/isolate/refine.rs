//! From a coarse difference to a fine one: a reduction that sets the two programs apart gives way to smaller ones inside it.

use mcve_transforms::{MUTATION, Reduction, at_level, covers, tokens};

use super::divide::Universe;
use super::initial::first_alternatives;
use super::pair::{IsolationPair, is_same};
use crate::check::limits::Stop;
use mcve_dd::general::Mode;
use mcve_dd::outcome::Outcome;

/// The transforms to try inside of a reduction, from coarse to fine: those of a step go level by level from the outside.
const STEPS: [&str; 4] = [
    "replace-body replace-opaque-body",
    "items delete-use-leaf delete-macro-rule",
    "delete-statement replace-by-value lists attrs macros",
    "delete-variant delete-field delete-parameter type-lists delete-generic-parameter delete-bound delete-or-case \
     delete-pattern-element delete-field-pattern token-trees lines tokens",
];

/// So many levels of a step are looked at.
const LEVELS: usize = 4;

impl IsolationPair<'_> {
    /// Makes the difference finer until no reduction gives way to smaller ones any more, and the difference is 1-minimal:
    /// neither can the failing program have any single reduction of it and fail, nor the passing one go without it and pass.
    pub(crate) fn refine(&mut self) -> Result<(), Stop> {
        // Another operator is as fine as can be, and less of it would say something else.
        let is_mutant =
            |one: &Reduction| one.transform.name == MUTATION && one.edits.iter().any(|edit| !edit.text.is_empty());
        if self.difference.iter().all(is_mutant) {
            return Ok(());
        }
        while self.step()? || self.sweep()? || self.settle_one()? {}
        Ok(())
    }

    /// Has a reduction give way to others of [`STEPS`], those that others need first. Whether one did.
    fn step(&mut self) -> Result<bool, Stop> {
        for coarse in &self.difference.clone() {
            for (step, names) in STEPS.into_iter().enumerate() {
                let inside = self.inside(coarse, &names.split(' ').collect::<Vec<_>>())?;
                for level in 0..LEVELS {
                    if !self.mark_tried(coarse, step * LEVELS + level) {
                        continue;
                    }
                    let mut reductions = last_at_level(inside.clone(), level);
                    if reductions.is_empty() {
                        break;
                    }
                    let (before, difference) = (self.distance(), self.difference.len());
                    reductions.extend(self.difference.iter().filter(|other| !is_same(other, coarse)).cloned());
                    let universe = Universe { reductions, needs: None };
                    let outcome = self.divide(&universe)?;
                    let is_kept = self.difference.len() == difference
                        && self.difference.iter().any(|other| is_same(other, coarse));
                    if !is_kept || self.distance() < before && outcome != Outcome::Fail {
                        return Ok(true);
                    }
                    if outcome == Outcome::Fail {
                        // What is inside of what was taken away can take no more away.
                        break;
                    }
                }
            }
        }
        Ok(false)
    }

    /// Remembers that `what` is tried in the place of `coarse`. False if it was tried before, with as much shared: what it comes to where other reductions
    /// do not set the two apart any more is left to the next one.
    pub(super) fn mark_tried(&mut self, coarse: &Reduction, what: usize) -> bool {
        self.tried.insert((coarse.site.clone(), coarse.transform.name, coarse.rank, what, self.shared.len()))
    }

    /// The first proposals of the transforms in `names`, for each site, that lie inside of `coarse` and are smaller.
    fn inside(&self, coarse: &Reduction, names: &[&str]) -> Result<Vec<Reduction>, Stop> {
        let is_shared = |reduction: &Reduction| {
            let edits = self.shared.iter().flat_map(|shared| &shared.edits);
            reduction.edits.iter().all(|edit| edits.clone().any(|other| covers(&other.range, &edit.range)))
        };
        let mut finer = first_alternatives(self.proposals(names)?);
        finer.retain(|one| is_within(one, coarse) && size(one) < size(coarse) && !is_shared(one));
        Ok(finer)
    }

    /// Moves a single reduction from one program to the other, or to both. Whether one could be.
    fn settle_one(&mut self) -> Result<bool, Stop> {
        if self.difference.len() < 2 {
            return Ok(false);
        }
        for index in 0..self.difference.len() {
            let mut others = self.difference.clone();
            let one = others.remove(index);
            if self.adopt(self.shared.clone(), others.clone())? {
                return Ok(true);
            }
            if self.mode == Mode::Isolate && self.adopt([&self.shared[..], &[one]].concat(), others)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The tokens that a reduction takes away, and those that it puts in their place, each counted twice.
pub(super) fn size(reduction: &Reduction) -> isize {
    let added = reduction.edits.iter().map(|edit| tokens(&edit.text).len()).sum::<usize>();
    reduction.gain + 2 * added.cast_signed()
}

/// Whether all that `reduction` changes is changed by `coarse` as well.
pub(super) fn is_within(reduction: &Reduction, coarse: &Reduction) -> bool {
    reduction.edits.iter().all(|edit| coarse.edits.iter().any(|other| covers(&other.range, &edit.range)))
}

/// Those of `reductions`, sorted by site, that lie inside of `level` others; of several at one site the last: what stands
/// for a value at the end of a block takes less away than the deletion of the whole.
fn last_at_level(reductions: Vec<Reduction>, level: usize) -> Vec<Reduction> {
    let mut last = at_level(reductions, level);
    last.reverse();
    last.dedup_by(|earlier, last| earlier.site == last.site);
    last.reverse();
    last
}
