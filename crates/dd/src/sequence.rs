//! Reducible sequences. *The Debugging Book*, chapter *Reducing Failure-Inducing Inputs*, accepts anything with a length and
//! indices; here a trait defines it.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

/// An ordered sequence whose elements can be left out. Use a [`String`] for characters, and a [`Vec`] for lines, tokens and
/// elements of a slice. The elements need neither be compared nor hashed.
pub trait Sequence: Clone {
    /// The number of elements.
    fn length(&self) -> usize;

    /// The elements at these ascending positions.
    #[must_use]
    fn select(&self, positions: &[usize]) -> Self;

    /// The text of a sequence of which equal texts are equal sequences. A [`Debugger`](super::debugger::Debugger) tests
    /// equal texts once. Of other sequences, it tests each selection of positions once.
    fn text(&self) -> Option<&str> {
        None
    }
}

/// Texts. The elements are characters, not bytes: any selection is a valid string.
macro_rules! texts {
    ($($text:ty),*) => {$(
        impl Sequence for $text {
            fn length(&self) -> usize {
                self.chars().count()
            }

            fn select(&self, positions: &[usize]) -> Self {
                selected(self.chars(), positions).collect()
            }

            fn text(&self) -> Option<&str> {
                Some(self)
            }
        }
    )*};
}

texts!(String, Cow<'_, str>);

/// The elements at these ascending positions.
fn selected<I: Iterator>(elements: I, positions: &[usize]) -> impl Iterator<Item = I::Item> {
    let mut kept = positions.iter().copied().peekable();
    elements.enumerate().filter_map(move |(position, element)| kept.next_if_eq(&position).map(|_| element))
}

/// Sequences that collect clones of their elements.
macro_rules! collections {
    ($([$($generics:tt)*] $collection:ty;)*) => {$(
        impl<$($generics)*> Sequence for $collection {
            fn length(&self) -> usize {
                self.len()
            }

            fn select(&self, positions: &[usize]) -> Self {
                selected(self.iter(), positions).cloned().collect()
            }
        }
    )*};
}

collections! {
    [T: Clone] Vec<T>;
    [T: Clone] VecDeque<T>;
    [T: Clone] Box<[T]>;
    [T: Clone] Rc<[T]>;
    [T: Clone] Arc<[T]>;
    [T: Clone + Ord] BTreeSet<T>;
    [T: Clone + Eq + Hash, S: BuildHasher + Clone + Default] HashSet<T, S>;
}

/// An argument that is not reduced, as the book's numbers.
///
/// ```
/// use mcve_dd::{Debugger, Fixed, Outcome};
///
/// let fails = |(list, most): &(Vec<u8>, Fixed<usize>)| Outcome::fail_if(list.len() > **most);
/// let minimal = Debugger::new((vec![1, 2, 3, 4], Fixed(2)), fails).minimise()?;
/// assert_eq!(minimal, (vec![2, 3, 4], Fixed(2)));
/// # Ok::<(), mcve_dd::Precondition>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fixed<T>(pub T);

impl<T: Clone> Sequence for Fixed<T> {
    fn length(&self) -> usize {
        0
    }

    fn select(&self, _: &[usize]) -> Self {
        self.clone()
    }

    fn text(&self) -> Option<&str> {
        Some("")
    }
}

/// As the argument itself.
impl<T: fmt::Debug> fmt::Debug for Fixed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> Deref for Fixed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
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
        assert_eq!(Cow::Borrowed("aßc").select(&[1]), "ß");
    }

    #[test]
    fn elements_need_only_be_cloned() {
        #[derive(Clone, Debug, PartialEq)]
        struct Opaque(f64);
        assert_eq!(vec![Opaque(0.5), Opaque(f64::INFINITY)].select(&[1]), [Opaque(f64::INFINITY)]);
        assert_eq!(BTreeSet::from(["b", "a"]).select(&[0]), BTreeSet::from(["a"]));
        let set = HashSet::<u8>::from([1, 2, 3]);
        assert_eq!(set.select(&[0, 2]).len(), 2);
        assert!(set.select(&[0, 2]).is_subset(&set));
    }
}
