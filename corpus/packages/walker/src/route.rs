//! Ways over a map.

mod cursor;
mod queue;
mod search;

pub use cursor::Cursor;
pub use search::find;

use grid::Place;

/// A way, from its start to its goal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    pub places: Vec<Place>,
    pub cost: u32,
}

impl Route {
    /// How many steps it takes.
    pub fn steps(&self) -> usize {
        self.places.len().saturating_sub(1)
    }
}
