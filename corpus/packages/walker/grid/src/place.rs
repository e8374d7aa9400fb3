//! Places in a grid.

/// A place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub column: usize,
    pub row: usize,
}

impl Place {
    pub fn new(column: usize, row: usize) -> Self {
        Self { column, row }
    }

    /// The place that many columns and rows from here; none left of the first or above it.
    pub fn offset(self, columns: isize, rows: isize) -> Option<Self> {
        Some(Self { column: self.column.checked_add_signed(columns)?, row: self.row.checked_add_signed(rows)? })
    }
}
