//! Tables that the build script generates.

include!(concat!(env!("OUT_DIR"), "/costs.rs"));

/// What it costs to stand at this height.
pub fn cost(height: u8) -> u32 {
    COSTS.iter().find(|(own, _)| *own == height).map_or(u32::MAX, |(_, cost)| *cost)
}
