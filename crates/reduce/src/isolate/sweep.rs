//! Single reductions of all transforms, from the smallest: the last word on how fine a difference can be.

use std::collections::HashSet;

use mcve_transforms::{Reduction, families};

use super::pair::{IsolationPair, is_same};
use super::refine::{is_within, size};
use crate::check::limits::Stop;
use crate::check::speculation::{expect, workers};
use crate::program::Program;
use mcve_dd::ddmin::ddmin;
use mcve_dd::general::Mode;
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;

/// Families that change only the appearance of a program.
const LEFT_OUT: [&str; 7] = ["characters", "comments", "labels", "names", "separators", "suggestions", "token-windows"];

/// The number of single reductions that are tried in place of one.
const MOST: usize = 96;

impl IsolationPair<'_> {
    /// Has a reduction give way to the smallest single one inside it that sets the two apart as well. If there is none, shares
    /// those after which the program still fails. Whether the difference is smaller than before.
    pub(super) fn sweep(&mut self) -> Result<bool, Stop> {
        let families = families().map(|family| family.name).filter(|name| !LEFT_OUT.contains(name));
        let all = self.proposals(&families.collect::<Vec<_>>())?;
        for coarse in &self.difference.clone() {
            if !self.mark_tried(coarse, usize::MAX) {
                continue;
            }
            let mut others = self.difference.clone();
            others.retain(|other| !is_same(other, coarse));
            let finer = self.finer(&all, coarse, &others);
            let (found, failing) = self.smallest(&finer, &others)?;
            if found {
                return Ok(true);
            }
            if self.mode == Mode::Isolate && !failing.is_empty() {
                let before = self.distance();
                self.share(&failing)?;
                if self.distance() < before {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Those of `all` that lie in `coarse` and are smaller, the smallest first, of those that make the same of the program one.
    fn finer(&self, all: &[Reduction], coarse: &Reduction, others: &[Reduction]) -> Vec<Reduction> {
        let is_finer = |one: &&Reduction| is_within(one, coarse) && size(one) < size(coarse);
        let mut finer: Vec<Reduction> = all.iter().filter(is_finer).cloned().collect();
        finer.sort_by_key(size);
        let mut seen = HashSet::from([self.passing().hash(), self.failing().hash()]);
        finer.retain(|one| seen.insert(self.beside(others, one).hash()));
        finer.truncate(MOST);
        finer
    }

    /// Sets the two apart by `others` and the first of `finer` with which it passes; else returns those with which it fails.
    fn smallest(&mut self, finer: &[Reduction], others: &[Reduction]) -> Result<(bool, Vec<Reduction>), Stop> {
        let mut failing = Vec::new();
        for row in finer.chunks(workers(&self.checks)) {
            let programs: Vec<Program> = row.iter().map(|one| self.beside(others, one)).collect();
            expect(&self.checks, &mut programs.iter().cloned());
            for (one, program) in row.iter().zip(programs) {
                match self.outcome(&program)? {
                    Outcome::Pass => {
                        let difference = [others, std::slice::from_ref(one)].concat();
                        if self.adopt(self.shared.clone(), difference)? {
                            return Ok((true, Vec::new()));
                        }
                    }
                    Outcome::Fail => failing.push(one.clone()),
                    Outcome::Unresolved => {}
                }
            }
        }
        Ok((false, failing))
    }

    /// The failing program with `others` and `one`.
    fn beside(&self, others: &[Reduction], one: &Reduction) -> Program {
        self.with(self.shared.iter().chain(others).chain([one]))
    }

    /// Shares those of these reductions that the failing program can have all together.
    fn share(&mut self, reductions: &[Reduction]) -> Result<(), Stop> {
        let mut outcome = |keep: &KeepList| self.outcome(&self.without(reductions, keep));
        let keep = ddmin(KeepList::full(reductions.len()), &mut outcome)?;
        let removed = keep.removed().map(|index| reductions[index].clone());
        let shared = self.shared.iter().cloned().chain(removed).collect();
        self.adopt(shared, self.difference.clone()).map(drop)
    }
}
