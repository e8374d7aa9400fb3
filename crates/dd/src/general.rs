//! General delta debugging: Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input* (2002), as in the
//! chapter *Reducing Failure-Inducing Inputs* of *The Debugging Book*; its maximising mode is ddmax of Kirschner,
//! Soremekun and Zeller, *Debugging Inputs* (2020).
//!
//! Two choices are from the chapter and not from the paper. A subset replaces a complement only while there are
//! two parts. After a gain, the next round begins with the part at the same place (the offset, an observation of
//! Chitil and Sharrad), which spreads the work over the list instead of wearing down its beginning.

use super::difference::{Arrangement, Difference};
use super::keep_list::KeepList;
use super::outcome::Outcome;
use super::precondition::{Precondition, Stopped};
use super::tester::{Step, Tester};

/// The initial and minimal granularity.
pub(super) const COARSEST: usize = 2;

/// The lists that change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Shrink the failing list to a minimal one (`-`, ddmin).
    Minimise,
    /// Grow the passing list to a maximal one (`+`, ddmax).
    Maximise,
    /// Change both until no element of their difference can move (`+-`, dd). Where lists are unresolved,
    /// [`isolate`](super::isolating::isolate) finds smaller differences: it tries subsets at every granularity.
    Isolate,
}

/// A difference within `start`. Depending on the mode, no element can leave the failing list, none can join the passing
/// list, or neither. All modes test both lists of `start`.
///
/// With [`Difference::elements`] as the arrangement, the elements are cut in ascending order. An unresolved `start.passing`
/// counts as passing, and may be part of the result.
///
/// Tests: `Minimise` takes about `k log n` for `k` elements left, `Maximise` as many for `k` left out, both `O(n²)` at worst.
/// `Isolate` takes at most `2 ⌈log2 n⌉ + 2` if everything is resolved, `O(n²)` at worst.
///
/// ```
/// use std::convert::Infallible;
///
/// use mcve_dd::{Difference, KeepList, Mode, Outcome, dd};
///
/// let mut fails = |keep: &KeepList| {
///     let has = |element: usize| keep.kept().contains(&element);
///     Ok::<_, Infallible>(Outcome::fail_if(has(3) && has(6)))
/// };
/// let start = Difference::below(KeepList::full(8));
/// let found = dd(start, Mode::Maximise, &Difference::elements, &mut fails)?;
/// assert_eq!(found.passing.kept(), [0, 1, 2, 4, 5, 6, 7]);
/// # Ok::<(), mcve_dd::Stopped<Infallible>>(())
/// ```
///
/// # Errors
/// When the tester fails; [`NotFailing`](Precondition::NotFailing) or [`Unresolved`](Precondition::Unresolved) when the
/// failing list should shrink but passes or is unresolved; [`NotPassing`](Precondition::NotPassing) when the passing list
/// should grow but fails; [`NotContained`](Precondition::NotContained) when `start.passing` is not a part of
/// `start.failing`. Minimising from a list that fails, and maximising up to a list that passes, returns that list.
///
/// # Panics
/// When the arrangement omits an element of the difference or adds one.
pub fn dd<E>(
    start: Difference,
    mode: Mode,
    arrangement: &Arrangement<'_>,
    tester: &mut dyn Tester<E>,
) -> Result<Difference, Stopped<E>> {
    if let Some(found) = check_ends(&start, mode, tester)? {
        return Ok(found);
    }
    let mut round = Round { difference: start, granularity: COARSEST, offset: 0 };
    loop {
        tester.hear_round(&round.difference, round.granularity);
        let elements = arrangement(&round.difference);
        assert_eq!(elements.len(), round.difference.elements().len(), "an arrangement has all of the difference");
        if elements.len() < round.granularity {
            return Ok(round.difference);
        }
        let parts = split(&elements, round.granularity);
        let next = match mode {
            Mode::Minimise => round.minimised(&parts, tester),
            Mode::Maximise | Mode::Isolate => round.moved(&parts, mode, tester),
        };
        if let Some((next, step)) = next.map_err(Stopped::Tester)? {
            tester.hear_step(step);
            round = next;
            continue;
        }
        tester.hear_step(Step::NoReduction);
        if round.granularity >= elements.len() {
            return Ok(round.difference);
        }
        tester.hear_step(Step::IncreaseGranularity);
        round.granularity = elements.len().min(2 * round.granularity);
    }
}

/// Tests both lists of `start`; returns the result where one of them is.
pub(super) fn check_ends<E>(
    start: &Difference,
    mode: Mode,
    tester: &mut dyn Tester<E>,
) -> Result<Option<Difference>, Stopped<E>> {
    if !start.is_nested() {
        return Err(Precondition::NotContained.into());
    }
    let Difference { passing, failing } = start;
    match (tester.test(passing).map_err(Stopped::Tester)?, mode) {
        (Outcome::Fail, Mode::Minimise) => {
            return Ok(Some(Difference { passing: passing.clone(), failing: passing.clone() }));
        }
        (Outcome::Fail, _) => return Err(Precondition::NotPassing.into()),
        (Outcome::Pass | Outcome::Unresolved, _) => {}
    }
    match (tester.test(failing).map_err(Stopped::Tester)?, mode) {
        (Outcome::Fail, _) | (Outcome::Unresolved, Mode::Maximise) => Ok(None),
        (Outcome::Pass, Mode::Maximise) => Ok(Some(Difference { passing: failing.clone(), failing: failing.clone() })),
        (Outcome::Pass, _) => Err(Precondition::NotFailing.into()),
        (Outcome::Unresolved, _) => Err(Precondition::Unresolved.into()),
    }
}

/// Splits a list into this many parts. The first parts are longer by one if they cannot all be equal.
pub(super) fn split(elements: &[usize], parts: usize) -> Vec<&[usize]> {
    let (size, longer) = (elements.len() / parts, elements.len() % parts);
    let start = |part: usize| part * size + part.min(longer);
    (0..parts).map(|part| &elements[start(part)..start(part + 1)]).collect()
}

/// The state between two gains.
struct Round {
    difference: Difference,
    granularity: usize,
    /// The part to begin with.
    offset: usize,
}

impl Round {
    /// The round after the first gain when only the failing list shrinks. The gain is the first failing list of a
    /// sequence, so a parallel tester can look ahead.
    fn minimised<E>(&self, parts: &[&[usize]], tester: &mut dyn Tester<E>) -> Result<Option<(Self, Step)>, E> {
        let halves = parts.len() == COARSEST;
        let candidates = || {
            self.order().flat_map(|at| {
                let subset = halves.then(|| (at, true, self.difference.grown(parts[at])));
                subset.into_iter().chain(std::iter::once_with(move || (at, false, self.difference.shrunk(parts[at]))))
            })
        };
        let Some(position) = tester.first(&mut candidates().map(|(_, _, failing)| failing))? else { return Ok(None) };
        let (at, is_subset, failing) = candidates().nth(position).expect("it was among them");
        let step = if is_subset { Step::ReduceToSubset } else { Step::ReduceToComplement };
        Ok(Some(self.next(at, step, Difference { failing, ..self.difference.clone() })))
    }

    /// The round after the first gain when the passing list grows.
    fn moved<E>(&self, parts: &[&[usize]], mode: Mode, tester: &mut dyn Tester<E>) -> Result<Option<(Self, Step)>, E> {
        let halves = parts.len() == COARSEST;
        let shrinks = mode == Mode::Isolate;
        for (step, at) in self.order().enumerate() {
            // Each list is created only when the tester needs it.
            let mut next = self.order().skip(step).flat_map(|at| {
                let shrunk = (halves || shrinks).then(|| self.difference.shrunk(parts[at]));
                let grown = std::iter::once_with(move || self.difference.grown(parts[at]));
                shrunk.into_iter().chain(grown)
            });
            tester.expect(&mut next)?;
            let failing = |failing: KeepList| Difference { failing, ..self.difference.clone() };
            let passing = |passing: KeepList| Difference { passing, ..self.difference.clone() };
            let (grown, shrunk) = (self.difference.grown(parts[at]), self.difference.shrunk(parts[at]));
            let early = if halves && shrinks { Some(tester.test(&grown)?) } else { None };
            if early == Some(Outcome::Fail) {
                return Ok(Some(self.next(at, Step::ReduceToSubset, failing(grown))));
            }
            if halves || shrinks {
                match tester.test(&shrunk)? {
                    Outcome::Pass if halves => return Ok(Some(self.next(at, Step::IncreaseToSubset, passing(shrunk)))),
                    Outcome::Fail if shrinks => {
                        return Ok(Some(self.next(at, Step::ReduceToComplement, failing(shrunk))));
                    }
                    _ => {}
                }
            }
            let grows = match early {
                Some(outcome) => outcome,
                None => tester.test(&grown)?,
            };
            if grows == Outcome::Pass {
                return Ok(Some(self.next(at, Step::IncreaseToComplement, passing(grown))));
            }
        }
        Ok(None)
    }

    /// The parts, from the offset on.
    fn order(&self) -> impl Iterator<Item = usize> + use<> {
        let (offset, parts) = (self.offset, self.granularity);
        (0..parts).map(move |step| (step + offset) % parts)
    }

    /// The round after a gain with the part `at`: there is one part less, unless one of two subsets was taken.
    fn next(&self, at: usize, step: Step, difference: Difference) -> (Self, Step) {
        let granularity = match step {
            Step::ReduceToSubset | Step::IncreaseToSubset => self.granularity,
            _ => COARSEST.max(self.granularity - 1),
        };
        (Self { difference, granularity, offset: at }, step)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tester::testing::Answers;
    use super::*;

    /// Runs dd on `0..n`; returns the passing list, the failing list, and the number of tests.
    fn run(
        n: usize,
        mode: Mode,
        answer: impl Fn(&[usize]) -> Outcome,
    ) -> Result<(Vec<usize>, Vec<usize>, usize), Precondition> {
        let mut tester = Answers { answer, tests: 0 };
        match dd(Difference::below(KeepList::full(n)), mode, &Difference::elements, &mut tester) {
            Ok(Difference { passing, failing }) => Ok((passing.kept().to_vec(), failing.kept().to_vec(), tester.tests)),
            Err(Stopped::Precondition(precondition)) => Err(precondition),
            Err(Stopped::Tester(never)) => match never {},
        }
    }

    fn both(kept: &[usize]) -> Outcome {
        if kept.contains(&3) && kept.contains(&900) { Outcome::Fail } else { Outcome::Pass }
    }

    #[test]
    fn the_failing_list_shrinks() {
        assert_eq!(run(1024, Mode::Minimise, both), Ok((vec![], vec![3, 900], 71)));
    }

    #[test]
    fn the_passing_list_grows() {
        let (passing, failing, tests) = run(1024, Mode::Maximise, both).expect("the preconditions hold");
        assert_eq!((0..1024).filter(|element| !passing.contains(element)).collect::<Vec<_>>(), [3]);
        assert_eq!((failing.len(), tests), (1024, 14));
    }

    #[test]
    fn a_difference_of_one_is_isolated_in_about_log_n() {
        let (passing, failing, tests) = run(1024, Mode::Isolate, both).expect("the preconditions hold");
        assert_eq!(failing.iter().filter(|element| !passing.contains(element)).collect::<Vec<_>>(), [&3]);
        assert_eq!(tests, 15);
    }

    #[test]
    fn unresolved_lists_move_nothing() {
        let pairs = |kept: &[usize]| match (kept.contains(&2), kept.contains(&5)) {
            (true, true) => Outcome::Fail,
            (false, false) => Outcome::Pass,
            _ => Outcome::Unresolved,
        };
        let (passing, failing, tests) = run(8, Mode::Isolate, pairs).expect("the preconditions hold");
        assert_eq!(failing.iter().filter(|element| !passing.contains(element)).collect::<Vec<_>>(), [&2, &5]);
        assert_eq!(tests, 26);
    }

    #[test]
    fn what_passes_whole_can_only_be_maximised() {
        let pass = |_: &[usize]| Outcome::Pass;
        assert_eq!(run(4, Mode::Minimise, pass), Err(Precondition::NotFailing));
        assert_eq!(run(4, Mode::Isolate, pass), Err(Precondition::NotFailing));
        assert_eq!(run(4, Mode::Maximise, pass), Ok((vec![0, 1, 2, 3], vec![0, 1, 2, 3], 2)));
    }

    #[test]
    fn what_fails_empty_can_only_be_minimised() {
        let fail = |_: &[usize]| Outcome::Fail;
        assert_eq!(run(4, Mode::Minimise, fail), Ok((vec![], vec![], 1)));
        assert_eq!(run(4, Mode::Isolate, fail), Err(Precondition::NotPassing));
        assert_eq!(run(4, Mode::Maximise, fail), Err(Precondition::NotPassing));
    }

    #[test]
    fn what_is_unresolved_whole_can_only_be_maximised() {
        let unresolved = |kept: &[usize]| if kept.len() < 2 { Outcome::Pass } else { Outcome::Unresolved };
        assert_eq!(run(2, Mode::Minimise, unresolved), Err(Precondition::Unresolved));
        assert_eq!(run(2, Mode::Isolate, unresolved), Err(Precondition::Unresolved));
        assert_eq!(run(2, Mode::Maximise, unresolved), Ok((vec![1], vec![0, 1], 3)));
    }

    #[test]
    fn a_passing_list_that_is_no_part_of_the_failing_list_is_refused() {
        let start = Difference { passing: KeepList::of(4, vec![0]), failing: KeepList::of(4, vec![1, 2]) };
        let mut tester = Answers { answer: |_: &[usize]| unreachable!("nothing is tested"), tests: 0 };
        let found = dd(start, Mode::Isolate, &Difference::elements, &mut tester);
        assert_eq!(found, Err(Precondition::NotContained.into()));
    }
}
