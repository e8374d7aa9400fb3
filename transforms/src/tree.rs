//! A table of all syntax nodes of a [`Source`] in source order, with their bytes and their parents: what transforms look at.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;

use proc_macro2::TokenStream;
use syn::Item;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::extent::extent;
use crate::fragment::{self, Fragment, Place};
use crate::halt;
use crate::index::Index;
use crate::list::List;
use crate::source::Source;

/// Generates [`Syntax`] and the visitor that fills the table: a line a kind of node.
macro_rules! syntax {
    ($($variant:ident($type:ident) = $visit:ident;)*) => {
        /// A syn node, by reference.
        #[derive(Clone, Copy, Debug)]
        pub enum Syntax<'s> {
            $(
                #[doc = concat!("A [`syn::", stringify!($type), "`].")]
                $variant(&'s syn::$type),
            )*
            /// Tokens that syn could not parse: the inside of a macro call, an item of unknown syntax.
            Tokens(&'s TokenStream),
        }

        impl Syntax<'_> {
            /// The name of its kind: that of the variant.
            #[must_use]
            pub fn kind(self) -> &'static str {
                match self {
                    $(Self::$variant(_) => stringify!($variant),)*
                    Self::Tokens(_) => "Tokens",
                }
            }
        }

        impl<'s> Visit<'s> for Builder<'s> {
            $(
                fn $visit(&mut self, node: &'s syn::$type) {
                    let index = self.open(Syntax::$variant(node));
                    visit::$visit(self, node);
                    self.close(index, node);
                }
            )*

            fn visit_meta(&mut self, node: &'s syn::Meta) {
                // What syn makes of a doc comment is not in the text.
                if !self.source.text()[range(node.path())].starts_with('/') {
                    visit::visit_meta(self, node);
                }
            }

            fn visit_token_stream(&mut self, tokens: &'s TokenStream) {
                self.token_stream(tokens);
            }
        }
    };
}

syntax! {
    Abi(Abi) = visit_abi;
    Arm(Arm) = visit_arm;
    Attribute(Attribute) = visit_attribute;
    Block(Block) = visit_block;
    BoundLifetimes(BoundLifetimes) = visit_bound_lifetimes;
    Expr(Expr) = visit_expr;
    Field(Field) = visit_field;
    FieldPat(FieldPat) = visit_field_pat;
    FieldValue(FieldValue) = visit_field_value;
    FieldsNamed(FieldsNamed) = visit_fields_named;
    FieldsUnnamed(FieldsUnnamed) = visit_fields_unnamed;
    File(File) = visit_file;
    FnArg(FnArg) = visit_fn_arg;
    ForeignItem(ForeignItem) = visit_foreign_item;
    GenericArgument(GenericArgument) = visit_generic_argument;
    GenericParam(GenericParam) = visit_generic_param;
    Generics(Generics) = visit_generics;
    Ident(Ident) = visit_ident;
    ImplItem(ImplItem) = visit_impl_item;
    Item(Item) = visit_item;
    Label(Label) = visit_label;
    Lifetime(Lifetime) = visit_lifetime;
    Lit(Lit) = visit_lit;
    Local(Local) = visit_local;
    Macro(Macro) = visit_macro;
    NamedArg(NamedArg) = visit_named_arg;
    Pat(Pat) = visit_pat;
    Path(Path) = visit_path;
    PathArguments(PathArguments) = visit_path_arguments;
    PathSegment(PathSegment) = visit_path_segment;
    Receiver(Receiver) = visit_receiver;
    ReturnType(ReturnType) = visit_return_type;
    Signature(Signature) = visit_signature;
    Stmt(Stmt) = visit_stmt;
    TraitItem(TraitItem) = visit_trait_item;
    Type(Type) = visit_type;
    TypeParamBound(TypeParamBound) = visit_type_param_bound;
    UseTree(UseTree) = visit_use_tree;
    Variant(Variant) = visit_variant;
    Visibility(Visibility) = visit_visibility;
    WhereClause(WhereClause) = visit_where_clause;
    WherePredicate(WherePredicate) = visit_where_predicate;
}

/// A row of the table.
struct Entry<'s> {
    syntax: Syntax<'s>,
    range: Range<usize>,
    parent: Option<usize>,
    /// One past the last descendant: the descendants of row `i` are the rows `i + 1..end`.
    end: usize,
}

/// The table of nodes of one source. Nodes without tokens (an absent return type, inherited visibility) have no row.
pub struct Tree<'s> {
    source: &'s Source,
    entries: Vec<Entry<'s>>,
    /// Where the names are, once they were asked for.
    index: OnceCell<Index>,
    /// The lists that were asked for.
    lists: RefCell<HashMap<ListKey, List>>,
}

/// What tells a list: where it begins and ends, how many elements it has, whether a separator follows the last one.
pub(crate) type ListKey = (usize, usize, usize, bool);

impl<'s> Tree<'s> {
    /// Builds the table. Linear in the text but for expressions nested in each other, whose tokens are walked once a level.
    #[must_use]
    pub fn new(source: &'s Source) -> Self {
        let mut builder = Builder { source, entries: Vec::new(), open: Vec::new(), streams: Vec::new(), last_end: 0 };
        if let Some(file) = source.file() {
            builder.visit_file(file);
        }
        Self { source, entries: builder.entries, index: OnceCell::new(), lists: RefCell::default() }
    }

    /// The source that the table is of.
    #[must_use]
    pub fn source(&self) -> &'s Source {
        self.source
    }

    /// All nodes in source order, a parent before its children.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.entries.len()).inspect(|_| halt::step()).map(|index| Node { tree: self, index })
    }

    /// The node of row `row`.
    pub(crate) fn node(&self, row: usize) -> Node<'_> {
        Node { tree: self, index: row }
    }

    /// Where the names are.
    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self))
    }

    /// The list that `key` tells, which `read` reads if it was not asked for before.
    pub(crate) fn list(&self, key: ListKey, read: impl FnOnce() -> List) -> List {
        let known = self.lists.borrow().get(&key).cloned();
        known.unwrap_or_else(|| {
            let list = read();
            self.lists.borrow_mut().insert(key, list.clone());
            list
        })
    }

    /// The bytes of what syn does not know: bare tokens outside of macro calls. What is proposed there need not parse.
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

    /// Its row in the table.
    pub(crate) fn row(self) -> usize {
        self.index
    }

    /// What it is.
    #[must_use]
    pub fn syntax(self) -> Syntax<'t> {
        self.entry().syntax
    }

    /// Its bytes, attributes and documentation included.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.entry().range.clone()
    }

    /// Its text.
    #[must_use]
    pub fn text(self) -> &'t str {
        &self.tree.source.text()[self.range()]
    }

    /// The text at `range` of the same source.
    #[must_use]
    pub fn text_at(self, range: Range<usize>) -> &'t str {
        &self.tree.source.text()[range]
    }

    /// The text of the whole source.
    #[must_use]
    pub fn source_text(self) -> &'t str {
        self.tree.source.text()
    }

    /// The node around it.
    #[must_use]
    pub fn parent(self) -> Option<Node<'t>> {
        Some(Node { tree: self.tree, index: self.entry().parent? })
    }

    /// The nodes around it, nearest first.
    pub fn ancestors(self) -> impl Iterator<Item = Node<'t>> {
        std::iter::successors(self.parent(), |node| node.parent()).inspect(|_| halt::step())
    }

    /// The inline module around it, none at the root of the file.
    #[must_use]
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
    #[must_use]
    pub fn is_last(self) -> bool {
        self.parent().is_none_or(|parent| self.entry().end == parent.entry().end)
    }

    /// The tree it belongs to.
    #[must_use]
    pub fn tree(self) -> &'t Tree<'t> {
        self.tree
    }
}

/// The bytes of any piece of syntax, `0..0` where it has no tokens.
#[must_use]
pub fn range(syntax: &impl Spanned) -> Range<usize> {
    syntax.span().byte_range()
}

struct Builder<'s> {
    source: &'s Source,
    entries: Vec<Entry<'s>>,
    open: Vec<usize>,
    /// The places of the token streams at work: a verbatim node can be all there is of the stream around it.
    streams: Vec<Place>,
    /// Where the node closed last ends.
    last_end: usize,
}

impl<'s> Builder<'s> {
    fn open(&mut self, syntax: Syntax<'s>) -> usize {
        halt::step();
        let index = self.entries.len();
        self.entries.push(Entry { syntax, range: 0..0, parent: self.open.last().copied(), end: 0 });
        self.open.push(index);
        index
    }

    fn close(&mut self, index: usize, node: &impl Spanned) {
        let range = self.extent(index).unwrap_or_else(|| range(node));
        self.close_at(index, range);
    }

    /// The bytes of the node at `index`, whose parts have theirs; none where syn has to be asked.
    fn extent(&self, index: usize) -> Option<Range<usize>> {
        let first = self.entries.get(index + 1).map(|entry| entry.range.start);
        extent(self.entries[index].syntax, first, self.last_end)
    }

    fn close_at(&mut self, index: usize, range: Range<usize>) {
        self.open.pop();
        if range.is_empty() && !matches!(self.entries[index].syntax, Syntax::File(_)) {
            self.remove(index);
            return;
        }
        self.last_end = range.end;
        self.entries[index].range = range;
        self.entries[index].end = self.entries.len();
    }

    /// Takes a row without tokens out. It can have descendants: a where clause belongs to generics that are not written.
    fn remove(&mut self, index: usize) {
        let parent = self.entries.remove(index).parent;
        for entry in &mut self.entries[index..] {
            entry.end -= 1;
            entry.parent =
                entry.parent.and_then(|row| if row == index { parent } else { Some(row - usize::from(row > index)) });
        }
    }

    fn token_stream(&mut self, tokens: &'s TokenStream) {
        // The arguments of attributes belong to the attribute.
        if self.open.last().is_some_and(|&index| matches!(self.entries[index].syntax, Syntax::Attribute(_))) {
            return;
        }
        // A type that syn does not know may read like a value.
        let is_type = self.open.last().is_some_and(|&index| matches!(self.entries[index].syntax, Syntax::Type(_)));
        if let Some(place) = fragment::place(tokens) {
            if is_type {
                let index = self.open(Syntax::Tokens(tokens));
                self.close(index, tokens);
            } else if self.streams.contains(&place) {
                self.bare(tokens);
            } else {
                self.fragment(place);
            }
        }
    }

    /// What was parsed of the token stream at `place`.
    fn fragment(&mut self, place: Place) {
        let Some(fragment) = self.source.fragment(place) else { return };
        self.streams.push(place);
        match fragment {
            Fragment::Exprs(exprs) => exprs.iter().for_each(|expr| self.visit_expr(expr)),
            Fragment::Stmts(stmts) => stmts.iter().for_each(|stmt| self.visit_stmt(stmt)),
            Fragment::Items(items) => items.iter().for_each(|item| self.visit_item(item)),
            Fragment::Repeat(pair) => {
                self.visit_expr(&pair.0);
                self.visit_expr(&pair.1);
            }
            Fragment::Tokens(tokens) => self.bare(tokens),
        }
        self.streams.pop();
    }

    /// Tokens that could not be parsed, and what could be parsed of the groups among them.
    fn bare(&mut self, tokens: &'s TokenStream) {
        let index = self.open(Syntax::Tokens(tokens));
        for group in fragment::groups(tokens) {
            // The tokens that stand for a doc comment are all in one place.
            if let Some(place) = fragment::place(&group.stream()).filter(|place| !self.streams.contains(place)) {
                self.fragment(place);
            }
        }
        self.close(index, tokens);
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
