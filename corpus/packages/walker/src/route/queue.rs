//! A queue by cost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What waits, the cheapest first.
#[derive(Debug)]
pub struct Queue<T: Ord> {
    heap: BinaryHeap<Reverse<(u32, T)>>,
}

impl<T: Ord> Queue<T> {
    pub fn new() -> Self {
        Self { heap: BinaryHeap::new() }
    }

    pub fn push(&mut self, cost: u32, what: T) {
        self.heap.push(Reverse((cost, what)));
    }

    pub fn pop(&mut self) -> Option<(u32, T)> {
        self.heap.pop().map(|Reverse(first)| first)
    }
}
