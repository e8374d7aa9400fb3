//! The algorithms that shrink a list, by name.

use super::cdd::cdd;
use super::ddmin::ddmin;
use super::difference::Difference;
use super::fragments::{by_fragments, by_fragments_once};
use super::general::{Mode, dd};
use super::iterative::{even_ddmin, iterative_ddmin};
use super::keep_list::KeepList;
use super::one_by_one::one_by_one;
use super::outcome::Outcome;
use super::precondition::Stopped;
use super::probdd::probdd;
use super::recursive::recursive_ddmin;
use super::tester::Tester;
use super::with_context::with_context;

/// An algorithm that shrinks a list that fails. The default is [`ddmin`], while
/// [`Debugger::minimise`](super::debugger::Debugger::minimise) uses [`dd`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [`ddmin`], the default.
    #[default]
    Ddmin,
    /// [`iterative_ddmin`]
    Iterative,
    /// [`even_ddmin`]
    Even,
    /// [`by_fragments`]
    Fragments,
    /// [`by_fragments_once`]
    FragmentsOnce,
    /// [`recursive_ddmin`]
    Recursive,
    /// [`with_context`]
    Context,
    /// [`dd`] with [`Minimise`](Mode::Minimise).
    Dd,
    /// [`one_by_one`]
    OneByOne,
    /// [`cdd`]
    Cdd,
    /// [`probdd`]
    ProbDd,
}

impl Algorithm {
    /// All algorithms with their names.
    pub const ALL: [(Self, &str); 11] = [
        (Self::Ddmin, "ddmin"),
        (Self::Iterative, "iterative"),
        (Self::Even, "even"),
        (Self::Fragments, "fragments"),
        (Self::FragmentsOnce, "fragments-once"),
        (Self::Recursive, "recursive"),
        (Self::Context, "context"),
        (Self::Dd, "dd"),
        (Self::OneByOne, "one-by-one"),
        (Self::Cdd, "cdd"),
        (Self::ProbDd, "probdd"),
    ];

    /// A sublist of `keep` that still fails. `keep` has to fail; it is not tested again.
    ///
    /// # Errors
    /// When the tester fails.
    pub fn shrink<E>(self, keep: KeepList, tester: &mut dyn Tester<E>) -> Result<KeepList, E> {
        match self {
            Self::Ddmin => ddmin(keep, tester),
            Self::Iterative => iterative_ddmin(keep, tester),
            Self::Even => even_ddmin(keep, tester),
            Self::Fragments => by_fragments(keep, tester),
            Self::FragmentsOnce => by_fragments_once(keep, tester),
            Self::Recursive => recursive_ddmin(keep, tester),
            Self::Context => with_context(keep, tester),
            Self::Dd => {
                let mut known = Known { fails: keep.clone(), tester };
                match dd(Difference::below(keep.clone()), Mode::Minimise, &Difference::elements, &mut known) {
                    Ok(difference) => Ok(difference.failing),
                    Err(Stopped::Tester(stop)) => Err(stop),
                    Err(Stopped::Precondition(_)) => {
                        unreachable!("the whole list fails, and nothing is asked of the empty one")
                    }
                }
            }
            Self::OneByOne => one_by_one(keep, tester),
            Self::Cdd => cdd(keep, tester),
            Self::ProbDd => probdd(keep, tester),
        }
    }
}

/// A tester that does not test a list that is known to fail.
struct Known<'t, E> {
    fails: KeepList,
    tester: &'t mut dyn Tester<E>,
}

impl<E> Tester<E> for Known<'_, E> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, E> {
        if *keep == self.fails { Ok(Outcome::Fail) } else { self.tester.test(keep) }
    }

    fn first(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<Option<usize>, E> {
        self.tester.first(keeps)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tester::testing::Predicate;
    use super::*;

    #[test]
    fn every_one_finds_what_is_needed_without_asking_for_the_whole() {
        for (algorithm, name) in Algorithm::ALL {
            let fails = |kept: &[usize]| {
                assert!(kept.len() < 64, "{name} asks for the whole list");
                kept.contains(&3) && kept.contains(&40)
            };
            let mut tester = Predicate { fails, tests: 0 };
            let Ok(left) = algorithm.shrink(KeepList::full(64), &mut tester);
            assert_eq!(left.kept(), [3, 40], "{name}");
        }
    }
}
