//! Replacements in a text.

use std::ops::Range;

/// The text with these replacements, of which none overlaps another. An insertion comes before what replaces a range.
pub fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut text = text.to_owned();
    for (range, new) in edits.into_iter().rev() {
        text.replace_range(range, &new);
    }
    text
}
