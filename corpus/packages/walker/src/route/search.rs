//! The search for the cheapest way (E. W. Dijkstra, 1959).

use grid::{Grid, Place};
use steps::{DIRECTIONS, neighbours};

use super::Route;
use super::queue::Queue;
use crate::map::Map;
use crate::tables::cost;

/// The cheapest way from the start to the goal.
pub fn find(map: &Map) -> Option<Route> {
    let (width, height) = (map.heights.width(), map.heights.height());
    let mut best: Grid<Option<(u32, Place)>> = Grid::new(width, height, None);
    let mut queue = Queue::new();
    queue.push(0, (map.start, map.start));
    while let Some((spent, (place, from))) = queue.pop() {
        if best.get(place).is_some() {
            continue;
        }
        best.set(place, Some((spent, from)));
        if place == map.goal {
            return Some(back(&best, map, spent));
        }
        let height_here = *map.heights.get(place);
        for next in neighbours!(place, DIRECTIONS) {
            if !map.heights.contains(next) {
                continue;
            }
            let there = *map.heights.get(next);
            if there.abs_diff(height_here) <= 2 {
                queue.push(spent.saturating_add(cost(there)), (next, place));
            }
        }
    }
    None
}

/// Follows the way back from the goal.
fn back(best: &Grid<Option<(u32, Place)>>, map: &Map, cost: u32) -> Route {
    let mut places = vec![map.goal];
    let mut at = map.goal;
    while at != map.start {
        let Some((_, from)) = best.get(at) else { break };
        at = *from;
        places.push(at);
    }
    places.reverse();
    Route { places, cost }
}
