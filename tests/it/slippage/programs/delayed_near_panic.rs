//! A delayed bug in the very expression that, made simpler, panics: the delayed bug is there then as well, behind it.
//@ edition: 2021
//@ compile-flags: --crate-type=lib

use std::ops::Add;

pub struct Cursor<T> {
    pub at: *const T,
    pub steps: usize,
}

#[cfg(not(without_delayed))]
impl<T> Cursor<T>
where
    *const T: Add<*const T>,
    u8: Add<*const T>,
{
    pub fn twice(&self) -> usize {
        let _sum = self.at + 0 as _;
        self.steps * 2
    }
}

#[cfg(only_panic)]
pub fn simpler<T>()
where
    u8: Add<*const T>,
{
    let _sum = 1 + 0 as _;
}

impl<T> Cursor<T> {
    pub fn new(at: *const T) -> Self {
        Cursor { at, steps: 0 }
    }

    pub fn step(mut self) -> Self {
        self.steps += 1;
        self
    }
}
