//! Does not try rejected reductions again: sets of reductions, often of a single one. Where what they change looks the same they
//! are left to the proof: of 700 single ones that were tried again, 16 helped.

use std::collections::HashSet;

use mcve_transforms::{Edit, Reduction};
use xxhash_rust::xxh3::xxh3_128;

use super::filter::{Filter, Phase};
use super::proposal::Proposal;
use crate::program::Program;
use mcve_dd::keep_list::KeepList;

/// A set of more reductions than this is hardly ever tried again as it was.
const LARGEST: usize = 64;

/// Refuses sets of reductions that look like one that was rejected.
#[derive(Clone, Default)]
pub struct RejectedBefore {
    /// The sets that were rejected before these keep-lists.
    known: HashSet<Look>,
    /// The sets that were rejected since: two parts of a program may look the same, and both are to be tried.
    recent: HashSet<Look>,
    /// The looks of the reductions, as far as they were computed.
    looks: Vec<Option<Look>>,
    /// The look of the set that was admitted last.
    last: Option<Look>,
}

impl RejectedBefore {
    /// The look of the reductions that the candidate applies and the best program does not; none for too many.
    fn look(&mut self, proposal: &Proposal<'_>) -> Option<Look> {
        let new = added(proposal.kept, proposal.keep).filter(|new| new.len() <= LARGEST)?;
        let look = |index: usize| look(&proposal.base.text, &proposal.reductions[index]);
        let looks = new.into_iter().map(|index| *self.looks[index].get_or_insert_with(|| look(index)));
        Some(looks.fold(0, Look::wrapping_add))
    }
}

impl Filter for RejectedBefore {
    fn name(&self) -> &'static str {
        "rejected-before"
    }

    fn applies(&self, phase: Phase) -> bool {
        phase == Phase::Passes
    }

    fn begin(&mut self, count: usize) {
        self.known.extend(self.recent.drain());
        self.looks = vec![None; count];
    }

    fn proposes(&self, base: &Program, reduction: &Reduction) -> bool {
        let look = look(&base.text, reduction);
        !self.known.contains(&look) && !self.recent.contains(&look)
    }

    fn admits(&mut self, proposal: &Proposal<'_>) -> bool {
        self.last = self.look(proposal);
        self.last.is_none_or(|look| !self.known.contains(&look))
    }

    fn learn(&mut self, fails: bool) {
        self.recent.extend(self.last.take().filter(|_| !fails));
    }

    fn reject(&mut self, base: &Program, reduction: &Reduction) {
        self.recent.insert(look(&base.text, reduction));
    }

    fn fork(&self) -> Box<dyn Filter> {
        Box::new(self.clone())
    }
}

/// The reductions that `keep` applies and `kept` does not; none if it keeps more elsewhere.
fn added(kept: &KeepList, keep: &KeepList) -> Option<Vec<usize>> {
    let mut left = keep.kept().iter().peekable();
    let new = kept.kept().iter().copied().filter(|index| left.next_if_eq(&index).is_none()).collect();
    left.peek().is_none().then_some(new)
}

/// A set of reductions by the look of the text that they change: the sum of the looks of its reductions.
type Look = u128;

fn look(text: &str, reduction: &Reduction) -> Look {
    let Reduction { site, edits, transform, .. } = reduction;
    let mut key = transform.name.as_bytes().to_vec();
    let mut push = |part: &str| {
        key.push(0);
        key.extend(part.as_bytes());
    };
    let is_deletion =
        |edit: &Edit| edit.text.is_empty() && edit.range.start <= site.start && site.end <= edit.range.end;
    if !edits.iter().any(is_deletion) {
        push(&text[site.clone()]);
    }
    for edit in edits {
        let is_outside = edit.range.end <= site.start || site.end <= edit.range.start;
        if is_deletion(edit) || is_outside && edit.text.is_empty() {
            push(head(&text[edit.range.clone()]));
        } else {
            let [start, end] = [edit.range.start, edit.range.end].map(|at| at.wrapping_sub(site.start));
            push(&format!("{start}..{end}"));
        }
        push(&edit.text);
    }
    xxh3_128(&key)
}

/// No body is searched for in a text that is longer than this.
const LONGEST_HEAD: usize = 1000;

/// Of an item with a body, what stands before that: whether it can go depends on who needs it, and not on what is in it.
fn head(text: &str) -> &str {
    let Some(head) = text.bytes().take(LONGEST_HEAD).position(|byte| byte == b'{').map(|end| &text[..end]) else {
        return text;
    };
    let names_it = head.split_whitespace().count() > 1 && !head.contains("impl");
    if names_it { head } else { text }
}

#[cfg(test)]
mod tests {
    use mcve_transforms::{Analysis, Source, Tree, enumerate, named};

    use super::*;

    /// Whether the first reduction of `before` by a transform looks as that of `after` at `index`.
    #[track_caller]
    fn check(transform: &str, before: &str, after: &str, index: usize, expected: bool) {
        let look = |text: &str, index: usize| {
            look(text, &enumerate(&Analysis::of(&Tree::new(&Source::parse(text))), named(transform)[0])[index])
        };
        assert_eq!(look(before, 0) == look(after, index), expected, "{before:?}, {after:?}");
    }

    #[test]
    fn a_reduction_is_known_until_what_it_changes_changes() {
        check("hoist-expression", "fn f() { (a + b) }", "fn g() { (a + b) }", 0, true);
        check("hoist-expression", "fn f() { (a + b) }", "fn g() { (a - b) }", 0, false);
        check("delete-statement", "fn f() { a(); b() }", "fn f() { c(); a(); b() }", 1, true);
        check("delete-statement", "fn f() { a(); b() }", "fn f() { c(); a(); b() }", 0, false);
    }

    #[test]
    fn of_a_deletion_the_body_does_not_count() {
        check("delete-item", "fn f() { g() } fn a() {}", "fn f() { h() } fn a() {}", 0, true);
        check("delete-item", "fn f() { g() } fn a() {}", "fn f() { g() } fn a() {}", 1, false);
        check("delete-item", "fn f() { g() }", "fn f(a: u8) { g() }", 0, false);
        check("delete-item", "impl A { fn f() {} }", "impl A { fn g() {} }", 0, false);
    }

    #[test]
    fn a_set_is_known_whatever_the_order_and_no_part_of_it() {
        let text = "fn f() {} fn g() {} fn h() {}";
        let items = enumerate(&Analysis::of(&Tree::new(&Source::parse(text))), named("delete-item")[0]);
        let look = |indices: &[usize]| {
            indices.iter().map(|&index| super::look(text, &items[index])).fold(0, Look::wrapping_add)
        };
        assert_eq!(look(&[0, 2]), look(&[2, 0]));
        for other in [&[0][..], &[2], &[0, 1], &[0, 1, 2]] {
            assert_ne!(look(&[0, 2]), look(other), "{other:?}");
        }
    }

    #[test]
    fn what_was_rejected_is_refused_from_the_next_keep_lists_on() {
        let base = Program::new("a.rs", "fn f() {} fn f() {}");
        let items = enumerate(&Analysis::of(&Tree::new(&Source::parse(&*base.text))), named("delete-item")[0]);
        let (full, mut filter) = (KeepList::full(items.len()), RejectedBefore::default());
        let admits = |filter: &mut RejectedBefore, index: usize| {
            let keep = full.without(index..index + 1);
            filter.admits(&Proposal::new(&base, &base, &items, [&full, &keep]))
        };
        filter.begin(items.len());
        assert!(admits(&mut filter, 0) && filter.proposes(&base, &items[1]));
        filter.learn(false);
        assert!(admits(&mut filter, 1), "both are tried, as they look the same");
        assert!(!filter.proposes(&base, &items[1]));
        filter.begin(items.len());
        assert!(!admits(&mut filter, 1));
        let mut other = RejectedBefore::default();
        other.begin(items.len());
        assert!(admits(&mut other, 0));
        other.learn(true);
        other.begin(items.len());
        assert!(admits(&mut other, 0), "what failed was not rejected");
    }
}
