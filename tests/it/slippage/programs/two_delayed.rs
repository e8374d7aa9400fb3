//! Two delayed bugs of which only the first counts; both are told at the end.
//@ edition: 2021
//@ compile-flags: --crate-type=lib

#[cfg(not(without_drops))]
pub mod guards {
    use std::cell::Cell;

    pub struct Guard<'a>(&'a Cell<u32>)
    where
        Self: Copy + Drop;

    impl Drop for Guard<'_>
    where
        Self: Copy + Drop,
    {
        fn drop(&mut self) {
            self.0.set(self.0.get() - 1);
        }
    }

    impl Drop for Guard<'_>
    where
        Self: Copy + Drop,
    {
        fn drop(&mut self) {
            self.0.set(0);
        }
    }
}

#[cfg(not(without_calls))]
pub mod shapes {
    pub trait Show {
        fn show(&self) -> usize {
            <[_]>::show(&[skip]);
            1
        }
    }

    fn skip<T>(_: T) {}

    impl<T> Show for T {}

    impl<Call: Fn(&u8)> Show for [Call] {}

    pub fn widths(all: &[u32]) -> usize {
        all.iter().map(Show::show).sum()
    }
}
