//! The steps of a page, each as the lines that it changed.

use std::ops::Range;
use std::time::{Duration, Instant};

use mcve_reduce::program::Size;
use mcve_reduce::visible::visible;
use similar::{ChangeTag, TextDiff};

use super::figures::{number, signed};
use crate::report::log::{Run, Step};
use crate::report::words::time;

/// So many lines of a step are shown, and so many characters of each.
const LINES: usize = 60;
const CHARACTERS: usize = 200;

/// So many lines that did not change are shown around others.
const AROUND: usize = 1;

/// The diffs of all steps have at most so many bytes, and are made in this time.
const BYTES: usize = 1_500_000;
const TIME: Duration = Duration::from_secs(5);

/// A diff that takes longer is a coarse one.
const TIME_OF_ONE: Duration = Duration::from_millis(200);

/// A line of a diff with the class of its colour.
pub(super) struct DiffLine {
    pub(super) class: &'static str,
    pub(super) text: String,
}

/// A step.
pub(super) struct Shown {
    pub(super) title: String,
    pub(super) words: String,
    pub(super) diff: Vec<DiffLine>,
    /// What the diff does not show.
    pub(super) more: String,
    is_left_out: bool,
}

/// The steps of a run, and a sentence on those in the middle whose diffs are left out.
pub(super) fn steps(run: &Run, unit: &str) -> (Vec<Shown>, String) {
    let end = Instant::now() + TIME;
    let (mut shown, mut before, mut size) = (Vec::new(), run.input.clone(), start(run));
    let mut texts = run.texts().skip(1);
    for (step, index) in run.steps.iter().zip(1..) {
        let mut one = described(step, index, size, unit);
        size = step.size;
        if let Some(after) = texts.next().filter(|_| Instant::now() < end) {
            (one.diff, one.more) = diff(&before, &after, step.at..step.at + step.removed);
            before = after;
        } else {
            one.is_left_out = true;
        }
        shown.push(one);
    }
    let left_out = leave_out(&mut shown);
    (shown, left_out)
}

/// The size before the first step.
pub(super) fn start(run: &Run) -> Size {
    run.end.as_ref().map_or_else(Size::default, |end| end.before)
}

fn described(step: &Step, index: usize, before: Size, unit: &str) -> Shown {
    let now = step.size.tokens;
    let title =
        format!("{index}. {}: {} {unit} ({})", step.pass, number(now), signed(now as i64 - before.tokens as i64));
    let reductions = match &step.reductions[..] {
        [] => String::new(),
        reductions => format!(": {}", reductions.join(", ")),
    };
    let words = format!("After {} checks and {}{reductions}", number(step.checks), time(step.seconds));
    Shown { title, words: visible(&words), diff: Vec::new(), more: String::new(), is_left_out: false }
}

/// The lines that differ, with those around, and how many more there are. Nothing differs before these bytes of `before`, nor
/// after them.
fn diff(before: &str, after: &str, gone: Range<usize>) -> (Vec<DiffLine>, String) {
    let start = before[..gone.start].rmatch_indices('\n').nth(AROUND).map_or(0, |(at, _)| at + 1);
    let end = before[gone.end..].match_indices('\n').nth(AROUND).map_or(before.len(), |(at, _)| gone.end + at + 1);
    let same = before.len() - end;
    let above = before[..start].matches('\n').count();
    let mut config = TextDiff::configure();
    let diff = config.timeout(TIME_OF_ONE).diff_lines(&before[start..end], &after[start..after.len() - same]);
    let (mut lines, mut more) = (Vec::new(), 0);
    for group in diff.grouped_ops(AROUND) {
        let first = group.first().map_or(0, |op| op.old_range().start);
        if lines.len() < LINES {
            lines.push(DiffLine { class: "place", text: format!("line {}", above + first + 1) });
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let (class, mark) = class(change.tag());
            if lines.len() < LINES {
                lines.push(DiffLine { class, text: format!("{mark}{}", shortened(change.value())) });
            } else if !class.is_empty() {
                more += 1;
            }
        }
    }
    let more = match more {
        _ if lines.is_empty() => "The text is as it was.".to_owned(),
        0 => String::new(),
        _ => format!(".. and {} more lines that changed", number(more)),
    };
    (lines, more)
}

/// The class of the colour of such a line, and its mark.
pub(super) fn class(tag: ChangeTag) -> (&'static str, char) {
    match tag {
        ChangeTag::Equal => ("", ' '),
        ChangeTag::Delete => ("gone", '-'),
        ChangeTag::Insert => ("new", '+'),
    }
}

fn shortened(line: &str) -> String {
    let line = visible(line.trim_end());
    match line.char_indices().nth(CHARACTERS) {
        Some((end, _)) => format!("{}..", &line[..end]),
        None => line,
    }
}

/// Leaves out diffs, from the middle first, so that the page does not become too large, and says so.
fn leave_out(shown: &mut [Shown]) -> String {
    let mut room = BYTES;
    let mut count = 0;
    let len = shown.len();
    // The first, the last, the second, the last but one, ..
    for index in (0..len).map(|turn| if turn % 2 == 0 { turn / 2 } else { len - 1 - turn / 2 }) {
        let one = &mut shown[index];
        let bytes = one.diff.iter().map(|line| line.text.len() + 40).sum();
        match room.checked_sub(bytes).filter(|_| !one.is_left_out) {
            Some(rest) => room = rest,
            None => {
                one.diff.clear();
                one.more = "What it changed is left out here.".to_owned();
                count += 1;
            }
        }
    }
    match count {
        0 => String::new(),
        _ => format!(
            "The changes of {} of {} steps are left out, so that the page does not become too large.",
            number(count),
            number(len)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lines: &[DiffLine]) -> Vec<&str> {
        lines.iter().map(|line| &*line.text).collect()
    }

    #[test]
    fn a_diff_shows_what_changed_and_where() {
        let (lines, more) = diff("a\nb\nc\nd\ne\n", "a\nb\nc\nD\ne\n", 6..7);
        assert_eq!((texts(&lines), &*more), (vec!["line 3", " c", "-d", "+D", " e"], ""));
        assert_eq!(lines.iter().map(|line| line.class).collect::<Vec<_>>(), ["place", "", "gone", "new", ""]);
    }

    #[test]
    fn a_long_diff_says_how_much_is_missing() {
        let before: String = (0..LINES + 40).map(|line| format!("{line}\n")).collect();
        let (lines, more) = diff(&before, "", 0..before.len());
        assert_eq!((lines.len(), &*more), (LINES, ".. and 41 more lines that changed"));
        let long = "x".repeat(CHARACTERS + 1);
        assert_eq!(shortened(&long), format!("{}..", "x".repeat(CHARACTERS)));
    }

    #[test]
    fn diffs_are_left_out_from_the_middle() {
        let one = || Shown {
            title: String::new(),
            words: String::new(),
            diff: vec![DiffLine { class: "", text: "x".repeat(BYTES / 3) }],
            more: String::new(),
            is_left_out: false,
        };
        let mut shown: Vec<Shown> = (0..5).map(|_| one()).collect();
        assert!(leave_out(&mut shown).contains("of 3 of 5 steps"));
        let has_diff: Vec<bool> = shown.iter().map(|one| !one.diff.is_empty()).collect();
        assert_eq!(has_diff, [true, false, false, false, true]);
        assert_eq!(leave_out(&mut [one(), one()]), "");
    }
}
