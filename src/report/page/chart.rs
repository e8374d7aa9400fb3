//! The chart of a page: the size over time, with a point for each step.

use super::figures::{COLOURS, Pass, number};
use crate::report::log::{End, Run};
use crate::report::words::time;

/// Where the ends of the axes are, in the picture of the template.
const LEFT: f64 = 84.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 258.0;

/// So many points are shown of a run with more steps.
const POINTS: usize = 600;

/// A curve.
pub(super) struct Chart {
    /// The sizes beside the axis, with their places.
    pub(super) sizes: Vec<(f64, String)>,
    /// The times below the axis: in the beginning, in the middle, at the end.
    pub(super) times: [String; 3],
    /// The curve, as SVG has it.
    pub(super) line: String,
    pub(super) points: Vec<Point>,
}

/// A step: its place, its number from 1 on, the number of its colour, and its words.
pub(super) type Point = (f64, f64, usize, usize, String);

/// The chart of a run. Sizes are on a logarithmic scale, as the last steps are small.
pub(super) fn chart(run: &Run, end: &End, passes: &[Pass]) -> Chart {
    let first = end.before.tokens;
    let sizes = || run.steps.iter().map(|step| step.size.tokens).chain([first]);
    let (low, high) = (sizes().min().unwrap_or(1).max(1), sizes().max().unwrap_or(2).max(2));
    let last = run.steps.last().map_or(0.0, |step| step.seconds).max(end.seconds).max(0.001);
    let tenth = |place: f64| (place * 10.0).round() / 10.0;
    let span = (high as f64 / low as f64).ln().max(0.01);
    let y = |tokens: usize| tenth(BOTTOM - (BOTTOM - TOP) * (tokens.max(1) as f64 / low as f64).ln() / span);
    let (mut line, mut height, mut points) = (format!("{LEFT},{}", y(first)), y(first), Vec::new());
    let every = run.steps.len().div_ceil(POINTS).max(1);
    for (step, index) in run.steps.iter().zip(1..) {
        let (x, y) = (tenth(LEFT + (RIGHT - LEFT) * step.seconds / last), y(step.size.tokens));
        line.push_str(&format!(" {x},{height} {x},{y}"));
        height = y;
        if index % every == 0 || index == run.steps.len() {
            let colour = passes.iter().find(|pass| pass.name == step.pass).map_or(COLOURS, |pass| pass.colour);
            let (size, seconds) = (number(step.size.tokens), time(step.seconds));
            let words = format!("step {index}, {}: {size} {} after {seconds}", step.pass, end.unit);
            points.push((x, y, index, colour, words));
        }
    }
    line.push_str(&format!(" {RIGHT},{height}"));
    let sizes = ticks(low, high).into_iter().map(|size| (y(size), number(size))).collect();
    Chart { sizes, times: [0.0, last / 2.0, last].map(time), line, points }
}

/// Sizes that stand beside the axis: both ends, and powers of ten between them that are not close to an end.
fn ticks(low: usize, high: usize) -> Vec<usize> {
    let powers = (0..).map_while(|power| 10usize.checked_pow(power)).skip_while(|size| *size < low * 3 / 2 + 1);
    let between = powers.take_while(|size| *size < high * 2 / 3);
    std::iter::once(low).chain(between).chain([high]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_powers_of_ten_stand_beside_the_axis() {
        assert_eq!(ticks(30, 3089), [30, 100, 1000, 3089]);
        assert_eq!(ticks(9, 1400), [9, 100, 1400]);
        assert_eq!(ticks(40, 50), [40, 50]);
    }
}
