//! Grids of cells.

mod cells;
mod place;
mod stride;

pub use cells::Grid;
pub use place::Place;
pub use stride::Stride;
