//! Levels of nested syntax: each gives way to the next one of its kind.

use std::mem::{Discriminant, discriminant};
use std::ops::Range;

use syn::{Expr, Item, Meta, Pat, Type, UseTree};

use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::chains::links;
use crate::syntax::surroundings::leaves_macro;
use crate::syntax::types::{begins_arguments, is_like_parameters, needs_parentheses};
use crate::syntax::{Node, Place, Syntax, Understanding};

family! {
    "nesting", "Takes levels of nested syntax away.", in Nesting;

    /// Replace syntax by the nearest of its kind in it, of several by that with the most levels.
    ///
    /// Calls, method calls, macro calls, operators, parentheses, blocks, branches, loops, closures and other expressions, types,
    /// patterns, imports, and items of a kind. Any set of the levels can go, so that delta debugging finds those that are needed.
    /// [chains of symbols: `chains` of mcve-dd]
    SPLICE_LEVEL = "splice-level", Rule::Tree(splice_level),
        "const A: u8 = f(g(1, h(2)));" => "const A: u8 = g(1, h(2));";

    /// Replace a group of tokens by the nearest one with the same brackets in it, of several by that with the most levels.
    ///
    /// The tokens are those of attributes, of macros and items of unknown syntax, and of text that cannot be parsed.
    SPLICE_TOKEN_LEVEL = "splice-token-level", Rule::Tree(splice_token_level),
        "#[a(b, (c, (d)))] fn f() {}" => "#[a(c, (d))] fn f() {}";
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Expr(Discriminant<Expr>),
    Item(Discriminant<Item>),
    Pat(Discriminant<Pat>),
    Type(Discriminant<Type>),
    UseTree(Discriminant<UseTree>),
}

impl Kind {
    fn of(node: Node<'_>) -> Option<Self> {
        match node.syntax() {
            Syntax::Expr(expr) => Some(Self::Expr(discriminant(expr))),
            Syntax::Item(item) => Some(Self::Item(discriminant(item))),
            Syntax::Pat(pat) => Some(Self::Pat(discriminant(pat))),
            Syntax::Type(ty) => Some(Self::Type(discriminant(ty))),
            Syntax::UseTree(tree) => Some(Self::UseTree(discriminant(tree))),
            _ => None,
        }
    }
}

fn splice_level(names: &Analysis<'_>, out: &mut Proposals<'_>) {
    let tokens = names.source().tokens();
    // The second of two references may begin in the middle of `&&`, which is a token.
    let is_whole =
        |node: &Node<'_>| tokens.binary_search_by_key(&node.range().start, |token| token.range.start).is_ok();
    let nodes = names.nodes().filter(is_whole).filter_map(|node| Some((node, Kind::of(node)?)));
    let nodes: Vec<(Node<'_>, Kind)> = nodes.collect();
    let parts: Vec<(Range<usize>, Kind)> = nodes.iter().map(|(node, kind)| (node.range(), *kind)).collect();
    for (outer, inner) in links(&parts) {
        if out.is_full() {
            return;
        }
        let (outer, inner) = (nodes[outer].0, nodes[inner].0);
        match outer.syntax() {
            Syntax::Expr(_) => Place::of(outer).into_iter().for_each(|place| place.keep(out, inner)),
            _ if leaves_macro(inner, outer) => {}
            Syntax::Type(_) if begins_arguments(outer) || is_like_parameters(outer, inner) => {}
            Syntax::Type(_) => out.hoist(outer, inner, needs_parentheses(outer, inner)),
            _ => out.keep(outer.range(), inner.range()),
        }
    }
}

fn splice_token_level(names: &Analysis<'_>, out: &mut Proposals<'_>) {
    let source = names.source();
    for region in regions(names) {
        let pairs = source.brackets(region);
        let parts: Vec<(Range<usize>, &str)> =
            pairs.iter().map(|(open, close)| (open.start..close.end, &source.text()[open.clone()])).collect();
        for (outer, inner) in links(&parts) {
            out.keep(parts[outer].0.clone(), parts[inner].0.clone());
        }
    }
}

/// The outermost places of bare tokens, and those in the brackets of attributes.
fn regions(names: &Analysis<'_>) -> Vec<Range<usize>> {
    let source = names.source();
    if source.understanding() == Understanding::Text {
        return std::iter::once(0..source.text().len()).collect();
    }
    let mut end = 0;
    let region = |node: Node<'_>| match node.syntax() {
        Syntax::Tokens(_) => Some(node.range()),
        Syntax::Attribute(attribute) => match &attribute.meta {
            Meta::List(list) => Some(list.delimiter.span().join().byte_range()),
            _ => None,
        },
        _ => None,
    };
    let regions = names.nodes().filter_map(region);
    regions
        .filter(|region| {
            region.start >= end && {
                end = region.end;
                true
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;
    use crate::syntax::tree::Tree;
    use crate::testing::check;
    use crate::{apply, enumerate};

    #[test]
    fn a_level_gives_way_to_the_next_of_its_kind() {
        check(&SPLICE_LEVEL, "const A: u8 = f(1, g(h(2)));", &["const A: u8 = g(h(2));", "const A: u8 = f(1, h(2));"]);
        check(&SPLICE_LEVEL, "const A: u8 = f(!g(&!2));", &["const A: u8 = g(&!2);", "const A: u8 = f(!2);"]);
        check(&SPLICE_LEVEL, "fn f() { if a { g(); if b { c } } }", &["fn f() { if b { c } }"]);
        check(&SPLICE_LEVEL, "fn f() { if a { b } else if c { d } else { e } }", &["fn f() { if c { d } else { e } }"]);
        check(
            &SPLICE_LEVEL,
            "fn f() { g + m!(n!(1)); { loop { { a } } } }",
            &["fn f() { g + n!(1); { loop { { a } } } }", "fn f() { g + m!(n!(1)); { a } }"],
        );
        check(&SPLICE_LEVEL, "type A = Vec<Box<(B,)>>;", &["type A = Box<(B,)>;", "type A = Vec<B>;"]);
        check(&SPLICE_LEVEL, "fn f(Some(Some(a)): B) {}", &["fn f(Some(a): B) {}"]);
        check(&SPLICE_LEVEL, "mod a { fn f() {} mod b { struct S; } }", &["mod b { struct S; }"]);
    }

    #[test]
    fn a_block_behind_else_stays_without_parentheses() {
        check(
            &SPLICE_LEVEL,
            "fn f() { let Some(a) = b else { c(); if d { return 1 } else { return 2 } }; }",
            &["fn f() { let Some(a) = b else { return 2 }; }"],
        );
    }

    #[test]
    fn of_several_that_with_the_most_levels_is_the_next() {
        check(
            &SPLICE_LEVEL,
            "const A: u8 = f(g(), h(i()), j());",
            &["const A: u8 = h(i());", "const A: u8 = f(g(), i(), j());"],
        );
    }

    #[test]
    fn parentheses_in_parentheses_go_a_pair_at_a_time() {
        check(&SPLICE_LEVEL, "const A: u8 = (((1)));", &["const A: u8 = ((1));", "const A: u8 = ((1));"]);
        check(&SPLICE_LEVEL, "fn f(((a)): ((u8))) {}", &["fn f((a): ((u8))) {}", "fn f(((a)): (u8)) {}"]);
    }

    #[test]
    fn two_references_in_a_token_are_one_level() {
        check(&SPLICE_LEVEL, "type A = &&&&u8;", &["type A = &&u8;"]);
    }

    #[test]
    fn what_holds_none_of_its_kind_stays() {
        check(&SPLICE_LEVEL, "fn f() { if a { loop { f(&b) } } } type A = [&(u8, u8); 3];", &[]);
        check(&SPLICE_LEVEL, "#[a((b))] fn f() { m!(=> (c(d))); }", &[]);
        check(&SPLICE_LEVEL, "fn f() { let a = quote!({ { $b } }); }", &["fn f() { let a = quote!({ $b }); }"]);
    }

    #[test]
    fn token_groups_with_the_same_brackets_are_levels() {
        check(
            &SPLICE_TOKEN_LEVEL,
            "#[a(b, (c, [(d)]))] struct S;",
            &["#[a(c, [(d)])] struct S;", "#[a(b, (d))] struct S;"],
        );
        check(&SPLICE_TOKEN_LEVEL, "m!(a => {b {c} d});", &["m!(a => {c});"]);
        check(&SPLICE_TOKEN_LEVEL, "fn f( { { a } }", &["fn f( { a }"]);
        check(&SPLICE_TOKEN_LEVEL, "#[a([b])] fn f() { ((c)); m!(((d))) }", &[]);
    }

    #[test]
    fn any_set_of_levels_goes() {
        let text = |levels: usize| format!("const A: u8 = {}1{};", "f(2 + ".repeat(levels), ")".repeat(levels));
        let source = Source::parse(text(40));
        let reductions = enumerate(&Analysis::of(&Tree::new(&source)), &SPLICE_LEVEL);
        let calls: Vec<_> =
            reductions.iter().filter(|reduction| source.text()[reduction.site.clone()].starts_with('f')).collect();
        assert_eq!(calls.len(), 39);
        let some = calls.iter().enumerate().filter(|(index, _)| index % 7 != 3).map(|(_, reduction)| *reduction);
        assert_eq!(apply(source.text(), some), text(40 - 33));
        assert_eq!(apply(source.text(), calls), text(1));
    }
}
