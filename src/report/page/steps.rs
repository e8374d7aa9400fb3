//! The steps of a page, each as the lines that it changed.

use std::ops::Range;
use std::time::Duration;

use mcve_reduce::visible::visible;
use similar::{ChangeTag, TextDiff};

use super::figures::number;
use crate::report::log::{Run, Step};

/// So many steps at the beginning, and as many at the end, have their diffs: the page stays below a few megabytes.
pub(super) const SHOWN: usize = 150;

/// What is said of the others.
const LEFT_OUT: &str = "What it changed is left out.";

/// So many lines of a step are shown, and so many characters of each.
const LINES: usize = 60;
const CHARACTERS: usize = 200;

/// So many lines that did not change are shown around others.
const AROUND: usize = 1;

/// A diff that takes longer is a coarse one.
const TIME: Duration = Duration::from_millis(100);

/// A line of a diff after the class of its colour.
pub(super) type Line = (&'static str, String);

/// A step, the lines that it changed, and what is said of those that are not shown.
pub(super) type Shown<'r> = (&'r Step, Vec<Line>, String);

/// The steps of a run.
pub(super) fn steps(run: &Run) -> Vec<Shown<'_>> {
    let mut texts = run.texts();
    let (mut shown, mut before) = (Vec::new(), texts.next().unwrap_or_default());
    for ((step, after), index) in run.steps.iter().zip(texts).zip(1..) {
        let is_shown = index <= SHOWN || index + SHOWN > run.steps.len();
        let gone = step.at..step.at + step.removed;
        let (lines, more) = if is_shown { diff(&before, &after, gone) } else { (Vec::new(), LEFT_OUT.to_owned()) };
        shown.push((step, lines, more));
        before = after;
    }
    shown
}

/// The lines that differ, with those around, and how many more there are. Nothing differs before these bytes of `before`, nor
/// after them.
fn diff(before: &str, after: &str, gone: Range<usize>) -> (Vec<Line>, String) {
    let start = before[..gone.start].rmatch_indices('\n').nth(AROUND).map_or(0, |(at, _)| at + 1);
    let end = before[gone.end..].match_indices('\n').nth(AROUND).map_or(before.len(), |(at, _)| gone.end + at + 1);
    let same = before.len() - end;
    let above = before[..start].matches('\n').count();
    let mut config = TextDiff::configure();
    let diff = config.timeout(TIME).diff_lines(&before[start..end], &after[start..after.len() - same]);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(AROUND) {
        let first = group.first().map_or(0, |op| op.old_range().start);
        lines.push(("place", format!("line {}", above + first + 1)));
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let class = match change.tag() {
                ChangeTag::Equal => "",
                ChangeTag::Delete => "gone",
                ChangeTag::Insert => "new",
            };
            lines.push((class, format!("{}{}", change.tag(), shortened(change.value()))));
        }
    }
    let rest = lines.drain(LINES.min(lines.len())..);
    let more = match rest.filter(|(class, _)| ["gone", "new"].contains(class)).count() {
        0 => String::new(),
        more => format!(".. and {} more lines that changed", number(more)),
    };
    (lines, more)
}

fn shortened(line: &str) -> String {
    let line = visible(line.trim_end());
    line.char_indices().nth(CHARACTERS).map_or(line.clone(), |(end, _)| format!("{}..", &line[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lines: &[Line]) -> Vec<&str> {
        lines.iter().map(|(_, text)| &**text).collect()
    }

    #[test]
    fn a_diff_shows_what_changed_and_where() {
        let (lines, more) = diff("a\nb\nc\nd\ne\n", "a\nb\nc\nD\ne\n", 6..7);
        assert_eq!((texts(&lines), &*more), (vec!["line 3", " c", "-d", "+D", " e"], ""));
        assert_eq!(lines.iter().map(|(class, _)| *class).collect::<Vec<_>>(), ["place", "", "gone", "new", ""]);
    }

    #[test]
    fn a_long_diff_says_how_much_is_missing() {
        let before: String = (0..LINES + 40).map(|line| format!("{line}\n")).collect();
        let (lines, more) = diff(&before, "", 0..before.len());
        assert_eq!((lines.len(), &*more), (LINES, ".. and 41 more lines that changed"));
        let long = "x".repeat(CHARACTERS + 1);
        assert_eq!(shortened(&long), format!("{}..", "x".repeat(CHARACTERS)));
    }
}
