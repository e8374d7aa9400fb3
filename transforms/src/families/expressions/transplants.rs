//! Expressions, types and patterns replaced by smaller ones from elsewhere in the file.

use std::collections::HashSet;

use syn::{Expr, Type};

use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::parameter_name;
use crate::syntax::surroundings::{bindings, mentions};
use crate::syntax::types::begins_arguments;
use crate::syntax::{Filler, Node, Place, Syntax, Tree};
use crate::text::covers;

family! {
    "transplants", "Replaces a part of a small program by a smaller one from elsewhere in it.", in Transplants;

    /// Replace an expression by a smaller one from elsewhere in a small program.
    ///
    /// The smallest three, of equal ones the nearest. What is inside the expression is for `hoist`, short values are for
    /// `values`. (From *Vulcan*, Xu et al. 2023, and Shrink Ray.)
    TRANSPLANT_EXPRESSION = "transplant-expression", Rule::Tree(transplant_expression),
        "fn f(a: A, b: B) { g(a); h(i(b, 1)) }" => "fn f(a: A, b: B) { g(a); h(a) }";

    /// Replace a type by a smaller one from elsewhere in a small program.
    TRANSPLANT_TYPE = "transplant-type", Rule::Tree(transplant_type),
        "fn f(a: B, c: Vec<D>) {}" => "fn f(a: B, c: B) {}";
}

/// How many alternatives a node gets.
const ALTERNATIVES: usize = 3;

/// A node that may be copied to another place.
struct Graft<'t> {
    node: Node<'t>,
    tokens: usize,
    /// Whether it mentions what is bound in its own item, so that it means something there only.
    is_local: bool,
}

/// The nodes of a small program of which `is_graft` is true; what mentions one of `local` stays in its item.
fn grafts<'t>(tree: &'t Tree<'_>, local: &[String], is_graft: fn(Node<'t>) -> bool) -> Vec<Graft<'t>> {
    let source = tree.source();
    if !source.is_small() {
        return Vec::new();
    }
    let graft = |node: Node<'t>| {
        let is_local = mentions(source, &node.range(), local);
        Graft { node, tokens: source.count(&node.range()), is_local }
    };
    // Metavariables only have a meaning in their macro.
    tree.nodes().filter(|node| is_graft(*node) && !node.text().contains('$')).map(graft).collect()
}

/// The smallest few of `grafts` that are smaller than `node`, elsewhere, and mean something in its place.
fn smallest<'g, 't>(grafts: &'g [Graft<'t>], node: Node<'t>) -> Vec<&'g Graft<'t>> {
    let site = node.range();
    let size = node.tree().source().count(&site);
    if size < 2 {
        return Vec::new();
    }
    let is_inside = |graft: &&Graft<'_>| covers(&site, &graft.node.range());
    let own: HashSet<&str> = grafts.iter().filter(is_inside).map(|graft| graft.node.text()).collect();
    let home = home(node);
    let fits = |graft: &&'g Graft<'t>| {
        graft.tokens < size && !own.contains(graft.node.text()) && (!graft.is_local || self::home(graft.node) == home)
    };
    let mut fitting: Vec<&Graft<'_>> = grafts.iter().filter(fits).collect();
    fitting.sort_by_key(|graft| (graft.tokens, graft.node.range().start.abs_diff(site.start)));
    let mut texts = HashSet::new();
    fitting.retain(|graft| texts.insert(graft.node.text()));
    fitting.truncate(ALTERNATIVES);
    fitting
}

/// The row of the item around `node`.
fn home(node: Node<'_>) -> Option<usize> {
    let is_item =
        |node: &Node<'_>| matches!(node.syntax(), Syntax::Item(_) | Syntax::ImplItem(_) | Syntax::TraitItem(_));
    node.ancestors().find(is_item).map(Node::row)
}

fn transplant_expression(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let mut local = vec!["self".to_owned(), "Self".to_owned()];
    local.extend(type_parameters(analysis));
    for node in analysis.nodes() {
        if let Syntax::Pat(pat) = node.syntax() {
            local.extend(bindings(pat));
        }
    }
    let grafts = grafts(analysis, &local, is_expression_graft);
    for node in analysis.nodes() {
        let Syntax::Expr(expr) = node.syntax() else { continue };
        if grafts.is_empty() || matches!(expr, Expr::Lit(_) | Expr::Paren(_) | Expr::Let(_) | Expr::Return(_)) {
            continue;
        }
        let Some(place) = Place::of(node).filter(|place| !place.is_discarded() && !place.is_braced()) else { continue };
        for graft in smallest(&grafts, node) {
            if let Syntax::Expr(expr) = graft.node.syntax() {
                place.put(out, Filler::Expr(expr), graft.node.text());
            }
        }
    }
}

/// Whether `node` is an expression that says something, and no function that is called.
fn is_expression_graft(node: Node<'_>) -> bool {
    let Syntax::Expr(expr) = node.syntax() else { return false };
    let is_kind = match expr {
        // A visibility that nothing stands behind is read as a path.
        Expr::Path(expr) => !expr.path.is_ident("None") && !expr.path.is_ident("crate"),
        Expr::Array(expr) => !expr.elems.is_empty(),
        Expr::Tuple(expr) => !expr.elems.is_empty(),
        Expr::Call(_)
        | Expr::Cast(_)
        | Expr::Closure(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Macro(_)
        | Expr::MethodCall(_)
        | Expr::Reference(_)
        | Expr::Struct(_)
        | Expr::Unary(_) => true,
        _ => false,
    };
    let is_called =
        |parent: Node<'_>| matches!(parent.syntax(), Syntax::Expr(Expr::Call(call)) if std::ptr::eq(&*call.func, expr));
    is_kind && !node.text().starts_with('#') && !node.parent().is_some_and(is_called)
}

/// The names of all generic parameters, which mean something in their items only.
fn type_parameters(tree: &Tree<'_>) -> Vec<String> {
    let name = |node: Node<'_>| match node.syntax() {
        Syntax::GenericParam(param) => Some(parameter_name(param)),
        _ => None,
    };
    tree.nodes().filter_map(name).collect()
}

fn transplant_type(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let mut local = vec!["Self".to_owned()];
    local.extend(type_parameters(analysis));
    let grafts = grafts(analysis, &local, is_type_graft);
    for node in analysis.nodes() {
        let in_cast = node.parent().is_some_and(|parent| matches!(parent.syntax(), Syntax::Expr(Expr::Cast(_))));
        let in_cast = in_cast || begins_arguments(node);
        // Tokens after the type of a cast may be read as its generic arguments.
        if !matches!(node.syntax(), Syntax::Type(_)) || in_cast {
            continue;
        }
        for graft in smallest(&grafts, node) {
            out.replace(node.range(), graft.node.text());
        }
    }
}

/// Whether `node` is a type that needs no parentheses anywhere and is none of those that `types` proposes.
fn is_type_graft(node: Node<'_>) -> bool {
    match node.syntax() {
        Syntax::Type(Type::Path(_)) => !["Self", "bool", "u8"].contains(&node.text()),
        Syntax::Type(Type::Tuple(ty)) => !ty.elems.is_empty(),
        Syntax::Type(Type::Array(_) | Type::Slice(_)) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn the_smallest_expressions_come_first_and_of_equals_the_nearest() {
        check(
            &TRANSPLANT_EXPRESSION,
            "fn f(a: A, b: A) { g(a.c); g(b); let d = h[1 + 2]; }",
            &[
                "fn f(a: A, b: A) { g(b); g(b); let d = h[1 + 2]; }",
                "fn f(a: A, b: A) { g(h); g(b); let d = h[1 + 2]; }",
                "fn f(a: A, b: A) { g(a.c); g(b); let d = b; }",
                "fn f(a: A, b: A) { g(a.c); g(b); let d = a; }",
                "fn f(a: A, b: A) { g(a.c); g(b); let d = a.c; }",
                "fn f(a: A, b: A) { g(a.c); g(b); let d = h[h]; }",
                "fn f(a: A, b: A) { g(a.c); g(b); let d = h[b]; }",
                "fn f(a: A, b: A) { g(a.c); g(b); let d = h[a]; }",
            ],
        );
    }

    #[test]
    fn a_variable_stays_in_its_item() {
        check(&TRANSPLANT_EXPRESSION, "fn f(a: A) { g(a); } fn h() { g(i.j.k); }", &[]);
        check(&TRANSPLANT_EXPRESSION, "fn f() { g(A); } fn h() { g(i()); }", &["fn f() { g(A); } fn h() { g(A); }"]);
        check(&TRANSPLANT_EXPRESSION, "impl A { fn f(&self) { g(self.b); } fn g(b: B) { g(h(b, 1)); } }", &[]);
    }

    #[test]
    fn what_is_inside_or_no_smaller_is_left_to_others() {
        check(&TRANSPLANT_EXPRESSION, "fn f(a: A) { g(h(a)); a.b(); }", &[]);
        check(&TRANSPLANT_EXPRESSION, "fn f() { g(1, \"\", (), None); i(2); }", &[]);
    }

    #[test]
    fn a_visibility_is_no_expression() {
        check(&TRANSPLANT_EXPRESSION, "pub(crate) fn a() -> B<C, D>; fn f() { g(h.i) }", &[]);
    }

    #[test]
    fn large_programs_are_left_alone() {
        let filler = "struct S; ".repeat(100);
        check(&TRANSPLANT_EXPRESSION, &format!("{filler} fn f(a: A) {{ g(a); h(i(b.c, 1)); }}"), &[]);
    }

    #[test]
    fn types_are_replaced_by_smaller_ones() {
        check(
            &TRANSPLANT_TYPE,
            "struct A; fn f(a: A, b: C<D>) -> Box<dyn E> {}",
            &[
                "struct A; fn f(a: A, b: A) -> Box<dyn E> {}",
                "struct A; fn f(a: A, b: C<D>) -> D {}",
                "struct A; fn f(a: A, b: C<D>) -> A {}",
                "struct A; fn f(a: A, b: C<D>) -> C<D> {}",
                "struct A; fn f(a: A, b: C<D>) -> Box<D> {}",
                "struct A; fn f(a: A, b: C<D>) -> Box<A> {}",
            ],
        );
    }

    #[test]
    fn a_parameter_stays_in_its_item_and_what_others_propose_with_them() {
        check(&TRANSPLANT_TYPE, "fn f<T>(a: T) {} fn g(b: &[u8]) {}", &["fn f<T>(a: T) {} fn g(b: [u8]) {}"][..0]);
        check(&TRANSPLANT_TYPE, "fn f(a: u8, b: bool) { a as Vec<A>; }", &[]);
    }

    #[test]
    fn what_follows_a_pointer_is_not_read_as_arguments() {
        check(&TRANSPLANT_TYPE, "fn f(a: X) { b as *const () < c }", &[]);
    }
}
