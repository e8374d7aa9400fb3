//! Lists of the kept elements.

/// The kept indices of `0..n`, in ascending order. Delta debugging shortens it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeepList {
    universe: usize,
    kept: Vec<usize>,
}

impl KeepList {
    /// Keeps all of `0..universe`.
    #[must_use]
    pub fn full(universe: usize) -> Self {
        Self { universe, kept: (0..universe).collect() }
    }

    /// Keeps none of `0..universe`.
    #[must_use]
    pub fn empty(universe: usize) -> Self {
        Self { universe, kept: Vec::new() }
    }

    /// Keeps `kept`, in ascending order, of `0..universe`.
    #[must_use]
    pub fn of(universe: usize, kept: Vec<usize>) -> Self {
        debug_assert!(kept.is_sorted_by(|a, b| a < b) && kept.last().is_none_or(|&last| last < universe));
        Self { universe, kept }
    }

    /// The size `n` of the universe `0..n`.
    #[must_use]
    pub fn universe(&self) -> usize {
        self.universe
    }

    /// The kept elements, in ascending order.
    #[must_use]
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// The number of kept elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether nothing is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// This list without the kept elements at the given positions (positions in the list, not elements).
    ///
    /// # Panics
    /// When the range ends beyond the list.
    #[must_use]
    pub fn without(&self, positions: std::ops::Range<usize>) -> Self {
        let kept = [&self.kept[..positions.start], &self.kept[positions.end..]].concat();
        Self { universe: self.universe, kept }
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
}
