//! Walks over a grid of heights: reads a map, finds a way, and reports it.

pub mod error;
pub mod map;
pub mod report;
pub mod route;
mod tables;

pub use error::Error;
pub use map::Map;
pub use route::{Route, find};

/// Reads a map and reports the cheapest way through it.
pub fn solve(text: &str) -> Result<String, Error> {
    let map = map::parse(text)?;
    let route = find(&map).ok_or(Error::NoWay)?;
    Ok(report::lines(&map, &route).join("\n"))
}
