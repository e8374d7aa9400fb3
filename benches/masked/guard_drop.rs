//@ valid-by: +nightly -Znext-solver
//! Hooks that run at the end of a scope, and a pool of buffers that needs them.

use std::cell::{Cell, UnsafeCell};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ops::{Deref, DerefMut};

/// What a hook is about, and what it is handed when it runs.
pub trait Subject: Copy + 'static {
    type Handle<'a>;
    const COPIES: usize = 1;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot(u8);

impl Subject for Slot {
    type Handle<'a> = u32;
    const COPIES: usize = 4;
}

impl Subject for char {
    type Handle<'a> = &'a Pool;
}

pub trait Hook {
    fn end(&mut self);
    fn copies(&self) -> usize;
}

impl<S: Subject> Hook for fn(S, S::Handle<'_>) {
    fn end(&mut self) {
        println!("end of one of {}", S::COPIES);
    }
    fn copies(&self) -> usize {
        S::COPIES
    }
}

/// Runs a hook when it is dropped.
pub struct Guard<H: Hook> {
    hook: H,
    is_armed: bool,
}

impl<H: Hook> Guard<H> {
    fn new(hook: H) -> Self {
        Guard { hook, is_armed: true }
    }

    fn disarm(self) -> H
    where
        H: Clone,
    {
        let guard = ManuallyDrop::new(self);
        guard.hook.clone()
    }
}

impl<H: Hook> Drop for Guard<H> {
    fn drop(&mut self) {
        if self.is_armed {
            self.hook.end();
        }
    }
}

#[derive(Default)]
pub struct Pool {
    free: UnsafeCell<Vec<Vec<u8>>>,
    lent: Cell<usize>,
}

pub struct Buffer<'a> {
    bytes: Vec<u8>,
    pool: &'a Pool,
}

impl Pool {
    fn lend(&self) -> Buffer<'_> {
        self.lent.set(self.lent.get() + 1);
        let free = unsafe { &mut *self.free.get() };
        Buffer { bytes: free.pop().unwrap_or_default(), pool: self }
    }
}

impl Deref for Buffer<'_> {
    type Target = Vec<u8>;
    fn deref(&self) -> &Vec<u8> {
        &self.bytes
    }
}

impl DerefMut for Buffer<'_> {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.bytes
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        unsafe { (*self.pool.free.get()).push(bytes) };
        self.pool.lent.set(self.pool.lent.get() - 1);
    }
}

struct Sizes<const N: usize>;

impl<const N: usize> Sizes<N> {
    const MASK: usize = {
        assert!(N.is_power_of_two(), "not a power of two");
        N - 1
    };
}

/// Writes the subject so many times, and has the hook run behind it.
fn scope<S: Subject, const N: usize>(subject: S, hook: fn(S, S::Handle<'_>), pool: &Pool) -> usize {
    let guard = Guard::new(hook);
    let mut buffer = pool.lend();
    let mut copies = [const { MaybeUninit::<S>::uninit() }; 8];
    for copy in copies.iter_mut().take(S::COPIES & Sizes::<N>::MASK) {
        copy.write(subject);
        buffer.push(size_of::<S>() as u8);
    }
    let sum: usize = buffer.iter().map(|&byte| usize::from(byte)).sum();
    sum + usize::from(guard.is_armed)
}

fn release(slot: Slot, count: u32) {
    println!("{slot:?} {count}");
}

fn main() {
    let pool = Pool::default();
    let sum = scope::<Slot, 8>(Slot(3), release, &pool);
    let buffer = pool.lend();
    println!("{sum} {} {}", buffer.len(), pool.lent.get());
    drop(buffer);
    release(Slot(1), 2);
}
