//! Edits: byte ranges of a text that others take the place of.

use std::cmp::Reverse;
use std::ops::Range;

/// Replaces a byte range of a text; an empty text deletes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go.
    pub range: Range<usize>,
    /// Their replacement.
    pub text: String,
}

impl Edit {
    /// Deletes `range`.
    pub fn delete(range: Range<usize>) -> Self {
        Self { range, text: String::new() }
    }

    /// Replaces `range` by `text`.
    pub fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self { range, text: text.into() }
    }
}

/// The edits that leave of `site` only `kept`, with `before` and `after` around it.
pub(crate) fn kept_between(site: Range<usize>, before: &str, kept: Range<usize>, after: &str) -> Vec<Edit> {
    vec![Edit::replace(site.start..kept.start, before), Edit::replace(kept.end..site.end, after)]
}

/// Whether all of `inner` lies in `outer`.
pub fn covers(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Those of `edits` that lie in no other one, sorted: for a reduction whose parts may hold each other.
pub(crate) fn outermost(mut edits: Vec<Edit>) -> Vec<Edit> {
    // Of two for the same range, the one that deletes it.
    edits.sort_by_key(|edit| (edit.range.start, Reverse(edit.range.end), !edit.text.is_empty()));
    let mut end = 0;
    edits.retain(|edit| {
        let keep = edit.range.end > end;
        end = end.max(edit.range.end);
        keep
    });
    edits
}
