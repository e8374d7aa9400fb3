//! What goes from cell to cell.

use std::ops::Add;

/// Goes on by a number of cells.
pub trait Stride: Copy + Add<usize, Output = Self> {
    /// Goes on by one.
    fn next(self) -> Self {
        self + 1
    }
}

impl Stride for usize {}
