//! Reductions, and how a set of them is applied to a text.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use super::transform::Transform;
use crate::halt;
use crate::text::Edit;
use crate::text::splice::{Segment, splice_traced};

/// An atomic set of edits that one transform proposes at one place.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The transform that proposes it.
    pub transform: &'static Transform,
    /// The bytes of the node that it is about. Reductions of one transform at one site are alternatives.
    pub site: Range<usize>,
    /// Its place among the alternatives of the site, from 0.
    pub rank: usize,
    /// The changes; sorted, without overlaps.
    pub edits: Vec<Edit>,
    /// How many tokens it removes; negative if the program grows.
    pub gain: isize,
}

impl Reduction {
    /// The part of its site that it keeps where it only takes away what is around that.
    pub fn kept(&self) -> Option<Range<usize>> {
        let (first, last) = (self.edits.first()?, self.edits.last()?);
        let start = if first.range.start == self.site.start { first.range.end } else { self.site.start };
        let end = if last.range.end == self.site.end { last.range.start } else { self.site.end };
        (start < end && self.edits.len() <= 2).then_some(start..end)
    }
}

/// Those of `reductions`, sorted by site, whose sites lie inside of those of `level` others.
pub fn at_level(mut reductions: Vec<Reduction>, level: usize) -> Vec<Reduction> {
    let mut around: Vec<Range<usize>> = Vec::new();
    reductions.retain(|reduction| {
        while around.last().is_some_and(|site| site.end <= reduction.site.start) {
            around.pop();
        }
        if around.last() != Some(&reduction.site) {
            around.push(reduction.site.clone());
        }
        around.len() - 1 == level
    });
    reductions
}

/// Applies a set of reductions to `text`. The result depends on the set, not on its order.
///
/// - An edit inside a range that another applied edit deletes or replaces is subsumed; the rest of its reduction applies.
/// - Of two reductions with edits that overlap only in part, or that replace the same range by different texts, the one
///   with the inner or later site, the higher rank, is dropped whole.
/// - No two tokens are fused: a space is put where they would be. A line left blank goes, and so does one of the spaces on
///   both sides of what is deleted, so that which of several equal tokens goes does not make another text.
///
/// `O(n log n)` in the number of edits, and linear once more for each layer of reductions that hold dropped ones.
pub fn apply<'r>(text: &str, reductions: impl IntoIterator<Item = &'r Reduction>) -> String {
    apply_traced(text, reductions).0
}

/// Like [`apply`], but also returns the origin of each part of the new text, in order.
pub fn apply_traced<'r>(text: &str, reductions: impl IntoIterator<Item = &'r Reduction>) -> (String, Vec<Segment>) {
    let mut reductions: Vec<&Reduction> = reductions.into_iter().collect();
    reductions.sort_by_key(|r| (r.site.start, Reverse(r.site.end), r.transform.name, r.rank));
    let numbered = reductions.iter().enumerate();
    let mut edits: Vec<(usize, &Edit)> =
        numbered.flat_map(|(index, reduction)| reduction.edits.iter().map(move |edit| (index, edit))).collect();
    edits.sort_by_key(|(index, edit)| (edit.range.start, Reverse(edit.range.end), *index));
    loop {
        let lost = losers(&edits);
        if lost.is_empty() {
            break;
        }
        edits.retain(|(index, _)| !lost.contains(index));
    }
    let mut edits: Vec<&Edit> = edits.into_iter().map(|(_, edit)| edit).collect();
    // An insertion that two reductions share is one, too.
    edits.dedup();
    splice_traced(text, &edits)
}

/// The text after a set of reductions, with spaces in place of deleted text, so that the rest keeps its positions.
/// Replacements are written if they fit.
pub fn blanked<'r>(text: &str, reductions: impl IntoIterator<Item = &'r Reduction>) -> String {
    let mut edits: Vec<&Edit> = reductions.into_iter().flat_map(|reduction| &reduction.edits).collect();
    edits.sort_by_key(|edit| (edit.range.start, Reverse(edit.range.end)));
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        let range = edit.range.start.max(at)..edit.range.end.max(at);
        let room = edit.range.len().checked_sub(edit.text.len());
        let Some(room) = room.filter(|_| edit.text.is_empty() || range == edit.range) else { continue };
        out.push_str(&text[at..range.start]);
        out.push_str(&edit.text);
        let left = range.len().min(room);
        let gone = &text.as_bytes()[range.end - left..range.end];
        out.extend(gone.iter().map(|byte| if *byte == b'\n' { '\n' } else { ' ' }));
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Of each two conflicting reductions the later one, as far as one pass over the edits shows: edits inside of a dropped one
/// may conflict with others.
fn losers(edits: &[(usize, &Edit)]) -> HashSet<usize> {
    let mut lost = HashSet::new();
    let mut outer: Option<(usize, &Edit)> = None;
    for &(index, edit) in edits {
        halt::step();
        if lost.contains(&index) {
            continue;
        }
        if let Some((other, outermost)) = outer.filter(|(other, _)| !lost.contains(other)) {
            let crosses = edit.range.start < outermost.range.end && edit.range.end > outermost.range.end;
            let differs = edit.range == outermost.range && edit.text != outermost.text;
            if other != index && (crosses || differs) {
                lost.insert(index.max(other));
                if index > other {
                    continue;
                }
            } else if edit.range.end <= outermost.range.end && edit.range.start < outermost.range.end {
                continue;
            }
        }
        outer = Some((index, edit));
    }
    lost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::items::whole_items::DELETE_ITEM;

    fn reduction(rank: usize, edits: &[(Range<usize>, &str)]) -> Reduction {
        let edits = edits.iter().map(|(range, text)| Edit::replace(range.clone(), *text)).collect();
        Reduction { transform: &DELETE_ITEM, site: 0..0, rank, edits, gain: 0 }
    }

    #[track_caller]
    fn check(text: &str, reductions: &[&[(Range<usize>, &str)]], expected: &str) {
        let reductions: Vec<Reduction> =
            reductions.iter().enumerate().map(|(rank, edits)| reduction(rank, edits)).collect();
        assert_eq!(apply(text, &reductions), expected);
        assert_eq!(apply(text, reductions.iter().rev()), expected, "the order does not matter");
    }

    #[test]
    fn what_is_blanked_leaves_the_rest_where_it_was() {
        let text = "fn a() { b(x) }\nfn b() { 1 }\nfn c() {}";
        let reductions = [
            reduction(0, &[(7..15, "{}")]),
            reduction(0, &[(9..10, "")]),
            reduction(0, &[(16..28, "")]),
            reduction(0, &[(36..38, "long")]),
        ];
        let expected = "fn a() {}      \n            \nfn c() {}";
        assert_eq!(blanked(text, &reductions), expected);
        assert_eq!(expected.len(), text.len());
    }

    #[test]
    fn no_reduction_changes_nothing() {
        check("a b", &[], "a b");
    }

    #[test]
    fn an_edit_inside_a_deleted_range_is_subsumed() {
        check("if c { b }", &[&[(0..7, ""), (9..10, "")], &[(3..4, "true")]], "b ");
        check("if c { b }", &[&[(3..4, "true")], &[(0..10, "x")]], "x");
    }

    #[test]
    fn reductions_inside_what_is_kept_compose() {
        check("if c { b(x) }", &[&[(0..7, ""), (12..13, "")], &[(9..10, "")]], "b() ");
    }

    #[test]
    fn a_partial_overlap_drops_the_later_reduction_whole() {
        check("abcdef", &[&[(0..3, "")], &[(2..4, ""), (5..6, "")]], "def");
        check("abcdef", &[&[(2..4, "")], &[(0..3, ""), (5..6, "")]], "abef");
    }

    #[test]
    fn of_two_alternatives_the_first_wins() {
        check("a && b", &[&[(0..6, "true")], &[(0..6, "false")]], "true");
    }

    #[test]
    fn many_conflicts_are_settled_at_once() {
        let pairs: Vec<Reduction> = (0..50_000)
            .flat_map(|at| ["", "x"].map(|text| reduction(2 * at + text.len(), &[(2 * at..2 * at + 1, text)])))
            .collect();
        assert_eq!(apply(&"ab".repeat(50_000), &pairs), "b".repeat(50_000));
    }

    #[test]
    fn the_same_edit_in_two_reductions_is_one() {
        check("a, b", &[&[(0..1, ""), (1..2, "")], &[(1..2, ""), (3..4, "")]], "");
        check("a b c", &[&[(0..1, ""), (5..5, "..")], &[(2..3, ""), (5..5, "..")]], "c..");
    }
}
