//! The bytes of a tree that nodes of some kind hold, such as attributes.

use std::cmp::Reverse;
use std::ops::Range;

use syn::{BinOp, Expr};

use super::tree::{Node, Syntax, Tree, range};

/// The bytes of some nodes: sorted, none in another.
pub struct Regions(Vec<Range<usize>>);

impl Regions {
    pub(crate) fn of(tree: &Tree<'_>, is_one: impl Fn(Node<'_>) -> bool) -> Self {
        let mut ranges: Vec<Range<usize>> = tree.nodes().filter(|node| is_one(*node)).map(Node::range).collect();
        ranges.sort_by_key(|range| (range.start, Reverse(range.end)));
        let mut end = 0;
        ranges.retain(|range| {
            let is_outer = range.end > end;
            end = end.max(range.end);
            is_outer
        });
        Self(ranges)
    }

    /// The code that may not run although the block around it does: closures, operands after `&&` and `||`, macro calls.
    pub fn skippable(tree: &Tree<'_>) -> Self {
        Self::of(tree, |node| {
            let is_right = |outer: Node<'_>| match outer.syntax() {
                Syntax::Expr(Expr::Binary(binary)) => {
                    matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) && range(&*binary.right) == node.range()
                }
                _ => false,
            };
            matches!(node.syntax(), Syntax::Expr(Expr::Closure(_)) | Syntax::Macro(_))
                || node.parent().is_some_and(is_right)
        })
    }

    /// Whether one of them contains `byte`.
    pub fn contain(&self, byte: usize) -> bool {
        let before = self.0.partition_point(|range| range.start <= byte);
        before > 0 && self.0[before - 1].contains(&byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;

    #[test]
    fn what_may_be_left_out() {
        let text = "fn f() { a(b, |c| d) && e; g!(h); i || j }";
        let source = Source::parse(text);
        let skippable = Regions::skippable(&Tree::new(&source));
        let inside = |name: char| skippable.contain(text[9..].find(name).expect("it is there") + 9);
        assert!(['d', 'e', 'h', 'j'].into_iter().all(inside));
        assert!(!['a', 'b', 'i'].into_iter().any(inside));
    }
}
