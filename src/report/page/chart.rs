//! The chart of a page: the size over time, with a point for each step.

use std::collections::BTreeSet;

use super::figures::{Colours, number};
use super::steps::start;
use crate::report::log::Run;
use crate::report::words::time;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
/// Where the axes and the other ends of the area are.
const LEFT: f64 = 84.0;
const RIGHT: f64 = 700.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 258.0;

/// So many points are shown of a run with more steps.
const POINTS: usize = 600;

/// A curve with its axes.
pub(super) struct Chart {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) left: f64,
    pub(super) right: f64,
    /// In words, for those who do not see it.
    pub(super) words: String,
    /// What the axes show.
    pub(super) axis: String,
    /// The sizes and the times beside the axes.
    pub(super) rows: Vec<Tick>,
    pub(super) columns: Vec<Tick>,
    /// The curve, as SVG has it.
    pub(super) line: String,
    pub(super) points: Vec<Point>,
    /// The colours of the passes.
    pub(super) legend: Vec<(usize, String)>,
}

/// A number beside an axis.
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) text: String,
    /// Which point of the text is there, as SVG has it.
    pub(super) anchor: &'static str,
}

/// A step.
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
    /// Its number from 1 on.
    pub(super) step: usize,
    pub(super) colour: usize,
    pub(super) words: String,
}

/// The chart of a run. Sizes are on a logarithmic scale, as the last steps are small.
pub(super) fn chart(run: &Run, colours: &Colours, seconds: f64, unit: &str) -> Chart {
    let sizes = || std::iter::once(start(run).tokens).chain(run.steps.iter().map(|step| step.size.tokens));
    let (low, high) = (sizes().min().unwrap_or(0).max(1), sizes().max().unwrap_or(0).max(2));
    let last = run.steps.last().map_or(seconds, |step| step.seconds.max(seconds)).max(0.001);
    let x = |seconds: f64| round(LEFT + (RIGHT - LEFT) * seconds / last);
    let span = (high as f64 / low as f64).ln().max(0.01);
    let y = |tokens: usize| round(BOTTOM - (BOTTOM - TOP) * (tokens.max(1) as f64 / low as f64).ln() / span);
    let (mut line, mut height) = (format!("{LEFT},{}", y(start(run).tokens)), y(start(run).tokens));
    let mut points = Vec::new();
    let every = run.steps.len().div_ceil(POINTS).max(1);
    for (step, index) in run.steps.iter().zip(1..) {
        let (at, now) = (x(step.seconds), y(step.size.tokens));
        line.push_str(&format!(" {at},{height} {at},{now}"));
        height = now;
        if index % every == 0 || index == run.steps.len() {
            let (size, seconds) = (number(step.size.tokens), time(step.seconds));
            let words = format!("step {index}, {}: {size} {unit} after {seconds}", step.pass);
            points.push(Point { x: at, y: now, step: index, colour: colours.of(&step.pass), words });
        }
    }
    line.push_str(&format!(" {RIGHT},{height}"));
    let used: BTreeSet<usize> = points.iter().map(|point: &Point| point.colour).collect();
    let is_used = |colour: usize| used.contains(&colour);
    let end = run.steps.last().map_or(start(run), |step| step.size);
    Chart {
        width: WIDTH,
        height: HEIGHT,
        left: LEFT,
        right: RIGHT,
        words: format!(
            "Size over time: from {} to {} {unit} in {} steps and {}. A table below has the numbers.",
            number(start(run).tokens),
            number(end.tokens),
            number(run.steps.len()),
            time(last)
        ),
        axis: format!("Size in {unit}, on a logarithmic scale, over time."),
        rows: ticks(low, high)
            .into_iter()
            .map(|size| Tick { at: y(size), text: number(size), anchor: "end" })
            .collect(),
        columns: [(0.0, "start"), (0.5, "middle"), (1.0, "end")]
            .map(|(part, anchor)| Tick { at: x(part * last), text: time(part * last), anchor })
            .into(),
        line,
        points,
        legend: colours.legend().into_iter().filter(|(colour, _)| is_used(*colour)).collect(),
    }
}

/// A place to a tenth.
fn round(place: f64) -> f64 {
    (place * 10.0).round() / 10.0
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
