//! Where a step can go.

#[cfg(feature = "diagonal")]
pub const DIRECTIONS: [(isize, isize); 8] =
    [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

#[cfg(not(feature = "diagonal"))]
pub const DIRECTIONS: [(isize, isize); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
