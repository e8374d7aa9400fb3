//! The cells of a grid.

use crate::place::Place;

/// Cells in rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid<T> {
    width: usize,
    cells: Vec<T>,
}

impl<T: Clone> Grid<T> {
    /// A grid of cells that are all the same.
    pub fn new(width: usize, height: usize, cell: T) -> Self {
        Self { width, cells: vec![cell; width * height] }
    }
}

impl<T> Grid<T> {
    pub fn width(&self) -> usize {
        self.width
    }

    pub fn height(&self) -> usize {
        self.cells.len().checked_div(self.width).unwrap_or(0)
    }

    pub fn contains(&self, place: Place) -> bool {
        place.column < self.width && place.row < self.height()
    }

    /// The cell at a place.
    ///
    /// # Panics
    /// When the place is outside.
    pub fn get(&self, place: Place) -> &T {
        &self.cells[place.row * self.width + place.column]
    }

    /// Changes the cell at a place.
    ///
    /// # Panics
    /// When the place is outside.
    pub fn set(&mut self, place: Place, cell: T) {
        self.cells[place.row * self.width + place.column] = cell;
    }
}
