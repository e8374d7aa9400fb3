//! Lists of the kept elements.

/// The kept indices of `0..n`, in ascending order. Delta debugging shortens it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeepList {
    universe: usize,
    kept: Vec<usize>,
}

impl KeepList {
    /// Keeps all of `0..universe`.
    pub fn full(universe: usize) -> Self {
        Self { universe, kept: (0..universe).collect() }
    }

    /// Keeps none of `0..universe`.
    pub fn empty(universe: usize) -> Self {
        Self { universe, kept: Vec::new() }
    }

    /// Keeps `kept`, in ascending order, of `0..universe`.
    ///
    /// # Panics
    /// When `kept` is not strictly ascending, or has an element outside `0..universe`.
    pub fn of(universe: usize, kept: Vec<usize>) -> Self {
        assert!(kept.is_sorted_by(|a, b| a < b), "the kept elements are in ascending order, each once");
        assert!(kept.last().is_none_or(|&last| last < universe), "the kept elements are within the universe");
        Self { universe, kept }
    }

    /// The size `n` of the universe `0..n`.
    pub fn universe(&self) -> usize {
        self.universe
    }

    /// The kept elements, in ascending order.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// The number of kept elements.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// This list without the kept elements at the given positions (positions in the list, not elements).
    ///
    /// # Panics
    /// When the range ends before its start or beyond the list.
    #[must_use]
    pub fn without(&self, positions: std::ops::Range<usize>) -> Self {
        assert!(positions.start <= positions.end, "a range does not end before its start");
        let kept = [&self.kept[..positions.start], &self.kept[positions.end..]].concat();
        Self { universe: self.universe, kept }
    }

    /// This list without the elements that `goes` accepts.
    pub(super) fn without_those(&self, goes: impl Fn(usize) -> bool) -> Self {
        Self { universe: self.universe, kept: self.kept.iter().copied().filter(|&element| !goes(element)).collect() }
    }

    /// The elements that are not kept, in ascending order.
    pub fn removed(&self) -> impl Iterator<Item = usize> {
        let mut kept = self.kept.iter().copied().peekable();
        (0..self.universe).filter(move |index| kept.next_if_eq(index).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_is_the_complement_of_kept() {
        let list = KeepList::full(6).without(1..3);
        assert_eq!(list.kept(), [0, 3, 4, 5]);
        assert_eq!(list.removed().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(list.without(0..4), KeepList::empty(6));
    }

    #[test]
    #[should_panic(expected = "a range does not end before its start")]
    fn a_reversed_range_is_refused() {
        #[expect(clippy::reversed_empty_ranges, reason = "it is the mistake")]
        let _ = KeepList::full(6).without(3..1);
    }

    #[test]
    #[should_panic(expected = "in ascending order")]
    fn kept_elements_have_to_be_in_order() {
        let _ = KeepList::of(6, vec![3, 1]);
    }

    #[test]
    #[should_panic(expected = "within the universe")]
    fn kept_elements_have_to_exist() {
        let _ = KeepList::of(6, vec![1, 6]);
    }
}
