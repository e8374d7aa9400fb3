//! What was tried and did not help: sets of reductions, often of a single one. Where what they change looks the same they are
//! not tried again before the proof: of 700 single ones that were, 16 helped.

use std::collections::HashSet;
use std::iter::Sum;

use mcve_transforms::{Edit, Reduction};
use xxhash_rust::xxh3::xxh3_128;

/// The sets of reductions that did not help, by hashes of what they change.
#[derive(Clone, Default)]
pub(super) struct Tried {
    hashes: HashSet<u128>,
}

/// A set of reductions by how what they change looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Look(u128);

impl Look {
    /// Of one reduction of `text`.
    pub(super) fn of(text: &str, reduction: &Reduction) -> Self {
        Self(hash(text, reduction))
    }
}

/// Of a union of sets that have nothing in common.
impl Sum for Look {
    fn sum<I: Iterator<Item = Self>>(looks: I) -> Self {
        Self(looks.fold(0, |sum, look| sum.wrapping_add(look.0)))
    }
}

impl Tried {
    /// Whether it was tried in vain.
    pub(super) fn knows(&self, look: Look) -> bool {
        self.hashes.contains(&look.0)
    }

    /// Remembers that it did not help.
    pub(super) fn remember(&mut self, look: Look) {
        self.hashes.insert(look.0);
    }
}

fn hash(text: &str, reduction: &Reduction) -> u128 {
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

/// What is longer than this is not looked through for a body.
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
            Look::of(text, &enumerate(&Analysis::of(&Tree::new(&Source::parse(text))), named(transform)[0])[index])
        };
        let mut tried = Tried::default();
        tried.remember(look(before, 0));
        assert_eq!(tried.knows(look(after, index)), expected, "{before:?}, {after:?}");
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
        let mut tried = Tried::default();
        let look = |indices: &[usize]| indices.iter().map(|&index| Look::of(text, &items[index])).sum();
        tried.remember(look(&[0, 2]));
        assert!(tried.knows(look(&[2, 0])));
        for other in [&[0][..], &[2], &[0, 1], &[0, 1, 2]] {
            assert!(!tried.knows(look(other)), "{other:?}");
        }
    }
}
