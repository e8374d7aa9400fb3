//@ edition: 2021
//@ compile-flags: --crate-type=lib
//! A bump arena for nodes of a graph, with cursors that are raw pointers in disguise.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Add;

/// How much of an arena is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    pub chunks: usize,
    pub nodes: usize,
    pub spare: usize,
}

pub struct Arena<T> {
    chunks: RefCell<Vec<Vec<Box<T>>>>,
    capacity: Cell<usize>,
}

/// A place in an arena.
pub struct Cursor<T>(*const Box<T>);

impl<T> PartialEq for Cursor<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> fmt::Debug for Cursor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cursor({:p})", self.0)
    }
}

impl<T> Cursor<T> {
    pub const NOWHERE: Cursor<T> = Cursor(std::ptr::null());

    pub fn is_nowhere(&self) -> bool {
        self.0.is_null()
    }

    /// # Safety
    ///
    /// The arena that the cursor comes from must still be there.
    pub unsafe fn get<'a>(&self) -> Option<&'a T> {
        unsafe { self.0.as_ref().map(Box::as_ref) }
    }
}

/// Two cursors, of which the second one is not before the first.
pub struct Span<T> {
    begin: Cursor<T>,
    end: Cursor<T>,
}

impl<T> Span<T> {
    pub fn new(begin: Cursor<T>, end: Cursor<T>) -> Option<Self> {
        (begin.0 <= end.0).then_some(Span { begin, end })
    }

    pub fn is_empty(&self) -> bool {
        self.begin == self.end
    }
}

/// How many bytes the sum of two cursors takes, for whatever can add pointers.
pub fn size_of_sum<T>(begin: Cursor<T>, end: Cursor<T>) -> usize
where
    *const Box<T>: Add,
{
    if begin.is_nowhere() {
        return 0;
    }
    let Cursor(first) = begin;
    let sum = first + end.0;
    size_of_val(&sum)
}

impl<T> Arena<T> {
    pub fn new(capacity: usize) -> Self {
        Arena { chunks: RefCell::new(Vec::new()), capacity: Cell::new(capacity.max(1)) }
    }

    pub fn alloc(&self, value: T) -> Cursor<T> {
        let mut chunks = self.chunks.borrow_mut();
        let full = chunks.last().is_none_or(|chunk| chunk.len() == chunk.capacity());
        if full {
            chunks.push(Vec::with_capacity(self.capacity.get()));
            self.capacity.set(self.capacity.get() * 2);
        }
        let Some(chunk) = chunks.last_mut() else { return Cursor::NOWHERE };
        chunk.push(Box::new(value));
        Cursor(&chunk[chunk.len() - 1])
    }

    pub fn usage(&self) -> Usage {
        let chunks = self.chunks.borrow();
        let nodes = chunks.iter().map(Vec::len).sum();
        let room: usize = chunks.iter().map(Vec::capacity).sum();
        Usage { chunks: chunks.len(), nodes, spare: room - nodes }
    }
}

/// Follows cursors until one of them is nowhere.
pub struct Walk<'a, T, F> {
    next: Cursor<T>,
    step: F,
    arena: PhantomData<&'a Arena<T>>,
}

impl<'a, T, F: Fn(&T) -> Cursor<T>> Iterator for Walk<'a, T, F> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        let value = unsafe { self.next.get() }?;
        self.next = (self.step)(value);
        Some(value)
    }
}
