//! Reducible data: sequences, and several of them as the arguments of one call. *The Debugging Book*, chapter
//! *Reducing Failure-Inducing Inputs*, accepts anything with a length and indices; here two traits define it.

use std::hash::Hash;

use super::keep_list::KeepList;

/// An ordered sequence whose elements can be left out. Use a [`String`] for characters, and a [`Vec`] for lines, tokens and
/// elements of a slice.
pub trait Sequence: Clone + Eq + Hash {
    /// The number of elements.
    fn length(&self) -> usize;

    /// The elements at these ascending positions.
    #[must_use]
    fn keeping(&self, kept: &[usize]) -> Self;
}

/// The elements are characters, not bytes: any selection is a valid string.
impl Sequence for String {
    fn length(&self) -> usize {
        self.chars().count()
    }

    fn keeping(&self, kept: &[usize]) -> Self {
        let mut kept = kept.iter().copied().peekable();
        self.chars().enumerate().filter(|(position, _)| kept.next_if_eq(position).is_some()).map(|(_, it)| it).collect()
    }
}

impl<T: Clone + Eq + Hash> Sequence for Vec<T> {
    fn length(&self) -> usize {
        self.len()
    }

    fn keeping(&self, kept: &[usize]) -> Self {
        kept.iter().map(|&position| self[position].clone()).collect()
    }
}

/// The sequences that one call takes: one sequence, or a tuple of two or three.
pub trait Arguments: Clone + Eq + Hash {
    /// The length of each argument.
    fn lengths(&self) -> Vec<usize>;

    /// The arguments reduced to these keep-lists, one for each argument.
    #[must_use]
    fn keeping(&self, kept: &[KeepList]) -> Self;
}

impl<A: Sequence> Arguments for A {
    fn lengths(&self) -> Vec<usize> {
        vec![self.length()]
    }

    fn keeping(&self, kept: &[KeepList]) -> Self {
        Sequence::keeping(self, kept[0].kept())
    }
}

impl<A: Sequence, B: Sequence> Arguments for (A, B) {
    fn lengths(&self) -> Vec<usize> {
        vec![self.0.length(), self.1.length()]
    }

    fn keeping(&self, kept: &[KeepList]) -> Self {
        (self.0.keeping(kept[0].kept()), self.1.keeping(kept[1].kept()))
    }
}

impl<A: Sequence, B: Sequence, C: Sequence> Arguments for (A, B, C) {
    fn lengths(&self) -> Vec<usize> {
        vec![self.0.length(), self.1.length(), self.2.length()]
    }

    fn keeping(&self, kept: &[KeepList]) -> Self {
        (self.0.keeping(kept[0].kept()), self.1.keeping(kept[1].kept()), self.2.keeping(kept[2].kept()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_its_characters() {
        let text = "aßc".to_owned();
        assert_eq!(text.length(), 3);
        assert_eq!(Sequence::keeping(&text, &[1, 2]), "ßc");
        assert_eq!(Sequence::keeping(&text, &[]), "");
    }

    #[test]
    fn each_argument_keeps_its_own() {
        let arguments = ("ab".to_owned(), vec![1, 2, 3], vec![true]);
        assert_eq!(arguments.lengths(), [2, 3, 1]);
        let kept = [KeepList::of(2, vec![1]), KeepList::of(3, vec![0, 2]), KeepList::empty(1)];
        assert_eq!(arguments.keeping(&kept), ("b".to_owned(), vec![1, 3], vec![]));
    }
}
