//! Calls of the macros that a file defines: where they stand, and what stands there once they are expanded.

use std::ops::Range;

use syn::parse::Parser;
use syn::{Block, Expr, ImplItem, Item, Macro, Pat, ReturnType, Stmt, TraitItem, Type};

use crate::edit::{Edit, edited};
use crate::lex;
use crate::matcher::{Matcher, Mismatch};
use crate::parts;
use crate::pieces::{Contents, segments};
use crate::placement::{Filler, Part, Place};
use crate::rules::{matcher_and_transcriber, rules_of};
use crate::shape;
use crate::source::{MAX_DEPTH, Source, Understanding};
use crate::transcriber::transcribe;
use crate::tree::{Node, Syntax, Tree, range};

/// No expansion is longer, in tokens.
const LONGEST: usize = 2_000;

/// How often the calls in an expansion of a macro are expanded again.
const ROUNDS: usize = 40;

/// A `macro_rules!` of the file.
pub(crate) struct Definition<'t> {
    /// Its name.
    pub(crate) name: String,
    /// The bytes of the item.
    pub(crate) range: Range<usize>,
    text: &'t str,
    rules: Vec<(Option<Matcher>, Contents)>,
}

impl<'t> Definition<'t> {
    /// The definition that `node` is.
    pub(crate) fn of(node: Node<'t>) -> Option<Self> {
        let Syntax::Item(Item::Macro(item)) = node.syntax() else { return None };
        let name = item.ident.as_ref()?.to_string();
        let text = node.source_text();
        let pieces = rules_of(text, &item.mac)?;
        let rule = |rule| {
            let (matcher, transcriber) = matcher_and_transcriber(text, rule)?;
            let transcriber = Contents { range: transcriber.range.clone(), stream: transcriber.stream.clone() };
            Some((Matcher::of(text, matcher), transcriber))
        };
        let rules = segments(text, &pieces, ";").iter().map(rule).collect::<Option<Vec<_>>>()?;
        Some(Self { name, range: node.range(), text, rules })
    }

    /// What the first rule that matches makes of a call; nothing if that cannot be said.
    fn expand(&self, text: &str, call: &Macro) -> Option<String> {
        for (matcher, transcriber) in &self.rules {
            match matcher.as_ref()?.bindings(text, &call.tokens) {
                Ok(bindings) => {
                    let expansion = transcribe(self.text, transcriber, &bindings)?;
                    return Some(expansion)
                        .filter(|expansion| lex::count(expansion) <= LONGEST && lex::depth(expansion) <= MAX_DEPTH);
                }
                Err(Mismatch::Differs) => {}
                Err(Mismatch::Unknown) => return None,
            }
        }
        None
    }

    /// Whether `node` is a call of this macro.
    pub(crate) fn is_called_at(&self, node: Node<'_>) -> bool {
        let Syntax::Macro(mac) = node.syntax() else { return false };
        mac.path.segments.last().is_some_and(|segment| segment.ident == self.name)
    }

    /// The calls outside its own rules, but for those in other calls.
    pub(crate) fn calls<'n>(&self, tree: &'n Tree<'_>, own: &Range<usize>) -> Vec<Node<'n>> {
        let mut end = 0;
        let mut calls: Vec<Node<'n>> = tree.nodes().filter(|node| self.is_called_at(*node)).collect();
        calls.retain(|call| {
            let site = call.range();
            let outermost = site.start >= end && !(own.start <= site.start && site.end <= own.end);
            if outermost {
                end = site.end;
            }
            outermost
        });
        calls
    }

    /// What replaces `call`, with the bytes that it replaces: one step of the expansion.
    pub(crate) fn step(&self, call: Node<'_>) -> Option<Expanded> {
        let form = Form::of(call)?;
        form.placed(call, &self.expand_at(call)?)
    }

    /// As [`step`](Self::step), with the calls of the macro in its expansion expanded as well.
    pub(crate) fn complete(&self, call: Node<'_>) -> Option<Expanded> {
        let form = Form::of(call)?;
        let mut text = self.expand_at(call)?;
        for _ in 0..ROUNDS {
            if !self.is_called_in(&text) {
                return form.placed(call, &text);
            }
            text = self.expand_inside(form, &text)?;
        }
        None
    }

    fn expand_at(&self, call: Node<'_>) -> Option<String> {
        let Syntax::Macro(mac) = call.syntax() else { return None };
        // The metavariables of another macro stand for what nobody knows.
        if is_in_rules(call) && call.text().contains('$') {
            return None;
        }
        self.expand(call.source_text(), mac)
    }

    /// `text`, an expansion, with the calls in it expanded.
    fn expand_inside(&self, form: Form, text: &str) -> Option<String> {
        let (before, after) = form.frame()?;
        let source = Source::parse(format!("{before}{text}{after}"));
        if source.understanding() != Understanding::Full {
            return None;
        }
        let tree = Tree::new(&source);
        let mut edits = Vec::new();
        for call in self.calls(&tree, &(0..0)) {
            edits.extend(self.step(call)?.edits);
        }
        if edits.is_empty() {
            return None;
        }
        let framed = edited(source.text(), 0..source.text().len(), &edits);
        let text = framed.get(before.len()..framed.len().checked_sub(after.len())?)?.to_owned();
        Some(text).filter(|text| lex::count(text) <= LONGEST)
    }

    /// Whether the macro is called among the tokens of `text`.
    fn is_called_in(&self, text: &str) -> bool {
        let tokens = lex::tokens(text);
        tokens.windows(2).any(|pair| text[pair[0].range.clone()] == self.name && &text[pair[1].range.clone()] == "!")
    }
}

/// Whether `node` stands in the rules of a macro.
fn is_in_rules(node: Node<'_>) -> bool {
    node.ancestors().any(|node| matches!(node.syntax(), Syntax::Macro(mac) if mac.path.is_ident("macro_rules")))
}

/// What a call becomes.
pub(crate) struct Expanded {
    /// The bytes that are replaced.
    pub(crate) site: Range<usize>,
    /// By what.
    pub(crate) edits: Vec<Edit>,
}

impl Expanded {
    fn replace(site: Range<usize>, text: &str) -> Self {
        Self { edits: vec![Edit::replace(site.clone(), text)], site }
    }
}

/// What kind of syntax a call stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Items,
    ImplItems,
    TraitItems,
    ForeignItems,
    Stmts,
    Expr,
    Type,
    Pat,
}

impl Form {
    /// What `call` stands for; nothing if it has attributes, which belong to nothing once it is expanded.
    fn of(call: Node<'_>) -> Option<Self> {
        let (form, attrs) = match call.parent()?.syntax() {
            Syntax::Item(Item::Macro(item)) if item.ident.is_none() => (Self::Items, &item.attrs[..]),
            Syntax::ImplItem(ImplItem::Macro(item)) => (Self::ImplItems, &item.attrs[..]),
            Syntax::TraitItem(TraitItem::Macro(item)) => (Self::TraitItems, &item.attrs[..]),
            Syntax::ForeignItem(syn::ForeignItem::Macro(item)) => (Self::ForeignItems, &item.attrs[..]),
            Syntax::Stmt(Stmt::Macro(stmt)) => (Self::Stmts, &stmt.attrs[..]),
            Syntax::Expr(Expr::Macro(expr)) => (Self::Expr, &expr.attrs[..]),
            Syntax::Type(Type::Macro(_)) => (Self::Type, &[][..]),
            Syntax::Pat(Pat::Macro(pat)) => (Self::Pat, &pat.attrs[..]),
            _ => return None,
        };
        attrs.is_empty().then_some(form)
    }

    /// What to put before and after such syntax to make a file of it; nothing can be an inner attribute there.
    fn frame(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Self::Items => ("struct S;\n", ""),
            Self::ImplItems => ("impl S { type A = B;\n", "}"),
            Self::TraitItems => ("trait S { type A;\n", "}"),
            Self::ForeignItems => ("extern { type A;\n", "}"),
            Self::Stmts => ("fn f() { struct S;\n", "}"),
            Self::Expr => ("const A: B = ", ";"),
            Self::Type => ("type A = ", ";"),
            Self::Pat => ("fn f() { match a { ", " => {} } }"),
        })
    }

    /// What `text` is in place of `call`; nothing if it does not parse there.
    fn placed(self, call: Node<'_>, text: &str) -> Option<Expanded> {
        let node = call.parent()?;
        let site = node.range();
        let is_inside = call.ancestors().any(|node| matches!(node.syntax(), Syntax::Macro(_)));
        let placed = match self {
            Self::Items | Self::ImplItems | Self::TraitItems | Self::ForeignItems => {
                let (before, after) = self.frame()?;
                Source::is_valid(&format!("{before}{text}{after}")).then(|| Expanded::replace(site, text))
            }
            Self::Stmts => stmts(node, text),
            Self::Expr => expr(node, text),
            Self::Type => ty(node, text),
            Self::Pat => pat(node, text),
        };
        // Among the tokens of a macro, anything can stand.
        placed.or_else(|| is_inside.then(|| Expanded::replace(call.range(), text)))
    }
}

/// Statements in place of the statement `node`.
fn stmts(node: Node<'_>, text: &str) -> Option<Expanded> {
    let Syntax::Stmt(Stmt::Macro(stmt)) = node.syntax() else { return None };
    let parsed = Block::parse_within.parse_str(text).ok()?;
    let open = match parsed.last() {
        Some(Stmt::Expr(expr, None)) => stmt.semi_token.is_some() || !node.is_last() && !shape::is_block_like(expr),
        Some(Stmt::Macro(last)) => last.semi_token.is_none() && stmt.semi_token.is_some(),
        _ => false,
    };
    let text = if open { format!("{text};") } else { text.to_owned() };
    Some(Expanded::replace(node.range(), &text))
}

/// An expression in place of the expression `node`: what is no expression becomes a block, or the end of the block that it is in.
fn expr(node: Node<'_>, text: &str) -> Option<Expanded> {
    let place = Place::of(node)?;
    let site = place.site();
    let parsed = syn::parse_str::<Expr>(text).ok().filter(|_| !text.starts_with('#'));
    if let Some(parsed) = parsed {
        let edits = place.composed(Filler::Expr(&parsed), &[Part::Text(text)])?;
        return Some(Expanded { site, edits });
    }
    let parsed = Block::parse_within.parse_str(text).ok()?;
    let is_end = node.parent().is_some_and(|stmt| matches!(stmt.syntax(), Syntax::Stmt(_)) && stmt.range() == site);
    if is_end && node.parent().is_some_and(Node::is_last) {
        return Some(Expanded::replace(site, text));
    }
    // rustc takes an expression with a semicolon for an expression.
    if let [Stmt::Expr(parsed, Some(semi))] = &parsed[..] {
        let text = text[..range(semi).start].trim_end();
        let edits = place.composed(Filler::Expr(parsed), &[Part::Text(text)])?;
        return Some(Expanded { site, edits });
    }
    let block = [Part::Text("{ "), Part::Text(text), Part::Text(" }")];
    Some(Expanded { edits: place.composed(Filler::Block, &block)?, site })
}

/// A type in place of the type `node`.
fn ty(node: Node<'_>, text: &str) -> Option<Expanded> {
    let parsed: Type = syn::parse_str(text).ok()?;
    let is_sum = parts::object_bounds(&parsed).is_some_and(|bounds| bounds.len() > 1);
    let parent = node.parent()?;
    let binds = match parent.syntax() {
        Syntax::Type(Type::Reference(_) | Type::Ptr(_)) | Syntax::Expr(Expr::Cast(_)) => true,
        Syntax::ReturnType(ReturnType::Type(..)) => {
            parent.parent().is_some_and(|parent| !matches!(parent.syntax(), Syntax::Signature(_)))
        }
        _ => false,
    };
    let text = if is_sum && binds { format!("({text})") } else { text.to_owned() };
    Some(Expanded::replace(node.range(), &text))
}

/// A pattern in place of the pattern `node`.
fn pat(node: Node<'_>, text: &str) -> Option<Expanded> {
    let parsed = Pat::parse_multi_with_leading_vert.parse_str(text).ok()?;
    let text = if matches!(parsed, Pat::Or(_)) { format!("({text})") } else { text.to_owned() };
    Some(Expanded::replace(node.range(), &text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what the macro with `rules` makes of `call`.
    #[track_caller]
    fn check(rules: &str, call: &str, expected: Option<&str>) {
        let text = format!("macro_rules! m {{ {rules} }} m! {{ {call} }}");
        let source = Source::parse(text);
        assert_eq!(source.understanding(), Understanding::Full, "the test's own text parses");
        let tree = Tree::new(&source);
        let definition = tree.nodes().find_map(Definition::of).expect("it is defined");
        let calls = definition.calls(&tree, &definition.range);
        let found = definition.expand_at(calls[0]);
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn the_first_rule_that_matches_is_taken() {
        let rules = "(a) => { 1 }; (b $c:tt) => { 2 $c }; ($($c:tt)*) => { 3 }; (d) => { 4 }";
        check(rules, "a", Some("1"));
        check(rules, "b []", Some("2 []"));
        check(rules, "d", Some("3"));
        check(rules, "", Some("3"));
        check("(a) => {}", "b", None);
        check("(a) => {}", "a a", None);
        check("() => {}", "a", None);
    }

    #[test]
    fn every_kind_of_fragment_is_matched() {
        check("($a:block $b:expr) => { $b $a }", "{ 1 } 1 + 2 * f(x)", Some("(1 + 2 * f(x)) { 1 }"));
        check("($a:ident $b:lifetime $c:literal) => { $c $b $a }", "fn 'a -1", Some("(-1) 'a fn"));
        check("($a:item $b:meta) => { #[$b] $a }", "struct S; cfg(a)", Some("#[cfg(a)] struct S;"));
        check(
            "($a:pat => $b:pat_param | $c:path) => { $a; $b; $c }",
            "A | B => C | d::E<F>",
            Some("(A | B); C; d::E<F>"),
        );
        check("($a:stmt; $b:ty) => { $a; $b }", "let x = 1; Vec<Vec<u8>>", Some("let x = 1; Vec<Vec<u8>>"));
        check("($a:vis $b:vis fn $c:tt) => { $b $a $c }", "pub(crate) fn >>=", Some(" pub(crate) >>="));
        check("($a:ident) => { $a }", "_", None);
        check("($a:literal) => { $a }", "a", None);
        check("($a:lifetime $b:tt) => { $b }", "'a 'b", Some("'b"));
        check("($a:adt) => { }", "a", None);
    }

    #[test]
    fn operators_are_matched_as_they_are_glued() {
        check("(>> $a:tt) => { $a }", ">> >", Some(">"));
        check("(> > $a:tt) => { $a }", ">> a", None);
        check("(<<= ..= ->) => { 1 }", "<<= ..= ->", Some("1"));
        check("($a:ty >) => { $a }", "A<B>>", Some("A<B>"));
    }

    #[test]
    fn repetitions_are_matched_and_repeated() {
        check("($($a:expr),* $(,)?) => { f($($a),*) }", "1, 2, 3,", Some("f(1,2,3)"));
        check("($($a:expr),*) => { f($($a),*) }", "", Some("f()"));
        check("($($a:tt)+) => { }", "", None);
        check("($(a $b:tt)? c) => { $(1 $b)? }", "a 2 c", Some("1 2"));
        check("($(a)? c) => { 1 }", "a a c", None);
        check(
            "($($a:ident = [$($b:tt)*];)*) => { $($a($($b $a),*);)* }",
            "x = [1 2]; y = [];",
            Some("x(1 x,2 x);y();"),
        );
        check("($($a:ident),*; $($b:ident),*) => { $($a $b)* }", "a, b; c", None);
        check("($($a:ident)=>*) => { $($a)=>* }", "a => b", Some("a=>b"));
    }

    #[test]
    fn operands_keep_their_parentheses() {
        check("($a:expr) => { $a * 2 }", "1 + 1", Some("(1 + 1) * 2"));
        check("($a:expr) => { f($a, $a) }", "1 + 1", Some("f(1 + 1, 1 + 1)"));
        check("($a:expr) => { $a.b() }", "f(c)", Some("f(c).b()"));
        check("($a:expr) => { if $a {} }", "S {}", Some("if (S {}) {}"));
        check("($($a:expr)*) => { 0 $(+ $a)* }", "1 && 2", Some("0 + (1 && 2)"));
        check("($a:literal) => { $a.b() }", "-1", Some("(-1).b()"));
        check("($a:ty) => { $a::b(&$a) }", "[u8]", Some("<[u8]>::b(&[u8])"));
        check("($a:ty) => { &$a }", "dyn A + B", Some("&(dyn A + B)"));
    }

    #[test]
    fn tokens_keep_their_text_and_do_not_fuse() {
        check("($a:tt $b:tt) => { $a$b r#\"x\"# /* c */ 0x_1 }", "d 1.0", Some("d 1.0 r#\"x\"# /* c */ 0x_1"));
        check("($a:ty) => { B<$a> }", "/* c */ A /* d */ <u8 /* e */ >", Some("B<A /* d */ <u8 /* e */ > >"));
        check("($a:ident) => { $a<B<u8>> }", "A", Some("A<B<u8>>"));
    }

    #[test]
    fn documentation_is_an_attribute() {
        check("($(#[$a:meta])* $b:ident) => { $(#[$a])* struct $b; }", "/// x\n A", Some("#[doc = \" x\"] struct A;"));
        check("($($a:tt)*) => { $($a)* }", "/** x */ A", Some("#[doc = \" x \"]A"));
        check("($a:item) => { $a }", "/// x\n struct A;", Some("/// x\n struct A;"));
    }

    #[test]
    fn what_is_not_understood_is_not_expanded() {
        check("($($a:tt)*) => { ${count($a)} }", "a", None);
        check("($a:tt) => { $($a)* }", "a", None);
        check("($($a:tt)*) => { $a }", "a", None);
        check("($a:guard) => { 1 }; (a) => { 2 }", "a", None);
    }

    #[test]
    fn metavariables_of_others_stay() {
        check(
            "($a:ident) => { macro_rules! $a { ($b:tt) => { $crate::$b } } }",
            "n",
            Some("macro_rules! n { ($b:tt) => { crate::$b } }"),
        );
        check("($d:tt) => { macro_rules! n { ($d($d b:tt)*) => {} } }", "$", None);
    }
}
