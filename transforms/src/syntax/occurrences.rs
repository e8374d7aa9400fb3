//! The name index: where each name of a file occurs, and in which syntax.
//!
//! Transforms that change several places at once find these here, by name: their proposals may concern more places than
//! the compiler's own resolution would find, never fewer.

use std::collections::HashMap;
use std::ops::Range;

use syn::{Expr, Path};

use super::regions::Regions;
use super::tree::{Node, Syntax, Tree, WordPlace};
use crate::text::lex::{Kind, plain};

/// Reads all names of `tree`. Linear.
fn index(tree: &Tree<'_>) -> HashMap<String, Vec<WordPlace>> {
    let text = tree.source().text();
    let mut rows = HashMap::new();
    for node in tree.nodes() {
        if matches!(node.syntax(), Syntax::Ident(_) | Syntax::Lifetime(_)) {
            // A lifetime and its identifier do not begin at the same byte.
            rows.insert(node.range().start, node.row());
        }
    }
    let mut names: HashMap<String, Vec<WordPlace>> = HashMap::new();
    // There syn does not distinguish keywords from names.
    let bare =
        Regions::of(tree, |node| matches!(node.syntax(), Syntax::Attribute(_) | Syntax::Macro(_) | Syntax::Tokens(_)));
    for token in tree.source().tokens().iter().filter(|token| token.kind == Kind::Code) {
        let name = plain(&text[token.range.clone()]);
        if is_name(name) {
            let row = rows.get(&token.range.start).copied();
            // Where syn parsed something else, it is a keyword: `union` and `struct` are no uses of `r#struct`.
            if row.is_none() && !bare.contain(token.range.start) {
                continue;
            }
            let place = WordPlace { range: token.range.clone(), row };
            match names.get_mut(name) {
                Some(places) => places.push(place),
                None => drop(names.insert(name.to_owned(), vec![place])),
            }
        }
    }
    names
}

/// Whether a token without `r#` is an identifier, a keyword or a lifetime.
pub(crate) fn is_name(word: &str) -> bool {
    let lifetime = word.starts_with('\'') && !word[1..].contains('\'');
    lifetime || word.starts_with(|c: char| c == '_' || c.is_alphabetic()) && !word.contains(['"', '\''])
}

#[derive(Clone)]
pub(crate) struct Occurrence<'t> {
    pub(crate) range: Range<usize>,
    /// Its identifier or lifetime in the tree; none among tokens that syn did not parse and in attributes.
    pub(crate) node: Option<Node<'t>>,
}

impl<'t> Occurrence<'t> {
    /// The path that it is a segment of, with its syntax, and which one.
    pub(crate) fn path(&self) -> Option<(Node<'t>, &'t Path, usize)> {
        let segment = self.node?.parent().filter(|node| matches!(node.syntax(), Syntax::PathSegment(_)))?;
        let path = segment.parent()?;
        let Syntax::Path(syntax) = path.syntax() else { return None };
        let index = syntax.segments.iter().position(|own| own.ident.span().byte_range() == self.range)?;
        Some((path, syntax, index))
    }

    /// The path that it is the last segment of.
    pub(crate) fn path_end(&self) -> Option<Node<'t>> {
        let (path, syntax, index) = self.path()?;
        (index + 1 == syntax.segments.len()).then_some(path)
    }

    /// The call of a path that ends in this name: `a::name(..)`.
    pub(crate) fn call(&self) -> Option<Node<'t>> {
        let callee = self.path_end()?.parent()?;
        let call = callee.parent()?;
        match call.syntax() {
            Syntax::Expr(Expr::Call(expr)) if matches!(&*expr.func, Expr::Path(_)) => {
                (call.range().start == callee.range().start).then_some(call)
            }
            _ => None,
        }
    }

    /// The call of a method of this name: `x.name(..)`.
    pub(crate) fn method_call(&self) -> Option<Node<'t>> {
        let call = self.node?.parent()?;
        match call.syntax() {
            Syntax::Expr(Expr::MethodCall(expr)) if expr.method.span().byte_range() == self.range => Some(call),
            _ => None,
        }
    }
}

impl<'t> Node<'t> {
    /// Where `name` occurs outside of the node, in source order.
    pub(crate) fn mentions_elsewhere(self, name: &str) -> impl Iterator<Item = Occurrence<'t>> + use<'t> {
        let own = self.range();
        self.tree().occurrences(name).filter(move |occurrence| !own.contains(&occurrence.range.start))
    }
}

impl<'s> Tree<'s> {
    /// Everywhere that `name`, without `r#`, occurs, in source order.
    pub(crate) fn occurrences<'t>(&'t self, name: &str) -> impl Iterator<Item = Occurrence<'t>> + use<'t, 's> {
        self.uses(name, 0..usize::MAX, usize::MAX..usize::MAX)
    }

    /// Where `name` occurs in `scope` but not at `definition`.
    pub(crate) fn uses<'t>(
        &'t self,
        name: &str,
        scope: Range<usize>,
        definition: Range<usize>,
    ) -> impl Iterator<Item = Occurrence<'t>> + use<'t, 's> {
        let places = self.index.get_or_init(|| index(self)).get(plain(name)).map_or(&[][..], Vec::as_slice);
        let before = |byte: usize| places.partition_point(|place| place.range.start < byte);
        let places = &places[before(scope.start)..before(scope.end).max(before(scope.start))];
        places
            .iter()
            .filter(move |place| place.range.start != definition.start)
            .map(|place| Occurrence { range: place.range.clone(), node: place.row.map(|row| self.node(row)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;

    /// Checks the results of `show` for the occurrences of `name`.
    #[track_caller]
    fn check(text: &str, name: &str, show: fn(&Occurrence<'_>) -> Option<String>, expected: &[&str]) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let found: Vec<String> = tree.occurrences(name).filter_map(|occurrence| show(&occurrence)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn names_are_found_in_code_and_in_macros() {
        let show = |occurrence: &Occurrence<'_>| Some(format!("{:?}", occurrence.range));
        check("fn f() { f(); m!(f => \"f\"); } // f", "f", show, &["3..4", "9..10", "17..18"]);
        check("fn f<'a>(r#x: &'a u8) { x }", "'a", show, &["5..7", "15..17"]);
        check("fn f<'a>(r#x: &'a u8) { x }", "x", show, &["9..12", "24..25"]);
        check("const A: char = 'a';", "'a'", show, &[]);
    }

    #[test]
    fn keywords_are_no_names() {
        let show = |occurrence: &Occurrence<'_>| Some(format!("{:?}", occurrence.range));
        check("struct A; fn r#struct() { m!(struct); r#struct() }", "r#struct", show, &["13..21", "29..35", "38..46"]);
        check("union union { a: union }", "union", show, &["6..11", "17..22"]);
        check("#[union] union A { a: u8 }", "union", show, &["2..7"]);
    }

    #[test]
    fn calls_are_told_from_other_mentions() {
        let show = |occurrence: &Occurrence<'_>| occurrence.call().map(|call| call.text().to_owned());
        check(
            "fn f() { f(1); a::f(2); f::a(3); g(f); x.f(4); f::<u8>(5) }",
            "f",
            show,
            &["f(1)", "a::f(2)", "f::<u8>(5)"],
        );
        let show = |occurrence: &Occurrence<'_>| occurrence.method_call().map(|call| call.text().to_owned());
        check("fn f() { f(1); x.f(4).g(f) }", "f", show, &["x.f(4)"]);
    }

    #[test]
    fn paths_are_told_with_the_place_in_them() {
        let show = |occurrence: &Occurrence<'_>| occurrence.path().map(|(path, _, at)| format!("{} {at}", path.text()));
        check("use a::b; fn f(x: a::c<a>) { b::a; let a = 1; }", "a", show, &["a::c<a> 0", "a 0", "b::a 1"]);
    }
}
