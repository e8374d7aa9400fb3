//! General delta debugging over some reductions, of which the failing program comes to have more and the passing one fewer.

use mcve_transforms::Reduction;

use super::pair::IsolationPair;
use crate::check::limits::Stop;
use crate::check::speculation::expect;
use crate::program::Program;
use mcve_dd::closed::Closed;
use mcve_dd::difference::Difference;
use mcve_dd::general::{Mode, dd};
use mcve_dd::keep_list::KeepList;
use mcve_dd::outcome::Outcome;
use mcve_dd::precondition::Stopped;
use mcve_dd::tester::Tester;

/// The number of tests in a row without progress after which the rest is divided more finely.
const PATIENCE: usize = 24;

/// Like [`PATIENCE`], while it is unknown whether any such program passes.
const LITTLE_PATIENCE: usize = 16;

/// Reductions to be divided among the two programs, besides those that are shared already.
pub(super) struct Universe<'u> {
    pub(super) reductions: Vec<Reduction>,
    pub(super) needs: Option<Needs<'u>>,
}

/// The dependencies among reductions.
pub(super) struct Needs<'u> {
    /// The reductions that are kept for themselves, each after those that it needs.
    pub(super) roots: Vec<usize>,
    /// All that has to be kept with some, sorted, these included.
    pub(super) close: &'u dyn Fn(&[usize]) -> Vec<usize>,
}

impl Universe<'_> {
    /// The list that keeps as little as can be.
    pub(super) fn least(&self) -> KeepList {
        let kept = self.needs.as_ref().map(|needs| (needs.close)(&[])).unwrap_or_default();
        KeepList::of(self.reductions.len(), kept)
    }

    /// Sorts reductions so that what is needed comes before what needs it, as far as that is known.
    fn sort(&self, reductions: &mut [usize]) {
        if let Some(needs) = &self.needs {
            reductions.sort_by_key(|index| needs.roots.iter().position(|root| root == index));
        }
    }
}

/// Why delta debugging ends before its end.
enum Halt {
    Stop(Stop),
    /// No progress for long.
    Enough,
}

impl IsolationPair<'_> {
    /// Divides the reductions of `universe` among the two programs; what was said of the program with all of them applied.
    ///
    /// A failure is shared if the failing program may shrink. On the way of an unresolved one, what passes may be found.
    pub(super) fn divide(&mut self, universe: &Universe<'_>) -> Result<Outcome, Stop> {
        let mut division = Division::of(self, universe);
        let all = division.asked(&universe.least())?;
        let done = if all == Outcome::Fail { Ok(()) } else { division.run() };
        let (passing, failing) = (division.passing, division.failing);
        // What was found before the search was to stop counts as well.
        self.settle(universe, passing.as_ref(), &failing)?;
        done.map(|()| all)
    }

    /// The failing program with those of `reductions` that are not kept.
    pub(super) fn without(&self, reductions: &[Reduction], keep: &KeepList) -> Program {
        self.with(self.shared.iter().chain(keep.removed().map(|index| &reductions[index])))
    }

    /// Takes over the result of a division.
    fn settle(&mut self, universe: &Universe<'_>, passing: Option<&KeepList>, failing: &KeepList) -> Result<(), Stop> {
        let applied = |index: usize| universe.reductions[index].clone();
        let mut shared = self.shared.clone();
        shared.extend(failing.removed().map(applied));
        if let Some(passing) = passing {
            let difference = passing.removed().filter(|index| failing.kept().binary_search(index).is_ok());
            let mut difference: Vec<usize> = difference.collect();
            universe.sort(&mut difference);
            if self.adopt(shared.clone(), difference.into_iter().map(applied).collect())? {
                return Ok(());
            }
        }
        if self.is_paired() {
            self.adopt(shared, self.difference.clone())?;
        } else if self.mode == Mode::Isolate {
            self.shared = shared;
        }
        Ok(())
    }
}

/// A division under way: delta debugging asks it, and it remembers what moved.
struct Division<'d, 'a> {
    pair: &'d mut IsolationPair<'a>,
    universe: &'d Universe<'d>,
    /// The longest list that is known to pass.
    passing: Option<KeepList>,
    /// The shortest list that is known to fail.
    failing: KeepList,
    /// How many tests may still move nothing.
    patience: usize,
}

impl<'d, 'a> Division<'d, 'a> {
    fn of(pair: &'d mut IsolationPair<'a>, universe: &'d Universe<'d>) -> Self {
        let failing = KeepList::full(universe.reductions.len());
        Self { pair, universe, passing: None, failing, patience: PATIENCE }
    }

    fn run(&mut self) -> Result<(), Stop> {
        let mode = self.pair.mode;
        let universe = self.universe;
        if let Some(needs) = &universe.needs {
            let all = needs.roots.len();
            let close = |roots: &[usize]| {
                // All that there is is kept with all roots, whether one of them needs it or not.
                if roots.len() == all { (0..universe.reductions.len()).collect() } else { (needs.close)(roots) }
            };
            let mut closed =
                Closed { tester: self, universe: universe.reductions.len(), roots: &needs.roots, close: &close };
            let start = Difference::below(KeepList::full(all));
            ended(dd(start, mode, &Difference::elements, &mut closed))?;
        }
        // What a root needs is not set apart with it where it makes no difference.
        let order = |difference: &Difference| {
            let mut elements = difference.elements();
            universe.sort(&mut elements);
            elements
        };
        let mut before = None;
        loop {
            self.patience = self.patience();
            let passing = self.passing.clone().unwrap_or_else(|| universe.least());
            let start = Difference { passing, failing: self.failing.clone() };
            // What was found on the way may be less than what delta debugging ends with.
            if start.elements().len() < 2 || before.as_ref() == Some(&start) {
                return Ok(());
            }
            before = Some(start.clone());
            if !ended(dd(start, mode, &order, self))? {
                return Ok(());
            }
        }
    }

    fn asked(&mut self, keep: &KeepList) -> Result<Outcome, Stop> {
        let program = self.pair.without(&self.universe.reductions, keep);
        let outcome = self.pair.outcome(&program)?;
        let shrinks = self.pair.mode == Mode::Isolate;
        let is_above = self.passing.as_ref().is_none_or(|passing| holds(keep, passing));
        let is_between = is_above && holds(&self.failing, keep);
        let moves = match outcome {
            Outcome::Pass if is_between && self.passing.as_ref() != Some(keep) => {
                self.passing = Some(keep.clone());
                true
            }
            Outcome::Fail if is_between && shrinks && self.failing != *keep => {
                self.failing = keep.clone();
                true
            }
            _ => false,
        };
        self.patience = if moves { self.patience() } else { self.patience.saturating_sub(1) };
        Ok(outcome)
    }

    /// How many tests in a row may move neither program.
    fn patience(&self) -> usize {
        if self.passing.is_some() { PATIENCE } else { LITTLE_PATIENCE }
    }
}

/// Whether `list` has all of `other`.
fn holds(list: &KeepList, other: &KeepList) -> bool {
    other.kept().iter().all(|element| list.kept().binary_search(element).is_ok())
}

/// Whether delta debugging came to its end.
fn ended(result: Result<Difference, Stopped<Halt>>) -> Result<bool, Stop> {
    match result {
        Ok(_) => Ok(true),
        Err(Stopped::Tester(Halt::Stop(stop))) => Err(stop),
        // One list was said to fail, or to pass, when all others of the same text were: the answers are remembered.
        Err(Stopped::Tester(Halt::Enough) | Stopped::Precondition(_)) => Ok(false),
    }
}

impl Tester<Halt> for Division<'_, '_> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, Halt> {
        if self.patience == 0 {
            return Err(Halt::Enough);
        }
        self.asked(keep).map_err(Halt::Stop)
    }

    fn expect(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<(), Halt> {
        if self.patience > 0 {
            let programs = keeps.map(|keep| self.pair.without(&self.universe.reductions, &keep));
            expect(&self.pair.checks, &mut { programs });
        }
        Ok(())
    }
}
