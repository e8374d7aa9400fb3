//! Variables that format strings name.

use std::collections::HashMap;
use std::ops::Range;

use crate::syntax::{Regions, Syntax, Tree};
use crate::text::format;
use crate::text::lex::Kind;

/// Where format strings in macro calls and attributes name variables.
pub(crate) struct Captured<'t> {
    text: &'t str,
    /// In source order.
    all: Vec<Range<usize>>,
    named: HashMap<&'t str, Vec<Range<usize>>>,
}

impl<'t> Captured<'t> {
    pub(crate) fn of(tree: &'t Tree<'_>) -> Self {
        let text = tree.source().text();
        let around = Regions::of(tree, |node| matches!(node.syntax(), Syntax::Macro(_) | Syntax::Attribute(_)));
        let (mut all, mut named) = (Vec::new(), HashMap::<&str, Vec<_>>::new());
        for token in tree.source().tokens().iter().filter(|token| around.contain(token.range.start)) {
            let literal = &text[token.range.clone()];
            let is_string = literal.starts_with(['"', 'r', 'b', 'c']) && literal.ends_with(['"', '#']);
            if token.kind == Kind::Code && is_string {
                for name in format::placeholders(literal).into_iter().flat_map(|placeholder| placeholder.names) {
                    let range = token.range.start + name.start..token.range.start + name.end;
                    named.entry(&text[range.clone()]).or_default().push(range.clone());
                    all.push(range);
                }
            }
        }
        Self { text, all, named }
    }

    /// Where `name` is, in source order.
    pub(crate) fn named(&self, name: &str) -> &[Range<usize>] {
        self.named.get(name).map_or(&[], Vec::as_slice)
    }

    /// The names inside of `scope`, in source order.
    pub(crate) fn within(&self, scope: Range<usize>) -> impl Iterator<Item = &'t str> {
        let first = self.all.partition_point(|range| range.start < scope.start);
        let inside = self.all[first..].iter().take_while(move |range| range.start < scope.end);
        inside.map(|range| &self.text[range.clone()])
    }
}
