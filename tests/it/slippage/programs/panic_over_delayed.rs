//! A panic in borrow checking is what one sees first, though a delayed bug was noted before it, in coherence.
//@ edition: 2021
//@ compile-flags: --crate-type=lib

use std::ops::Add;

#[cfg(not(without_delayed))]
pub mod handles {
    pub struct Handle<'a>(pub &'a str)
    where
        Self: Copy + Drop;

    impl Drop for Handle<'_>
    where
        Self: Copy + Drop,
    {
        fn drop(&mut self) {}
    }

    impl Drop for Handle<'_>
    where
        Self: Copy + Drop,
    {
        fn drop(&mut self) {}
    }
}

#[cfg(not(without_panic))]
pub mod offsets {
    use super::Add;

    pub fn aligned(at: usize, by: usize) -> usize {
        (at + by - 1) / by * by
    }

    pub fn start<T>(rows: usize) -> usize
    where
        u32: Add<*const T>,
    {
        if rows > 1 {
            let _next = 8 + 1 as _;
        }
        aligned(rows, 4)
    }
}
