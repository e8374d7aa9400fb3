//! The syntax at a place of a program, as a reader of a diagnostic would name it: a label that points at a method call
//! is about that call.

use std::ops::Range;

use syn::{Expr, ExprForLoop, ExprLet, ExprMatch, ImplItem, Item, Pat};

use super::tree::{Node, Syntax, Tree, range};
use crate::text::covers;

/// The kind of syntax that a label of a diagnostic points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construct {
    /// The name or the arguments of a method call, or the call as a whole.
    MethodCall,
    /// An `.await`.
    Await,
    /// A `?`.
    Question,
    /// The expression that a `for` loop iterates over.
    Iterated,
    /// A loop, or its head.
    Loop,
    /// A closure.
    Closure,
    /// An `async` block.
    Async,
    /// The type of a `let`.
    Annotation,
    /// A pattern of a `match`, an `if let` or a `while let`.
    Pattern,
    /// The expression that such a pattern is matched with.
    Matched,
    /// The guard of an arm.
    Guard,
    /// An index: `a[b]`.
    Index,
    /// An operand of an operator.
    Operand,
    /// The receiver of a method call or field access.
    Receiver,
    /// Anything else.
    Other,
}

impl Construct {
    /// The construct at the bytes `place` of a tree.
    pub fn at(tree: &Tree<'_>, place: &Range<usize>) -> Self {
        let holds = |node: &Node<'_>| covers(&node.range(), place);
        let mut around = Vec::new();
        let mut level: Vec<Node<'_>> = tree.nodes().take(1).collect();
        while let Some(node) = level.iter().find(|node| holds(node)).copied() {
            around.push(node);
            level = node.children().collect();
        }
        let is_whole = |node: &&Node<'_>| node.range() == *place;
        let role = around.iter().rev().take_while(is_whole).find_map(|node| role(*node));
        let role = role.or_else(|| around.iter().rev().find_map(|node| role_of_pattern(*node)));
        role.or_else(|| around.iter().rev().find_map(|node| at_end(*node, place))).unwrap_or(Self::Other)
    }

    /// How the value of the call at the bytes `place` is used; its type may be inferred from that.
    pub fn use_at(tree: &Tree<'_>, place: &Range<usize>) -> Self {
        let holds = |node: &Node<'_>| covers(&node.range(), place);
        let calls = tree.nodes().filter(holds).filter(|node| {
            matches!(node.syntax(), Syntax::Expr(Expr::MethodCall(_) | Expr::Call(_) | Expr::Path(_) | Expr::Macro(_)))
        });
        let is_wrapped = |node: &Node<'_>| match node.parent().map(Node::syntax) {
            Some(Syntax::Expr(Expr::Paren(_))) => true,
            Some(Syntax::Expr(Expr::Call(call))) => range(&*call.func) == node.range(),
            _ => false,
        };
        let mut used = calls.last();
        while let Some(node) = used.filter(is_wrapped) {
            used = node.parent();
        }
        used.and_then(wider_role).unwrap_or(Self::Other)
    }

    /// The trait whose impl has the bytes `place` in its head or in the signature of a method: the trait decides that text.
    pub fn trait_around<'t>(tree: &'t Tree<'_>, place: &Range<usize>) -> Option<&'t str> {
        let is_inside = |node: &Node<'_>| covers(&node.range(), place);
        let inside = |part: Range<usize>| covers(&part, place);
        let (item, node) = tree.nodes().filter(is_inside).find_map(|node| match node.syntax() {
            Syntax::Item(Item::Impl(item)) => Some((item, node)),
            _ => None,
        })?;
        let (path, _) = item.trait_.as_ref()?;
        let is_in_signature = item.items.iter().any(|item| match item {
            ImplItem::Fn(method) => inside(range(&method.sig)),
            _ => false,
        });
        let is_in_head = place.end <= range(&item.brace_token.span.open()).start;
        let name = path.segments.last()?;
        (is_in_signature || is_in_head).then(|| node.text_at(range(&name.ident)))
    }
}

/// The role of `node` as the expression that a `for` loop iterates over, or that a `match` or `let` matches.
fn role(node: Node<'_>) -> Option<Construct> {
    let is = |part: &Expr| range(part) == node.range();
    match node.parent()?.syntax() {
        Syntax::Expr(Expr::ForLoop(ExprForLoop { expr, .. })) if is(expr) => Some(Construct::Iterated),
        Syntax::Expr(Expr::Match(ExprMatch { expr, .. })) if is(expr) => Some(Construct::Matched),
        Syntax::Expr(Expr::Let(ExprLet { expr, .. })) if is(expr) => Some(Construct::Matched),
        _ => None,
    }
}

/// Like `role`, but also as an operand, as a receiver, or before a `?`.
fn wider_role(node: Node<'_>) -> Option<Construct> {
    let is = |part: &Expr| range(part) == node.range();
    match node.parent()?.syntax() {
        Syntax::Expr(Expr::Binary(_)) => Some(Construct::Operand),
        Syntax::Expr(Expr::MethodCall(call)) if is(&call.receiver) => Some(Construct::Receiver),
        Syntax::Expr(Expr::Field(_)) => Some(Construct::Receiver),
        Syntax::Expr(Expr::Try(_)) => Some(Construct::Question),
        _ => role(node),
    }
}

/// The role of `node` as a pattern that may not match, or as a guard.
fn role_of_pattern(node: Node<'_>) -> Option<Construct> {
    match (node.syntax(), node.parent()?.syntax()) {
        (Syntax::Expr(_), Syntax::Pat(Pat::Guard(_))) => Some(Construct::Guard),
        (Syntax::Pat(_), Syntax::Arm(_) | Syntax::Expr(Expr::Let(_))) => Some(Construct::Pattern),
        _ => None,
    }
}

/// The construct at `place` in `node`, if `node` decides it. The nearest node around `place` that can decide does.
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
        Syntax::Expr(Expr::Index(_)) if is_whole => Construct::Index,
        Syntax::Type(_) => match node.parent().map(Node::syntax) {
            Some(Syntax::Pat(Pat::Type(_)))
                if matches!(node.ancestors().nth(1).map(Node::syntax), Some(Syntax::Local(_))) =>
            {
                Construct::Annotation
            }
            Some(Syntax::Type(_) | Syntax::PathArguments(_) | Syntax::GenericArgument(_)) => return None,
            _ => Construct::Other,
        },
        Syntax::Ident(_) | Syntax::Path(_) | Syntax::PathSegment(_) | Syntax::PathArguments(_) => return None,
        Syntax::GenericArgument(_) | Syntax::Lifetime(_) => return None,
        _ => Construct::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;

    /// Checks the construct between the two `^` of `text`.
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
        check("fn f() { match ^a.b^ { _ => c } }", Construct::Matched);
        check("fn f() { if let A = ^a^ {} }", Construct::Matched);
        check("fn f() { match a { A(^b^) => c } }", Construct::Pattern);
        check("fn f() { if let ^A(b)^ = c {} }", Construct::Pattern);
        check("fn f() { let A(^b^) = c; }", Construct::Other);
        check("fn f() { match a { _ if b(^c^) => d } }", Construct::Guard);
        check("fn f() { match a { _ => ^d^ } }", Construct::Other);
        check("fn f() { a(^b[c]^) }", Construct::Index);
        check("fn f() { a(b[^c^]) }", Construct::Other);
    }

    #[test]
    fn a_value_is_used_by_what_is_around_its_call() {
        let check = |text: &str, expected: Construct| {
            let start = text.find("here").expect("it is called");
            let source = Source::parse(text);
            assert_eq!(Construct::use_at(&Tree::new(&source), &(start..start + 4)), expected, "{text}");
        };
        check("fn f() { a.here() / b; }", Construct::Operand);
        check("fn f() { b / (a.here()); }", Construct::Operand);
        check("fn f() { a.here().b(); }", Construct::Receiver);
        check("fn f() { here().b; }", Construct::Receiver);
        check("fn f() { here(b.c())?; }", Construct::Question);
        check("fn f() { let a = here(); }", Construct::Other);
        check("fn f() { for a in b.here() {} }", Construct::Iterated);
    }

    #[test]
    fn a_trait_settles_the_signatures_of_its_impl() {
        let around = |text: &str| {
            let start = text.find('^').expect("it has a beginning");
            let text = text.replacen('^', "", 1);
            let end = text.find('^').expect("it has an end");
            let source = Source::parse(text.replace('^', ""));
            Construct::trait_around(&Tree::new(&source), &(start..end)).map(str::to_owned)
        };
        assert_eq!(around("impl<^'a^> b::C<D> for E<'a> { fn f() {} }").as_deref(), Some("C"));
        assert_eq!(around("impl C for E { fn f(a: ^&A^) {} }").as_deref(), Some("C"));
        assert_eq!(around("impl C for E { fn f(a: A) { ^a^; } }"), None);
        assert_eq!(around("impl E { fn f(a: ^&A^) {} }"), None);
    }
}
