//! A cursor into the cells of a row, without bounds checks.

use grid::Stride;
use steps::advance;

/// Where in a row a reader is.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<T> {
    at: *const T,
    left: usize,
}

impl<T> Cursor<T> {
    /// A cursor at the first of these cells.
    pub fn new(cells: &[T]) -> Self {
        Self { at: cells.as_ptr(), left: cells.len() }
    }

    /// How many cells are left.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Goes on by some cells.
    pub fn skip(&mut self, cells: usize) -> bool
    where
        *const T: Stride,
    {
        if cells > self.left {
            return false;
        }
        self.at = advance!(self.at, cells);
        self.left -= cells;
        true
    }
}
