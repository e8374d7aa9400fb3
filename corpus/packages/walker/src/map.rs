//! Maps of heights.

use derive::Describe;
use grid::{Grid, Place};

use crate::error::Error;

/// The heights of the land, with both ends of the way.
#[derive(Clone, Debug, Describe)]
pub struct Map {
    pub heights: Grid<u8>,
    pub start: Place,
    pub goal: Place,
}

/// Reads a map: a digit for each height; the way goes from the first to the last.
pub fn parse(text: &str) -> Result<Map, Error> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let width = lines.first().ok_or(Error::Empty)?.len();
    let mut heights = Grid::new(width, lines.len(), 0);
    for (row, line) in lines.iter().enumerate() {
        if line.len() != width {
            return Err(Error::Ragged { line: row + 1, length: line.len(), expected: width });
        }
        for (column, found) in line.chars().enumerate() {
            let height = found.to_digit(8).ok_or(Error::Character { line: row + 1, column: column + 1, found })?;
            heights.set(Place::new(column, row), height as u8);
        }
    }
    let goal = Place::new(width - 1, lines.len() - 1);
    Ok(Map { heights, start: Place::new(0, 0), goal })
}
