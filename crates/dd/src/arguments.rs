//! Reducible data: sequences, and several of them as the arguments of one call. *The Debugging Book*, chapter
//! *Reducing Failure-Inducing Inputs*, accepts anything with a length and indices; here two traits define it.

use std::hash::Hash;

use super::keep_list::KeepList;

/// An ordered sequence whose elements can be left out. Use a [`String`] for characters, and a [`Vec`] for lines, tokens and
/// elements of a slice.
///
/// [`Debugger`](super::debugger::Debugger) compares and hashes sequences to test equal ones once. Elements that cannot
/// be hashed, such as `f64`, need a wrapper: `f64::to_bits`, or the positions of the elements.
pub trait Sequence: Clone + Eq + Hash {
    /// The number of elements.
    fn length(&self) -> usize;

    /// The elements at these ascending positions.
    #[must_use]
    fn select(&self, positions: &[usize]) -> Self;
}

/// The elements are characters, not bytes: any selection is a valid string.
impl Sequence for String {
    fn length(&self) -> usize {
        self.chars().count()
    }

    fn select(&self, positions: &[usize]) -> Self {
        let mut kept = positions.iter().copied().peekable();
        self.chars().enumerate().filter(|(position, _)| kept.next_if_eq(position).is_some()).map(|(_, it)| it).collect()
    }
}

impl<T: Clone + Eq + Hash> Sequence for Vec<T> {
    fn length(&self) -> usize {
        self.len()
    }

    fn select(&self, positions: &[usize]) -> Self {
        positions.iter().map(|&position| self[position].clone()).collect()
    }
}

/// The sequences that one call takes: one sequence, or a tuple of two or three.
pub trait Arguments: Clone + Eq + Hash {
    /// The length of each argument.
    fn lengths(&self) -> Vec<usize>;

    /// The arguments reduced to these keep-lists, one for each argument.
    #[must_use]
    fn keeping(&self, kept: &[KeepList]) -> Self;

    /// The keep-lists by which these arguments are reduced to `part`, one for each argument. None if `part` has an element
    /// that they do not have in this order.
    fn containing(&self, part: &Self) -> Option<Vec<KeepList>>;
}

/// The first positions of the elements of `part` in `whole`.
fn contained<S: Sequence>(whole: &S, part: &S) -> Option<KeepList> {
    let elements = |of: &S| -> Vec<S> { (0..of.length()).map(|position| of.select(&[position])).collect() };
    let mut left = elements(whole).into_iter().enumerate();
    let next = |wanted: S| left.find(|(_, element)| *element == wanted).map(|(position, _)| position);
    let kept = elements(part).into_iter().map(next).collect::<Option<_>>()?;
    Some(KeepList::of(whole.length(), kept))
}

impl<A: Sequence> Arguments for A {
    fn lengths(&self) -> Vec<usize> {
        vec![self.length()]
    }

    fn keeping(&self, kept: &[KeepList]) -> Self {
        self.select(kept[0].kept())
    }

    fn containing(&self, part: &Self) -> Option<Vec<KeepList>> {
        Some(vec![contained(self, part)?])
    }
}

impl<A: Sequence, B: Sequence> Arguments for (A, B) {
    fn lengths(&self) -> Vec<usize> {
        vec![self.0.length(), self.1.length()]
    }

    fn keeping(&self, kept: &[KeepList]) -> Self {
        (self.0.select(kept[0].kept()), self.1.select(kept[1].kept()))
    }

    fn containing(&self, part: &Self) -> Option<Vec<KeepList>> {
        Some(vec![contained(&self.0, &part.0)?, contained(&self.1, &part.1)?])
    }
}

impl<A: Sequence, B: Sequence, C: Sequence> Arguments for (A, B, C) {
    fn lengths(&self) -> Vec<usize> {
        vec![self.0.length(), self.1.length(), self.2.length()]
    }

    fn keeping(&self, kept: &[KeepList]) -> Self {
        (self.0.select(kept[0].kept()), self.1.select(kept[1].kept()), self.2.select(kept[2].kept()))
    }

    fn containing(&self, part: &Self) -> Option<Vec<KeepList>> {
        Some(vec![contained(&self.0, &part.0)?, contained(&self.1, &part.1)?, contained(&self.2, &part.2)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_its_characters() {
        let text = "aßc".to_owned();
        assert_eq!(text.length(), 3);
        assert_eq!(text.select(&[1, 2]), "ßc");
        assert_eq!(text.select(&[]), "");
    }

    #[test]
    fn each_argument_keeps_its_own() {
        let arguments = ("ab".to_owned(), vec![1, 2, 3], vec![true]);
        assert_eq!(arguments.lengths(), [2, 3, 1]);
        let kept = [KeepList::of(2, vec![1]), KeepList::of(3, vec![0, 2]), KeepList::empty(1)];
        let reduced = ("b".to_owned(), vec![1, 3], vec![]);
        assert_eq!(arguments.keeping(&kept), reduced);
        assert_eq!(arguments.containing(&reduced).as_deref(), Some(&kept[..]));
    }

    #[test]
    fn a_part_has_its_elements_in_the_same_order() {
        let text = "aßcß".to_owned();
        let kept = |part: &str| text.containing(&part.to_owned()).map(|kept| kept[0].kept().to_vec());
        assert_eq!(kept("ßß"), Some(vec![1, 3]));
        assert_eq!(kept(""), Some(vec![]));
        assert_eq!(kept("ca"), None);
        assert_eq!(kept("ßßß"), None);
    }
}
