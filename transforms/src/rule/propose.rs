//! Proposals that several rules share: deleting the elements of a list, replacing an expression.

use std::ops::Range;

use super::proposals::Proposals;
use super::transform::Hint;
use crate::names::{Analysis, Variable};
use crate::syntax::token_groups::{self, Segment};
use crate::syntax::{Filler, FillerPart, List, Node, Place, surroundings};
use crate::text::Edit;

impl List {
    pub(crate) fn delete_each(&self, out: &mut Proposals<'_>) {
        for (index, element) in self.elements.iter().enumerate() {
            out.edit(element.clone(), self.without(index));
        }
    }

    /// Proposes to delete each element, the only one with all of `whole`.
    pub(crate) fn delete_each_or(&self, whole: Range<usize>, out: &mut Proposals<'_>) {
        for (index, element) in self.elements.iter().enumerate() {
            out.edit(element.clone(), self.without_or(index, whole.clone()));
        }
    }
}

impl Proposals<'_> {
    /// Proposes to keep only `kept` of `node`, in parentheses if it `falls_apart` without them.
    pub(crate) fn hoist(&mut self, node: Node<'_>, kept: Node<'_>, falls_apart: bool) {
        let (before, after) = if falls_apart { ("(", ")") } else { ("", "") };
        self.keep_between(node.range(), before, kept.range(), after);
    }

    pub(crate) fn delete_in(&mut self, site: Range<usize>, part: Range<usize>) {
        self.edit(site, vec![Edit::delete(part)]);
    }

    /// Proposes each of `sets` of edits, that which begins first in the source first.
    pub(crate) fn edit_each(&mut self, mut sets: Vec<Vec<Edit>>) {
        sets.sort_by_key(|edits| edits.first().map(|edit| edit.range.start));
        for edits in sets {
            let site = edits.first().map_or(0..0, |edit| edit.range.clone());
            self.edit(site, edits);
        }
    }

    /// Proposes to delete each [element](List::of) of `node`.
    pub(crate) fn delete_each(&mut self, node: Node<'_>) {
        List::of(node).iter().for_each(|list| list.delete_each(self));
    }
}

/// The rule that proposes to delete each [element](List::of) of the nodes that match a pattern.
macro_rules! elements {
    ($nodes:pat) => {
        $crate::rule::Rule::Node(|node, out| {
            if matches!(node.syntax(), $nodes) {
                out.delete_each(node);
            }
        })
    };
}
pub(crate) use elements;

/// The rule that proposes to delete a part of nodes, or all: a table of patterns, each with the bytes that go. A row may use
/// `?` where they are missing. The site is what goes, or with `of` the whole node.
macro_rules! parts {
    (of $node:ident, $($nodes:pat $(if $guard:expr)? => $part:expr),+) => {
        $crate::rule::Rule::Node(|$node, out| {
            let part = || Some(match $node.syntax() { $($nodes $(if $guard)? => $part,)+ _ => return None });
            part().into_iter().for_each(|part| out.delete_in($node.range(), part));
        })
    };
    ($node:ident, $($nodes:pat $(if $guard:expr)? => $part:expr),+) => {
        $crate::rule::Rule::Node(|$node, out| {
            let part = || Some(match $node.syntax() { $($nodes $(if $guard)? => $part,)+ _ => return None });
            part().filter(|part| !part.is_empty()).into_iter().for_each(|part| out.delete(part));
        })
    };
}
pub(crate) use parts;

/// Proposes to delete the elements of a list that `deletable` accepts, one by one; each takes the separator after it
/// along, the last one the separator before it. Then a separator after the last element.
pub(crate) fn delete_segments(
    segments: &[Segment<'_>],
    out: &mut Proposals<'_>,
    deletable: impl Fn(&Segment<'_>) -> bool,
) {
    let list = token_groups::list(segments);
    for (index, segment) in segments.iter().enumerate().filter(|(_, segment)| deletable(segment)) {
        out.edit(segment.range.clone(), list.without(index));
    }
    list.trailing().into_iter().for_each(|separator| out.delete(separator));
}

impl Place<'_> {
    /// Proposes to keep of the site only `kept`, an expression or block inside it.
    pub(crate) fn keep(&self, out: &mut Proposals<'_>, kept: Node<'_>) {
        if let Some((before, after)) = self.shell(kept) {
            out.keep_between(self.site(), &before, kept.range(), &after);
        }
    }

    /// Proposes `text` in place of the site.
    pub(crate) fn put(&self, out: &mut Proposals<'_>, filler: Filler<'_>, text: &str) {
        self.compose(out, filler, &[FillerPart::Text(text)]);
    }

    /// Proposes `parts`, which together form a `filler`, in place of the site.
    pub(crate) fn compose(&self, out: &mut Proposals<'_>, filler: Filler<'_>, parts: &[FillerPart<'_>]) {
        out.edit_any(self.site(), self.composed(filler, parts));
    }

    /// Proposes to keep of the site what `body` does: its statements where statements can stand, its only expression, or
    /// else the block itself. `body` is a block or an expression inside the site.
    pub(crate) fn inline(&self, out: &mut Proposals<'_>, body: Node<'_>) {
        let Some(block) = surroundings::block(body) else { return self.keep(out, body) };
        if self.is_statement() {
            return self.sequence(out, &[], body);
        }
        match surroundings::only_expression(block) {
            Some(expr) => self.keep(out, expr),
            None => self.keep(out, block),
        }
    }

    /// Proposes `parts` and then the statements of `body`: among the statements around the site, or in a block of their own.
    pub(crate) fn sequence(&self, out: &mut Proposals<'_>, parts: &[FillerPart<'_>], body: Node<'_>) {
        out.edit_any(self.site(), self.sequenced(parts, body));
    }
}

/// Proposes to delete each `let` of a variable with each of the sets of edits that `inlined` has for it.
pub(crate) fn inline_variables<I: IntoIterator<Item = Vec<Edit>>>(
    names: &Analysis<'_>,
    out: &mut Proposals<'_>,
    inlined: impl Fn(&Variable<'_>) -> I,
) {
    for variable in Variable::all(names) {
        let stmt = variable.stmt.range();
        let sets = inlined(&variable).into_iter();
        out.edit_any(stmt.clone(), sets.map(|edits| [vec![Edit::delete(stmt.clone())], edits].concat()));
    }
}

pub(crate) fn follow(hint: &Hint, out: &mut Proposals<'_>) {
    let mut edits = hint.edits.clone();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    // A suggestion may be wrong.
    let fits = edits.iter().all(|edit| out.source.text().get(edit.range.clone()).is_some());
    if fits && edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start) {
        out.edit(hint.site.clone(), edits);
    }
}
