//! Which reductions of a set do something: what lies inside of what another one deletes goes with that.

use std::cmp::Reverse;

use mcve_transforms::Reduction;

/// Those that have an edit which lies in no edit of another one.
pub(super) fn outermost<'r>(reductions: &[&'r Reduction]) -> Vec<&'r Reduction> {
    let all = reductions.iter().enumerate();
    let mut edits: Vec<_> = all.flat_map(|(index, it)| it.edits.iter().map(move |edit| (index, edit))).collect();
    edits.sort_by_key(|(_, edit)| (edit.range.start, Reverse(edit.range.end)));
    let mut counts = vec![false; reductions.len()];
    let (mut end, mut last) = (0, None);
    for (index, edit) in edits {
        let is_inside = edit.range.end <= end && edit.range.start < end && last != Some(index);
        counts[index] |= !is_inside;
        if edit.range.end > end {
            (end, last) = (edit.range.end, Some(index));
        }
    }
    reductions.iter().zip(counts).filter(|(_, counts)| *counts).map(|(reduction, _)| *reduction).collect()
}
