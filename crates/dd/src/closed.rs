//! Delta debugging over root elements that other elements have to stay with.

use super::keep_list::KeepList;
use super::outcome::Outcome;
use super::tester::Tester;

/// A tester of keep-lists over `roots`: it tests the closure of the kept roots. Every candidate is closed.
pub struct Closed<'a, E> {
    /// Tests closed lists.
    pub tester: &'a mut dyn Tester<E>,
    /// The number of elements.
    pub universe: usize,
    /// The root elements, ordered so that neighbours are best removed together.
    pub roots: &'a [usize],
    /// Computes the sorted closure of some elements, which includes them.
    pub close: &'a dyn Fn(&[usize]) -> Vec<usize>,
}

impl<E> Tester<E> for Closed<'_, E> {
    fn test(&mut self, keep: &KeepList) -> Result<Outcome, E> {
        let closure = self.closure()(keep.clone());
        self.tester.test(&closure)
    }

    fn first(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<Option<usize>, E> {
        let closure = self.closure();
        self.tester.first(&mut keeps.map(closure))
    }

    fn expect(&mut self, keeps: &mut dyn Iterator<Item = KeepList>) -> Result<(), E> {
        let closure = self.closure();
        self.tester.expect(&mut keeps.map(closure))
    }
}

impl<'a, E> Closed<'a, E> {
    /// The closure of the kept roots.
    pub(super) fn closure(&self) -> impl Fn(KeepList) -> KeepList + use<'a, E> {
        let (universe, roots, close) = (self.universe, self.roots, self.close);
        move |keep| {
            let roots: Vec<usize> = keep.kept().iter().map(|&position| roots[position]).collect();
            KeepList::of(universe, close(&roots))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ddmin::ddmin;
    use super::super::tester::testing::Predicate;
    use super::*;

    #[test]
    fn what_is_needed_goes_with_the_last_that_needs_it() {
        // Each odd element needs the even one before it.
        let close = |roots: &[usize]| {
            let mut closure: Vec<usize> = roots.iter().flat_map(|&root| [root & !1, root]).collect();
            closure.dedup();
            closure
        };
        let fails = |kept: &[usize]| {
            assert_eq!(kept, close(kept), "only closed lists are tested");
            kept.contains(&5)
        };
        let mut tester = Predicate { fails, tests: 0 };
        let roots: Vec<usize> = (0..8).collect();
        let mut closed = Closed { tester: &mut tester, universe: 8, roots: &roots, close: &close };
        let Ok(keep) = ddmin(KeepList::full(8), &mut closed);
        assert_eq!(keep.kept(), [5]);
    }
}
