//! Single reductions of all transforms, from the smallest: the last word on how fine a difference can be.

use mcve_transforms::{FAMILIES, Reduction};

use super::divide::Universe;
use super::pair::{Contrast, is_same};
use super::refine::{is_within, size};
use crate::dd::ddmin::ddmin;
use crate::dd::general::Mode;
use crate::dd::keep_list::KeepList;
use crate::dd::outcome::Outcome;
use crate::dd::tester::Tester;
use crate::program::Program;
use crate::search::checker::Stop;

/// Families that change what a program looks like and not what it is, or that put in what is elsewhere.
const IDLE: [&str; 9] = [
    "characters", "comments", "labels", "names", "separators", "suggestions", "token-windows", "transplants",
    "statement-windows",
];

/// So many single reductions are tried in the place of one.
const MOST: usize = 96;

impl Contrast<'_> {
    /// Has a reduction give way to the smallest single one inside it that sets the two programs apart as well. If there is
    /// none, shares those after which the program still fails. Whether the difference is smaller than before.
    pub(super) fn sweep(&mut self) -> Result<bool, Stop> {
        let families = FAMILIES.iter().map(|family| family.name).filter(|name| !IDLE.contains(name));
        let all = self.proposals(&families.collect::<Vec<_>>());
        for coarse in self.apart.clone() {
            if !self.is_new(&coarse, usize::MAX) {
                continue;
            }
            let others: Vec<Reduction> = self.apart.iter().filter(|other| !is_same(other, &coarse)).cloned().collect();
            let mut finer = all.clone();
            finer.retain(|reduction| is_within(reduction, &coarse) && size(reduction) < size(&coarse));
            finer.sort_by_key(size);
            let mut failing = Vec::new();
            let jobs = self.checker.jobs();
            let mut seen = vec![self.with(self.shared.iter().chain(&others)).hash()];
            finer.retain(|reduction| {
                let hash = self.with(self.shared.iter().chain(&others).chain([reduction])).hash();
                let is_new = !seen.contains(&hash);
                seen.push(hash);
                is_new
            });
            finer.truncate(MOST);
            for row in finer.chunks(jobs) {
                let programs: Vec<Program> =
                    row.iter().map(|one| self.with(self.shared.iter().chain(&others).chain([one]))).collect();
                self.checker.learn(programs.clone(), self.observer)?;
                for (one, program) in row.iter().zip(programs) {
                    match self.outcome(&program)? {
                        Outcome::Pass => {
                            let apart = [&others[..], std::slice::from_ref(one)].concat();
                            if self.adopt(self.shared.clone(), apart)? {
                                return Ok(true);
                            }
                        }
                        Outcome::Fail => failing.push(one.clone()),
                        Outcome::Unresolved => {}
                    }
                }
            }
            if self.mode == Mode::Isolate && !failing.is_empty() {
                let before = self.distance();
                let universe = Universe { context: self.shared.clone(), reductions: failing, needs: None };
                self.share(&universe)?;
                if self.distance() < before {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Shares those of `universe` that the failing program can have all together.
    fn share(&mut self, universe: &Universe<'_>) -> Result<(), Stop> {
        let mut shrinking = Shrinking { contrast: self, universe };
        let keep = ddmin(KeepList::full(universe.reductions.len()), &mut shrinking)?;
        let mut shared = universe.context.clone();
        shared.extend(keep.removed().map(|index| universe.reductions[index].clone()));
        self.adopt(shared, self.apart.clone()).map(drop)
    }
}

/// Tells whether the failing program still fails with more reductions.
struct Shrinking<'s, 'a> {
    contrast: &'s mut Contrast<'a>,
    universe: &'s Universe<'s>,
}

impl Tester<Stop> for Shrinking<'_, '_> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Stop> {
        let universe = self.universe;
        let removed = keep.removed().map(|index| &universe.reductions[index]);
        let program = self.contrast.with(universe.context.iter().chain(removed));
        self.contrast.outcome(&program)
    }
}
