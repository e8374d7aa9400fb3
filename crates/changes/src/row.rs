//! A syntax node as a row of parts, and the alignment of two rows.

use std::mem::{Discriminant, discriminant};
use std::ops::Range;

use mcve_transforms::{Node, Source, Syntax};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The number of leading tokens that identify a node with changes inside: `pub fn name`, `let name =`.
const HEAD: usize = 3;

/// A node or a token.
#[derive(Clone)]
pub(super) struct Element<'t> {
    /// Its bytes.
    pub(super) range: Range<usize>,
    pub(super) text: &'t str,
    /// The node; none for a token.
    pub(super) node: Option<Node<'t>>,
}

/// The key that matches unequal parts: the first tokens, and the kind of the node.
type Head<'t> = (Option<Discriminant<Syntax<'t>>>, Vec<&'t str>);

impl<'t> Element<'t> {
    pub(super) fn kind(&self) -> Option<Discriminant<Syntax<'t>>> {
        self.node.map(|node| discriminant(&node.syntax()))
    }

    fn head(&self) -> Head<'t> {
        let Some(node) = self.node else { return (None, vec![self.text]) };
        let text = |token: Range<usize>| &self.text[token.start - self.range.start..token.end - self.range.start];
        (self.kind(), tokens(node.tree().source(), &self.range).take(HEAD).map(text).collect())
    }

    /// Whether it separates elements of a list.
    fn separates(&self) -> bool {
        self.node.is_none() && matches!(self.text, "," | ";")
    }
}

/// The tokens in `range`, including documentation.
fn tokens<'s>(source: &'s Source, range: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<'s> {
    let (all, end) = (source.tokens(), range.end);
    let first = all.partition_point(|token| token.range.start < range.start);
    let inside = all[first..].iter().take_while(move |token| token.range.start < end);
    inside.filter(|token| token.kind != mcve_transforms::Kind::Comment).map(|token| token.range.clone())
}

/// The row of a node with this `range`.
pub(super) fn parts<'t>(node: Option<Node<'t>>, source: &'t Source, range: Range<usize>) -> Vec<Element<'t>> {
    let mut children: Vec<Node<'t>> = node.map(|node| node.children().collect()).unwrap_or_default();
    // syn does not visit all children in the order of the text, and some are nested.
    children.sort_by_key(|child| (child.range().start, std::cmp::Reverse(child.range().end)));
    let mut end = range.start;
    children.retain(|child| {
        let stays = child.range().start >= end && child.range().end <= range.end;
        end = if stays { child.range().end } else { end };
        stays
    });
    let part = |range: Range<usize>, node| Element { text: &source.text()[range.clone()], range, node };
    let is_bare = |token: &Range<usize>| {
        let before = children.partition_point(|child| child.range().start <= token.start);
        before == 0 || children[before - 1].range().end <= token.start
    };
    let bare = tokens(source, &range).filter(is_bare).map(|range| part(range, None));
    let mut parts: Vec<Element<'t>> =
        bare.chain(children.iter().map(|&child| part(child.range(), Some(child)))).collect();
    parts.sort_by_key(|part| part.range.start);
    parts
}

/// A step of the alignment of two rows.
pub(super) enum Step {
    /// Two parts that are equal or have to be compared.
    Both(usize, usize),
    /// Old parts that are removed together.
    Goes(Range<usize>),
    /// New parts that are added together.
    Comes(Range<usize>),
}

/// Aligns two rows by equal parts, between these by heads, and between these in pairs if there are equally many.
pub(super) fn steps(rows: &[Vec<Element<'_>>; 2]) -> Vec<Step> {
    let texts = [&rows[0], &rows[1]].map(|row| row.iter().map(|part| part.text).collect::<Vec<_>>());
    let heads = [&rows[0], &rows[1]].map(|row| row.iter().map(Element::head).collect::<Vec<_>>());
    let mut steps = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &texts[0], &texts[1]) {
        let (old, new) = (op.old_range(), op.new_range());
        if matches!(op, DiffOp::Equal { .. }) {
            steps.extend(old.zip(new).map(|(from, to)| Step::Both(from, to)));
            continue;
        }
        let is_node = |row: usize, at: usize| rows[row][at].node.is_some();
        for op in capture_diff_slices(Algorithm::Myers, &heads[0][old.clone()], &heads[1][new.clone()]) {
            let from = old.start + op.old_range().start..old.start + op.old_range().end;
            let to = new.start + op.new_range().start..new.start + op.new_range().end;
            let kinds_agree = from.clone().zip(to.clone()).all(|(from, to)| rows[0][from].kind() == rows[1][to].kind());
            if from.len() == to.len() && kinds_agree && (from.len() == 1 || from.clone().all(|at| is_node(0, at))) {
                steps.extend(from.zip(to).map(|(from, to)| Step::Both(from, to)));
            } else {
                steps.extend(elements(&rows[0], from).into_iter().map(Step::Goes));
                steps.extend(elements(&rows[1], to).into_iter().map(Step::Comes));
            }
        }
    }
    steps
}

/// Splits a run of parts into list elements: after separators, and between nodes without separators.
fn elements(row: &[Element<'_>], run: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = run.start;
    for at in run.clone() {
        let part = &row[at];
        let next = row.get(at + 1).filter(|_| at + 1 < run.end);
        let are_nodes = part.node.is_some() && next.is_some_and(|next| next.node.is_some());
        if part.separates() || are_nodes || next.is_none() {
            found.push(start..at + 1);
            start = at + 1;
        }
    }
    found
}
