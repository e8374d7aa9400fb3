//! The input of general delta debugging: a list that passes and a list that fails.

use super::keep_list::KeepList;

/// A passing list within a failing list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Difference {
    /// The passing list. All of it is also in `failing`.
    pub passing: KeepList,
    /// The failing list.
    pub failing: KeepList,
}

/// Orders the elements of a difference before they are cut into parts: neighbours stay together.
pub type Arrangement<'a> = dyn Fn(&Difference) -> Vec<usize> + 'a;

impl Difference {
    /// From the empty list to all of `failing`.
    #[must_use]
    pub fn below(failing: KeepList) -> Self {
        Self { passing: KeepList::empty(failing.universe()), failing }
    }

    /// The elements that are in `failing` but not in `passing`, in ascending order.
    #[must_use]
    pub fn elements(&self) -> Vec<usize> {
        let is_new = |element: &usize| self.passing.kept().binary_search(element).is_err();
        self.failing.kept().iter().copied().filter(is_new).collect()
    }

    /// The passing list with `part` of the difference added.
    #[must_use]
    pub fn grown(&self, part: &[usize]) -> KeepList {
        let mut kept = [self.passing.kept(), part].concat();
        kept.sort_unstable();
        KeepList::of(self.passing.universe(), kept)
    }

    /// The failing list with `part` of the difference removed.
    #[must_use]
    pub fn shrunk(&self, part: &[usize]) -> KeepList {
        let mut part = part.to_vec();
        part.sort_unstable();
        let stays = |element: &usize| part.binary_search(element).is_err();
        let kept = self.failing.kept().iter().copied().filter(stays).collect();
        KeepList::of(self.failing.universe(), kept)
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
}
