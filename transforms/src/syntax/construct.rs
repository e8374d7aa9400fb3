//! What stands at a place of a program, as far as a reader of a diagnostic tells it: a label that points at a method call is
//! about that call.

use std::ops::Range;

use syn::{Expr, ExprForLoop, Pat};

use super::tree::{Node, Syntax, Tree, range};

/// What a label of a diagnostic points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construct {
    /// The name or the arguments of a method call, or the call as a whole.
    MethodCall,
    /// An `.await`.
    Await,
    /// A `?`.
    Question,
    /// What a `for` loop iterates over.
    Iterated,
    /// A loop, or its head.
    Loop,
    /// A closure.
    Closure,
    /// An `async` block.
    Async,
    /// The type of a `let`.
    Annotation,
    /// Anything else.
    Other,
}

impl Construct {
    /// What stands at the bytes `place` of a tree.
    #[must_use]
    pub fn at(tree: &Tree<'_>, place: &Range<usize>) -> Self {
        let holds = |node: &Node<'_>| node.range().start <= place.start && place.end <= node.range().end;
        let mut around = Vec::new();
        let mut level: Vec<Node<'_>> = tree.nodes().take(1).collect();
        while let Some(node) = level.iter().find(|node| holds(node)).copied() {
            around.push(node);
            level = node.children().collect();
        }
        let is_whole = |node: &&Node<'_>| node.range() == *place;
        if around.iter().rev().take_while(is_whole).any(|node| is_iterated(*node)) {
            return Self::Iterated;
        }
        around.iter().rev().find_map(|node| at_end(*node, place)).unwrap_or(Self::Other)
    }
}

/// Whether `node` is what a `for` loop iterates over.
fn is_iterated(node: Node<'_>) -> bool {
    let Some(Syntax::Expr(Expr::ForLoop(ExprForLoop { expr, .. }))) = node.parent().map(Node::syntax) else {
        return false;
    };
    range(&**expr) == node.range()
}

/// What `place` in `node` is, if `node` decides it: it is the nearest of those around it that can.
fn at_end(node: Node<'_>, place: &Range<usize>) -> Option<Construct> {
    let is_whole = node.range() == *place;
    Some(match node.syntax() {
        Syntax::Expr(Expr::MethodCall(call)) => {
            let is_behind = place.start >= range(&call.method).start;
            let is_name = place.start <= range(&call.method).end;
            if is_whole || is_behind && is_name { Construct::MethodCall } else { Construct::Other }
        }
        Syntax::Expr(Expr::Await(expr)) if is_whole || place.start >= range(&*expr.base).end => Construct::Await,
        Syntax::Expr(Expr::Try(expr)) if is_whole || place.start >= range(&*expr.expr).end => Construct::Question,
        Syntax::Expr(Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_)) => Construct::Loop,
        Syntax::Expr(Expr::Closure(_)) => Construct::Closure,
        Syntax::Expr(Expr::Async(_)) => Construct::Async,
        Syntax::Type(_) => match node.parent().map(Node::syntax) {
            Some(Syntax::Pat(Pat::Type(_))) if is_of_let(node) => Construct::Annotation,
            Some(Syntax::Type(_) | Syntax::PathArguments(_) | Syntax::GenericArgument(_)) => return None,
            _ => Construct::Other,
        },
        Syntax::Ident(_) | Syntax::Path(_) | Syntax::PathSegment(_) | Syntax::PathArguments(_) => return None,
        Syntax::GenericArgument(_) | Syntax::Lifetime(_) => return None,
        _ => Construct::Other,
    })
}

/// Whether the pattern around a type is that of a `let`.
fn is_of_let(node: Node<'_>) -> bool {
    let pattern = node.parent().and_then(Node::parent);
    pattern.is_some_and(|around| matches!(around.syntax(), Syntax::Local(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;

    /// Checks what stands between the two `^` of `text`.
    #[track_caller]
    fn check(text: &str, expected: Construct) {
        let start = text.find('^').expect("it has a beginning");
        let end = text.rfind('^').expect("it has an end") - 1;
        let text = text.replace('^', "");
        let source = Source::parse(text);
        assert_eq!(Construct::at(&Tree::new(&source), &(start..end)), expected);
    }

    #[test]
    fn a_construct_is_the_nearest_that_a_reader_would_name() {
        check("fn f() { a.^b()^; }", Construct::MethodCall);
        check("fn f() { ^a.b()^; }", Construct::MethodCall);
        check("fn f() { a.^b^(c); }", Construct::MethodCall);
        check("fn f() { ^a^.b(c); }", Construct::Other);
        check("fn f() { a.b(^c^); }", Construct::Other);
        check("async fn f() { a.^await^; }", Construct::Await);
        check("async fn f() { ^a^.await; }", Construct::Other);
        check("fn f() { a()^?^; }", Construct::Question);
        check("fn f() { ^a()?^; }", Construct::Question);
        check("fn f() { ^a()^?; }", Construct::Other);
        check("fn f() { for a in ^b^ {} }", Construct::Iterated);
        check("fn f() { for a in ^b.c^ { d; } }", Construct::Iterated);
        check("fn f() { for a in ^b.c()^ {} }", Construct::Iterated);
        check("fn f() { ^for a in b^ {} }", Construct::Loop);
        check("fn f() { ^loop^ { d; } }", Construct::Loop);
        check("fn f() { loop { ^d^; } }", Construct::Other);
        check("fn f() { a(^|b|^ c); }", Construct::Closure);
        check("fn f() { a(^|b| c^); }", Construct::Closure);
        check("fn f() { a(|b| ^c^); }", Construct::Other);
        check("fn f() { let a: ^&'static str^ = b; }", Construct::Annotation);
        check("fn f() { let a: &^'static^ str = b; }", Construct::Annotation);
        check("fn f(a: ^u8^) {}", Construct::Other);
        check("fn f() { a(^async { b }^) }", Construct::Async);
    }
}
