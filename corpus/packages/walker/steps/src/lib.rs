//! Steps on a grid.

mod directions;
mod macros;

pub use directions::DIRECTIONS;
