//! Reports of a way.

mod text;

use grid::Place;

use crate::map::Map;
use crate::route::Route;

/// The map with the way in it, and a line that sums it up.
pub fn lines(map: &Map, route: &Route) -> Vec<String> {
    let mut lines: Vec<String> = (0..map.heights.height())
        .map(|row| {
            let cells = (0..map.heights.width()).map(|column| Place::new(column, row));
            cells.map(|place| text::cell(*map.heights.get(place), route.places.contains(&place))).collect()
        })
        .collect();
    lines.push(format!("{}: {}, cost {}", map.describe(), text::count(route.steps(), "step"), route.cost));
    lines
}
