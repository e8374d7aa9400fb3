//! The sequences that one call takes, which are reduced in turn: *The Debugging Book*, chapter *Reducing Failure-Inducing
//! Inputs*, section *Reducing Multiple Arguments*.

use std::fmt::Debug;

use super::keep_list::KeepList;
use super::sequence::Sequence;

/// The sequences that one call takes: one sequence, or a tuple of two to twelve.
pub trait Arguments: Clone {
    /// The length of each argument.
    fn lengths(&self) -> Vec<usize>;

    /// The arguments reduced to these keep-lists, one for each argument.
    #[must_use]
    fn keeping(&self, kept: &[KeepList]) -> Self;

    /// The texts of the arguments, if all have [one](Sequence::text).
    fn texts(&self) -> Option<Vec<&str>>;
}

/// Arguments that can be printed.
pub trait Shown: Arguments {
    /// Each argument as `{:?}` prints it.
    fn shown(&self) -> Vec<String>;
}

/// The keep-lists by which `whole` is reduced to `part`, one for each argument: the first positions of its elements. None if
/// `part` has an element that `whole` does not have in this order.
pub(super) fn containing<A: Arguments + PartialEq>(whole: &A, part: &A) -> Option<Vec<KeepList>> {
    let elements = |of: &A, argument: usize| -> Vec<A> {
        let lengths = of.lengths();
        let mut kept: Vec<KeepList> = lengths.iter().map(|&length| KeepList::empty(length)).collect();
        let only = |position| {
            kept[argument] = KeepList::of(lengths[argument], vec![position]);
            of.keeping(&kept)
        };
        (0..lengths[argument]).map(only).collect()
    };
    let contained = |argument: usize| {
        let all = elements(whole, argument);
        let length = all.len();
        let mut left = all.into_iter().enumerate();
        let next = |wanted: A| left.find(|(_, element)| *element == wanted).map(|(position, _)| position);
        Some(KeepList::of(length, elements(part, argument).into_iter().map(next).collect::<Option<_>>()?))
    };
    (0..whole.lengths().len()).map(contained).collect()
}

impl<A: Sequence> Arguments for A {
    fn lengths(&self) -> Vec<usize> {
        vec![self.length()]
    }

    fn keeping(&self, kept: &[KeepList]) -> Self {
        self.select(kept[0].kept())
    }

    fn texts(&self) -> Option<Vec<&str>> {
        Some(vec![self.text()?])
    }
}

impl<A: Sequence + Debug> Shown for A {
    fn shown(&self) -> Vec<String> {
        vec![format!("{self:?}")]
    }
}

/// The input of a [`Debugger`](super::debugger::Debugger): arguments, or slices and string slices that become a [`Vec`] and a
/// [`String`].
pub trait Input {
    /// What is reduced, and what the test gets a reference to.
    type Arguments: Arguments;

    /// The arguments.
    fn into_arguments(self) -> Self::Arguments;
}

impl<A: Sequence> Input for A {
    type Arguments = A;

    fn into_arguments(self) -> A {
        self
    }
}

impl<T: Clone> Input for &[T] {
    type Arguments = Vec<T>;

    fn into_arguments(self) -> Vec<T> {
        self.to_vec()
    }
}

impl<T: Clone, const N: usize> Input for [T; N] {
    type Arguments = Vec<T>;

    fn into_arguments(self) -> Vec<T> {
        self.into()
    }
}

impl<T: Clone, const N: usize> Input for &[T; N] {
    type Arguments = Vec<T>;

    fn into_arguments(self) -> Vec<T> {
        self.to_vec()
    }
}

impl Input for &str {
    type Arguments = String;

    fn into_arguments(self) -> String {
        self.to_owned()
    }
}

macro_rules! tuples {
    ($(($($name:ident $place:tt),+))*) => {$(
        impl<$($name: Sequence),+> Arguments for ($($name,)+) {
            fn lengths(&self) -> Vec<usize> {
                vec![$(self.$place.length()),+]
            }

            fn keeping(&self, kept: &[KeepList]) -> Self {
                ($(self.$place.select(kept[$place].kept()),)+)
            }

            fn texts(&self) -> Option<Vec<&str>> {
                Some(vec![$(self.$place.text()?),+])
            }
        }

        impl<$($name: Sequence + Debug),+> Shown for ($($name,)+) {
            fn shown(&self) -> Vec<String> {
                vec![$(format!("{:?}", self.$place)),+]
            }
        }

        impl<$($name: Input<Arguments: Sequence>),+> Input for ($($name,)+) {
            type Arguments = ($($name::Arguments,)+);

            fn into_arguments(self) -> Self::Arguments {
                ($(self.$place.into_arguments(),)+)
            }
        }
    )*};
}

tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}

#[cfg(test)]
mod tests {
    use super::super::sequence::Fixed;
    use super::*;

    #[test]
    fn each_argument_keeps_its_own() {
        let arguments = ("ab", [1, 2, 3], vec![true]).into_arguments();
        assert_eq!(arguments.lengths(), [2, 3, 1]);
        let kept = [KeepList::of(2, vec![1]), KeepList::of(3, vec![0, 2]), KeepList::empty(1)];
        let reduced = ("b".to_owned(), vec![1, 3], vec![]);
        assert_eq!(arguments.keeping(&kept), reduced);
        assert_eq!(containing(&arguments, &reduced).as_deref(), Some(&kept[..]));
    }

    #[test]
    fn a_part_has_its_elements_in_the_same_order() {
        let text = "aßcß".to_owned();
        let kept = |part: &str| containing(&text, &part.to_owned()).map(|kept| kept[0].kept().to_vec());
        assert_eq!(kept("ßß"), Some(vec![1, 3]));
        assert_eq!(kept(""), Some(vec![]));
        assert_eq!(kept("ca"), None);
        assert_eq!(kept("ßßß"), None);
    }

    #[test]
    fn texts_are_known_where_all_have_one() {
        assert_eq!(("a", Fixed(2)).into_arguments().texts(), Some(vec!["a", ""]));
        assert_eq!(("a", [2]).into_arguments().texts(), None);
    }

    #[test]
    fn twelve_arguments_are_reduced() {
        let numbers = || vec![1.5, f64::NAN];
        let twelve =
            ("ab", numbers(), [1], "", "x", numbers(), numbers(), numbers(), numbers(), numbers(), numbers(), "yz");
        let fails = |all: &(String, Vec<f64>, Vec<i32>, String, String, _, _, _, Vec<f64>, _, _, String)| {
            crate::Outcome::fail_if(all.1.iter().any(|it| it.is_nan()) && !all.8.is_empty() && all.11.contains('z'))
        };
        let minimal = crate::Debugger::new(twelve, fails).minimise().expect("it fails");
        assert_eq!((minimal.0.as_str(), minimal.1.len(), minimal.8.len(), minimal.11.as_str()), ("", 1, 1, "z"));
        assert_eq!([minimal.5.len(), minimal.6.len(), minimal.7.len(), minimal.9.len(), minimal.10.len()], [0; 5]);
    }
}
