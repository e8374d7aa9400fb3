//! One assertion with one message at two lines of a file of the compiler: of an arithmetic and of a comparing operator.
//@ edition: 2021
//@ compile-flags: --crate-type=lib

use std::ops::{Add, Shl};

pub struct Ring<T> {
    pub slots: Vec<T>,
    pub at: usize,
}

#[cfg(not(without_first))]
impl<T> Ring<T>
where
    u8: Add<*const T, Output = u8>,
{
    pub fn next(&mut self, slot: *const T) -> u8 {
        let step: u8 = 1u8 + slot;
        self.at += 1;
        step
    }
}

#[cfg(not(without_second))]
impl<T> Ring<T>
where
    u8: Add<*const T>,
{
    pub fn skip(&mut self) {
        self.at += 2;
        let _skipped = 1 + 0 as _;
    }
}

impl<T> Ring<T> {
    pub fn shifted<S: Shl<usize>>(&self, by: S) -> S::Output {
        by << self.at
    }
}
