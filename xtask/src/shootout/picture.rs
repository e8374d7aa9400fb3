//! The picture of the shoot-out: a row an algorithm, a bar a grammar, sizes on the left and tests on the right.

use std::fmt::Write;

use super::grammars::GRAMMARS;
use super::report::Row;

const COLOURS: [&str; 3] = ["#3b6fb6", "#d98c2b", "#5a9e6f"];

/// In pixels.
const LABELS: f64 = 240.0;
const PANEL: f64 = 300.0;
const GAP: f64 = 60.0;
const TOP: f64 = 76.0;
const ROW: f64 = 34.0;
const BAR: f64 = 8.0;

/// The picture as SVG.
pub(crate) fn svg(rows: &[Row]) -> String {
    let width = LABELS + 2.0 * (PANEL + GAP);
    let height = TOP + ROW * rows.len() as f64 + 16.0;
    let mut svg = String::new();
    let mut line = |text: &str| {
        svg.push_str(text);
        svg.push('\n');
    };
    line(&format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">"#
    ));
    line(&format!(r##"<rect width="{width}" height="{height}" fill="#ffffff"/>"##));
    for (at, (name, _)) in GRAMMARS.iter().enumerate() {
        let x = LABELS + 110.0 * at as f64;
        line(&format!(r#"<rect x="{x}" y="14" width="12" height="12" fill="{}"/>"#, COLOURS[at]));
        line(&format!(r#"<text x="{}" y="25">{name}</text>"#, x + 18.0));
    }
    let [left, right] = [LABELS, LABELS + PANEL + GAP];
    line(&format!(r#"<text x="{left}" y="48" font-weight="bold">characters left, of 100</text>"#));
    line(&format!(r#"<text x="{right}" y="48" font-weight="bold">tests (logarithmic)</text>"#));
    let most = rows.iter().flat_map(|row| row.grammars.iter().map(|mean| mean.tests)).fold(1.0, f64::max);
    let tests_at = |tests: f64| PANEL * tests.max(1.0).log10() / most.log10();
    let bottom = TOP + ROW * rows.len() as f64;
    let share_marks = [0.0, 25.0, 50.0, 75.0, 100.0].map(|mark| (left + PANEL * mark / 100.0, mark));
    let tests_marks = (0..).map(|power| 10_f64.powi(power)).take_while(|&mark| mark <= most);
    for (x, mark) in share_marks.into_iter().chain(tests_marks.map(|mark| (right + tests_at(mark), mark))) {
        line(&format!(r##"<line x1="{x:.1}" y1="{}" x2="{x:.1}" y2="{bottom}" stroke="#dddddd"/>"##, TOP - 6.0));
        line(&format!(
            r##"<text x="{x:.1}" y="{}" text-anchor="middle" font-size="11" fill="#666666">{mark}</text>"##,
            TOP - 10.0
        ));
    }
    for (at, row) in rows.iter().enumerate() {
        let y = TOP + ROW * at as f64;
        line(&format!(r#"<text x="{}" y="{}" text-anchor="end">{}</text>"#, LABELS - 10.0, y + 17.0, row.name));
        for (grammar, mean) in row.grammars.iter().enumerate() {
            let y = y + 1.0 + (BAR + 1.0) * grammar as f64;
            let colour = COLOURS[grammar];
            let bars = [
                (left, PANEL * mean.share / 100.0, format!("{:.0}", mean.share)),
                (right, tests_at(mean.tests), format!("{:.0}", mean.tests)),
            ];
            for (x, length, value) in bars {
                line(&format!(r#"<rect x="{x}" y="{y}" width="{length:.1}" height="{BAR}" fill="{colour}"/>"#));
                line(&format!(
                    r##"<text x="{:.1}" y="{}" font-size="9" fill="#444444">{value}</text>"##,
                    x + length + 3.0,
                    y + BAR - 0.5
                ));
            }
        }
    }
    let _ = writeln!(svg, "</svg>");
    svg
}
