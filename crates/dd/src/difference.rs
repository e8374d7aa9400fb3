//! The input of general delta debugging: a list that passes and a list that fails.
//!
//! The passing list is a part of the failing one. Two versions of a text, each with something that the other lacks, are
//! no such lists. There the elements are the changes between them: without changes the old version is left, which
//! passes, and with all of them the new version, which fails.
//!
//! ```
//! use mcve_dd::{Debugger, Outcome};
//!
//! let old = ["width = 8", "depth = 2", "colour = red"];
//! let new = ["width = 9", "depth = 3", "colour = blue"];
//! // A change is the number of a line to replace.
//! let apply = |changes: &Vec<usize>| {
//!     let mut lines = old;
//!     changes.iter().for_each(|&line| lines[line] = new[line]);
//!     lines
//! };
//! let test = |changes: &Vec<usize>| Outcome::fail_if(apply(changes).contains(&"depth = 3"));
//! let isolated = Debugger::new(vec![0, 1, 2], test).isolate()?;
//! assert_eq!(isolated.difference, [1]);
//! # Ok::<(), mcve_dd::Precondition>(())
//! ```

use super::keep_list::KeepList;

/// A passing list within a failing list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Difference {
    /// The passing list. All of it is also in `failing`, which has the same universe.
    pub passing: KeepList,
    /// The failing list.
    pub failing: KeepList,
}

/// Orders the elements of a difference before they are cut into parts: neighbours stay together.
pub type Arrangement<'a> = dyn Fn(&Difference) -> Vec<usize> + 'a;

impl Difference {
    /// From the empty list to all of `failing`.
    pub fn below(failing: KeepList) -> Self {
        Self { passing: KeepList::empty(failing.universe()), failing }
    }

    /// The elements that are in `failing` but not in `passing`, in ascending order.
    pub fn elements(&self) -> Vec<usize> {
        self.failing.without_those(|element| self.passing.kept().binary_search(&element).is_ok()).kept().to_vec()
    }

    /// Whether the passing list is a part of the failing one.
    pub(super) fn is_nested(&self) -> bool {
        let mut failing = self.failing.kept().iter();
        let has = |element| failing.by_ref().any(|other| other == element);
        self.passing.universe() == self.failing.universe() && self.passing.kept().iter().all(has)
    }

    /// The passing list with `part` of the difference added.
    ///
    /// # Panics
    /// When `part` has an element twice, of the passing list, or outside the universe.
    #[must_use]
    pub fn grown(&self, part: &[usize]) -> KeepList {
        let mut kept = [self.passing.kept(), part].concat();
        kept.sort_unstable();
        KeepList::of(self.passing.universe(), kept)
    }

    /// The failing list with `part` of the difference removed. Elements of `part` that it does not have are ignored.
    #[must_use]
    pub fn shrunk(&self, part: &[usize]) -> KeepList {
        let mut part = part.to_vec();
        part.sort_unstable();
        self.failing.without_those(|element| part.binary_search(&element).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_difference_moves_one_of_the_lists() {
        let difference = Difference { passing: KeepList::of(6, vec![1]), failing: KeepList::of(6, vec![0, 1, 3, 5]) };
        assert_eq!(difference.elements(), [0, 3, 5]);
        assert_eq!(difference.grown(&[5, 0]).kept(), [0, 1, 5]);
        assert_eq!(difference.shrunk(&[5, 0]).kept(), [1, 3]);
        assert_eq!(Difference::below(KeepList::full(2)).elements(), [0, 1]);
    }

    #[test]
    fn the_passing_list_has_to_be_within_the_failing_list() {
        let is_nested = |universe, passing: &[usize]| {
            let passing = KeepList::of(universe, passing.to_vec());
            Difference { passing, failing: KeepList::of(6, vec![0, 1, 3, 5]) }.is_nested()
        };
        assert!(is_nested(6, &[]) && is_nested(6, &[1, 5]) && is_nested(6, &[0, 1, 3, 5]));
        assert!(!is_nested(6, &[2]) && !is_nested(6, &[1, 4, 5]) && !is_nested(7, &[1]));
    }
}
