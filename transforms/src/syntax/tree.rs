//! A table of all syntax nodes of a [`Source`] in source order, with their bytes and their parents. Transforms read it.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;

use syn::Item;

pub use super::kind::{Syntax, range};
use super::list::List;
use super::source::Source;
use super::table::{Entry, table};
use crate::halt;

/// The table of nodes of one source. Nodes without tokens (an absent return type, inherited visibility) have no row.
pub struct Tree<'s> {
    source: &'s Source,
    entries: Vec<Entry<'s>>,
    /// The index of names, once it was needed.
    pub(super) index: OnceCell<Index>,
    lists: RefCell<HashMap<ListKey, List>>,
}

/// The places of each identifier and lifetime, also inside macro calls and attributes.
type Index = HashMap<String, Vec<WordPlace>>;

pub(super) struct WordPlace {
    pub(super) range: Range<usize>,
    /// The row of its node, where syn parsed it.
    pub(super) row: Option<usize>,
}

/// The key of a list: its start and end, its number of elements, whether a separator follows the last one.
pub(crate) type ListKey = (usize, usize, usize, bool);

impl<'s> Tree<'s> {
    /// Builds the table. Linear in the text but for expressions nested in each other, whose tokens are walked once a level.
    pub fn new(source: &'s Source) -> Self {
        Self { source, entries: table(source), index: OnceCell::new(), lists: RefCell::default() }
    }

    /// The source that the table is of.
    pub fn source(&self) -> &'s Source {
        self.source
    }

    /// All nodes in source order, a parent before its children.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.entries.len()).inspect(|_| halt::step()).map(|index| Node { tree: self, index })
    }

    pub(crate) fn node(&self, row: usize) -> Node<'_> {
        Node { tree: self, index: row }
    }

    /// The list with the key `key`; `read` reads it the first time.
    pub(crate) fn list(&self, key: ListKey, read: impl FnOnce() -> List) -> List {
        let known = self.lists.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let list = read();
            self.lists.borrow_mut().insert(key, list.clone());
            list
        })
    }

    /// The bytes of syntax that syn does not know: bare tokens outside of macro calls. Proposals there need not parse.
    pub fn unknown(&self) -> impl Iterator<Item = Range<usize>> {
        let mut macros = 0;
        let mut unknown = 0;
        self.nodes().filter_map(move |node| {
            let range = node.range();
            match node.syntax() {
                Syntax::Macro(_) => macros = range.end.max(macros),
                // A type alone, which syn takes for a parameter only if it is a name with arguments.
                Syntax::FnArg(syn::FnArg::Typed(arg)) if is_bare_type(node, arg) => return Some(range),
                Syntax::Tokens(_) if macros <= range.start && unknown <= range.start => {
                    unknown = range.end;
                    return Some(range);
                }
                _ => {}
            }
            None
        })
    }
}

/// Whether a parameter is a type without a pattern, as in Rust 2015.
fn is_bare_type(node: Node<'_>, arg: &syn::PatType) -> bool {
    matches!(*arg.pat, syn::Pat::Wild(_)) && node.text_at(range(&*arg.pat)) != "_"
}

/// A node of the tree: a place in the table.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Tree<'t>,
    index: usize,
}

impl<'t> Node<'t> {
    fn entry(self) -> &'t Entry<'t> {
        &self.tree.entries[self.index]
    }

    pub(crate) fn row(self) -> usize {
        self.index
    }

    /// Its syntax.
    pub fn syntax(self) -> Syntax<'t> {
        self.entry().syntax
    }

    /// Its bytes, attributes and documentation included.
    pub fn range(self) -> Range<usize> {
        self.entry().range.clone()
    }

    /// Its text.
    pub fn text(self) -> &'t str {
        &self.tree.source.text()[self.range()]
    }

    /// The text at `range` of the same source.
    pub fn text_at(self, range: Range<usize>) -> &'t str {
        &self.tree.source.text()[range]
    }

    /// The text of the whole source.
    pub fn source_text(self) -> &'t str {
        self.tree.source.text()
    }

    /// The node around it.
    pub fn parent(self) -> Option<Node<'t>> {
        Some(Node { tree: self.tree, index: self.entry().parent? })
    }

    /// The nodes around it, nearest first.
    pub fn ancestors(self) -> impl Iterator<Item = Node<'t>> {
        std::iter::successors(self.parent(), |node| node.parent()).inspect(|_| halt::step())
    }

    /// The inline module around it, none at the root of the file.
    pub fn module(self) -> Option<Node<'t>> {
        self.ancestors().find(|node| matches!(node.syntax(), Syntax::Item(Item::Mod(_))))
    }

    /// The nodes inside it, in source order, a parent before its children.
    pub fn descendants(self) -> impl Iterator<Item = Node<'t>> {
        (self.index + 1..self.entry().end).inspect(|_| halt::step()).map(move |index| Node { tree: self.tree, index })
    }

    /// The nodes directly inside it, in source order.
    pub fn children(self) -> impl Iterator<Item = Node<'t>> {
        let first = (self.index + 1 < self.entry().end).then_some(Node { tree: self.tree, index: self.index + 1 });
        let end = self.entry().end;
        std::iter::successors(first, move |node| {
            let next = node.entry().end;
            (next < end).then_some(Node { tree: self.tree, index: next })
        })
        .inspect(|_| halt::step())
    }

    /// Whether nothing follows it in the node around it but closing tokens.
    pub fn is_last(self) -> bool {
        self.parent().is_none_or(|parent| self.entry().end == parent.entry().end)
    }

    /// The tree it belongs to.
    pub fn tree(self) -> &'t Tree<'t> {
        self.tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the texts of the bare tokens of `text`.
    #[track_caller]
    fn check_tokens(text: &str, expected: &[&str]) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let found: Vec<&str> =
            tree.nodes().filter(|node| matches!(node.syntax(), Syntax::Tokens(_))).map(|node| node.text()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_no_syntax_is_bare_tokens() {
        check_tokens("m!(a => b, (c =>));", &["a => b, (c =>)", "c =>"]);
        check_tokens("macro m($x:ident) { fn f() {} }", &["macro m($x:ident) { fn f() {} }", "$x:ident"]);
        check_tokens("m! { macro m() { a => } }", &["macro m() { a => }", "a =>"]);
        check_tokens("m! { fn 1() {} fn f() {} }", &["fn 1() {}"]);
        check_tokens("m! { /// a\n }", &["/// a"]);
        check_tokens("m! { { /** a */ } => b }", &["{ /** a */ } => b", "/** a */"]);
    }

    #[test]
    fn tokens_outside_of_macros_are_unknown() {
        let text = "m!(a =>); macro n() { (a =>) m!(b =>) } fn f() {}";
        let source = Source::parse(text);
        let found: Vec<&str> = Tree::new(&source).unknown().map(|range| &text[range]).collect();
        assert_eq!(found, ["macro n() { (a =>) m!(b =>) }"]);
    }

    #[test]
    fn types_that_syn_does_not_know_are_no_values() {
        check_tokens("type A = unsafe<> (B, C);", &["unsafe<> (B, C)"]);
        let source = Source::parse("type A = unsafe<> (B, C);");
        assert!(!Tree::new(&source).nodes().any(|node| matches!(node.syntax(), Syntax::Expr(_))));
    }

    #[test]
    fn syntax_has_no_bare_tokens() {
        check_tokens(
            "/// a
fn f() { m!(a, b); n![0; 1]; }",
            &[],
        );
    }

    #[test]
    fn a_where_clause_without_generics_is_a_node() {
        let source = Source::parse("impl S where u8: A { fn f(self) where Self: B {} }");
        let tree = Tree::new(&source);
        let clauses = tree.nodes().filter(|node| matches!(node.syntax(), Syntax::WhereClause(_)));
        assert_eq!(clauses.map(Node::text).collect::<Vec<_>>(), ["where u8: A", "where Self: B"]);
        assert_eq!(tree.nodes().filter(|node| matches!(node.syntax(), Syntax::Generics(_))).count(), 0);
    }

    #[test]
    fn parents_and_children_mirror_each_other() {
        let source = Source::parse("fn f() where u8: A<B> { m!(a + b, { c }); }");
        let tree = Tree::new(&source);
        for node in tree.nodes() {
            for child in node.children() {
                assert_eq!(child.parent().map(|parent| parent.index), Some(node.index));
            }
        }
        assert!(tree.nodes().any(|node| node.text() == "b"), "the inside of a macro call is parsed");
    }
}
