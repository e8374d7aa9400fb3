//! The surroundings of a node and the contents of a block, for transforms of expressions and statements.

use std::ops::Range;

use syn::visit::{self, Visit};
use syn::{Block, Expr, ImplItem, Item, Pat, PatIdent, ReturnType, Signature, Stmt, TraitItem};

use crate::halt;
use crate::syntax::precedence;
use crate::syntax::source::Source;
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::Edit;
use crate::text::lex::Kind;

/// The block that `body` is: a block, or an expression that is one without attributes and label.
pub(crate) fn block(body: Node<'_>) -> Option<Node<'_>> {
    match body.syntax() {
        Syntax::Block(_) => Some(body),
        Syntax::Expr(expr) if precedence::is_plain_block(expr) => body.children().next(),
        _ => None,
    }
}

pub(crate) fn child<'t>(node: Node<'t>, expr: &Expr) -> Option<Node<'t>> {
    node.children().find(|child| matches!(child.syntax(), Syntax::Expr(other) if std::ptr::eq(other, expr)))
}

pub(crate) fn child_block(node: Node<'_>) -> Option<Node<'_>> {
    node.children().find(|child| matches!(child.syntax(), Syntax::Block(_)))
}

/// The bytes from the first to the last statement of `block`.
pub(crate) fn statements(block: Node<'_>) -> Option<Range<usize>> {
    let mut stmts = block.children();
    let first = stmts.next()?;
    let last = stmts.last().unwrap_or(first);
    Some(first.range().start..last.range().end)
}

pub(crate) fn only_expression(block: Node<'_>) -> Option<Node<'_>> {
    match block.syntax() {
        Syntax::Block(Block { stmts, .. }) if stmts.len() == 1 => tail(block),
        _ => None,
    }
}

/// The last expression of `block`, if no semicolon follows.
pub(crate) fn tail(block: Node<'_>) -> Option<Node<'_>> {
    let Syntax::Block(Block { stmts, .. }) = block.syntax() else { return None };
    let Some(Stmt::Expr(expr, None)) = stmts.last() else { return None };
    child(block.children().last()?, expr)
}

/// The expression at the end of `block`, if a semicolon must follow it before another statement.
pub(crate) fn open_end(block: Node<'_>) -> Option<&Expr> {
    let Syntax::Block(Block { stmts, .. }) = block.syntax() else { return None };
    match stmts.last() {
        Some(Stmt::Expr(expr, None)) if !precedence::is_block_like(expr) => Some(expr),
        _ => None,
    }
}

pub(crate) fn signature(node: Node<'_>) -> Option<&Signature> {
    match node.syntax() {
        Syntax::Item(Item::Fn(item)) => Some(&item.sig),
        Syntax::ImplItem(ImplItem::Fn(item)) => Some(&item.sig),
        Syntax::TraitItem(TraitItem::Fn(item)) => Some(&item.sig),
        _ => None,
    }
}

pub(crate) fn body(node: Node<'_>) -> Option<&Block> {
    match node.syntax() {
        Syntax::Item(Item::Fn(item)) => Some(&item.block),
        Syntax::ImplItem(ImplItem::Fn(item)) => Some(&item.block),
        Syntax::TraitItem(TraitItem::Fn(item)) => item.default.as_ref(),
        _ => None,
    }
}

/// Whether `block` is the body of a function or closure.
pub(crate) fn is_body(block: Node<'_>) -> bool {
    let Some(parent) = block.parent() else { return false };
    let closure = |node: Node<'_>| matches!(node.syntax(), Syntax::Expr(Expr::Closure(_)));
    signature(parent).is_some() || parent.parent().is_some_and(closure)
}

/// Whether `block` is known to have no value: the body of a function without return type, of a loop, of an `if` without
/// `else`, or nested in such a one as its last expression.
pub(crate) fn is_unit_block(mut block: Node<'_>) -> bool {
    loop {
        let Some(mut node) = block.parent() else { return false };
        if !matches!(block.syntax(), Syntax::Block(_)) {
            return false;
        }
        if let Some(signature) = signature(node) {
            return matches!(signature.output, ReturnType::Default);
        }
        // Up to the expression that is a statement.
        let stmt = loop {
            match node.syntax() {
                Syntax::Expr(Expr::ForLoop(_) | Expr::Loop(_) | Expr::While(_)) => return true,
                Syntax::Expr(Expr::If(expr)) if expr.else_branch.is_none() => return true,
                Syntax::Expr(Expr::Block(_) | Expr::If(_) | Expr::Match(_) | Expr::Unsafe(_)) | Syntax::Arm(_) => {}
                Syntax::Stmt(stmt) => break stmt,
                _ => return false,
            }
            let Some(parent) = node.parent() else { return false };
            node = parent;
        };
        match stmt {
            Stmt::Expr(_, None) if !node.is_last() => return true,
            Stmt::Expr(_, None) => {}
            _ => return false,
        }
        let Some(parent) = node.parent() else { return false };
        block = parent;
    }
}

/// The edits that delete the return type `node` and make the last expression a statement, if that may have a value.
pub(crate) fn without_return_type(node: Node<'_>) -> Vec<Edit> {
    let stmts = node.parent().and_then(returning).unwrap_or_default();
    let (tail, diverges) = match stmts.last() {
        Some(Stmt::Expr(expr, None)) => (Some(range(expr)), diverges(expr)),
        Some(Stmt::Macro(stmt)) if stmt.semi_token.is_none() => (Some(range(stmt)), false),
        _ => (None, true),
    };
    let semicolon = tail.filter(|_| !diverges).map(|tail| Edit::replace(tail.end..tail.end, ";"));
    std::iter::once(Edit::delete(node.range())).chain(semicolon).collect()
}

/// Whether an expression is of any type, `()` too.
fn diverges(expr: &Expr) -> bool {
    let names = ["panic", "todo", "unimplemented", "unreachable"];
    match expr {
        Expr::Loop(_) | Expr::Return(_) => true,
        Expr::Macro(expr) => names.iter().any(|name| expr.mac.path.is_ident(name)),
        _ => false,
    }
}

/// The statements of what has the signature or closure `node`.
fn returning(node: Node<'_>) -> Option<&[Stmt]> {
    let block = match node.syntax() {
        Syntax::Expr(Expr::Closure(expr)) => match &*expr.body {
            Expr::Block(body) => &body.block,
            _ => return None,
        },
        Syntax::Signature(_) => body(node.parent()?)?,
        _ => return None,
    };
    Some(&block.stmts)
}

/// Whether `node` is in a loop of its own function or closure.
pub(crate) fn is_in_loop(node: Node<'_>) -> bool {
    for ancestor in node.ancestors() {
        match ancestor.syntax() {
            Syntax::Expr(Expr::ForLoop(_) | Expr::Loop(_) | Expr::While(_)) => return true,
            Syntax::Expr(Expr::Async(_) | Expr::Closure(_)) | Syntax::Item(_) | Syntax::ImplItem(_) => return false,
            _ => {}
        }
    }
    false
}

/// Whether a `break` or `continue` inside `node`, a loop or labelled block, would have no target without it.
pub(crate) fn is_jumped(node: Node<'_>) -> bool {
    let Syntax::Expr(expr @ (Expr::Block(_) | Expr::ForLoop(_) | Expr::Loop(_) | Expr::While(_))) = node.syntax()
    else {
        return false;
    };
    let label = precedence::label(expr);
    let lone = !matches!(expr, Expr::Block(_)) && !is_in_loop(node);
    let mut unlabelled_until = 0;
    for inner in node.descendants() {
        let target = match inner.syntax() {
            Syntax::Expr(Expr::Break(expr)) => &expr.label,
            Syntax::Expr(Expr::Continue(expr)) => &expr.label,
            // An unlabelled jump inside another loop or closure targets that.
            Syntax::Expr(Expr::Async(_) | Expr::Closure(_) | Expr::ForLoop(_) | Expr::Loop(_) | Expr::While(_)) => {
                unlabelled_until = unlabelled_until.max(inner.range().end);
                continue;
            }
            _ => continue,
        };
        match (target, label) {
            (Some(target), Some(label)) if target.ident == label.name.ident => return true,
            (None, _) if lone && inner.range().start >= unlabelled_until => return true,
            _ => {}
        }
    }
    false
}

/// The names that `pat` binds; a name in capitals is a constant.
pub(crate) fn bindings(pat: &Pat) -> Vec<String> {
    struct Bindings(Vec<String>);
    impl<'ast> Visit<'ast> for Bindings {
        fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
            let name = pat.ident.to_string();
            if !name.starts_with(char::is_uppercase) {
                self.0.push(name);
            }
            visit::visit_pat_ident(self, pat);
        }
        fn visit_expr(&mut self, _: &'ast Expr) {}
    }
    let mut bindings = Bindings(Vec::new());
    bindings.visit_pat(pat);
    bindings.0
}

pub(crate) fn uses(body: Node<'_>, pat: &Pat) -> bool {
    mentions(body.tree().source(), &body.range(), &bindings(pat))
}

/// Whether `kept` would be moved out of a macro call in `outer` with its metavariables, which mean nothing outside.
pub(crate) fn leaves_macro(kept: Node<'_>, outer: Node<'_>) -> bool {
    let is_call = |node: Node<'_>| matches!(node.syntax(), Syntax::Macro(_));
    has_metavariables(kept.tree().source(), &kept.range())
        && kept.ancestors().take_while(|node| node.row() > outer.row()).any(is_call)
        && !outer.ancestors().any(is_call)
}

pub(crate) fn has_metavariables(source: &Source, range: &Range<usize>) -> bool {
    source.text()[range.clone()].contains('$') && mentions(source, range, &["$".to_owned()])
}

/// Whether one of `names` occurs in `range`, as an identifier or captured by a format string.
pub(crate) fn mentions(source: &Source, range: &Range<usize>, names: &[String]) -> bool {
    if names.is_empty() {
        return false;
    }
    let tokens = source.tokens();
    let first = tokens.partition_point(|token| token.range.start < range.start);
    tokens[first..]
        .iter()
        .inspect(|_| halt::step())
        .take_while(|token| token.range.start < range.end)
        .filter(|token| token.kind == Kind::Code)
        .map(|token| &source.text()[token.range.clone()])
        .any(|token| {
            names.iter().any(|name| token == name || token.contains('"') && token.contains(&format!("{{{name}")))
        })
}

/// The macros whose arguments are expressions that are evaluated unchanged.
const EVALUATING: &str = "assert assert_eq assert_ne dbg debug_assert debug_assert_eq debug_assert_ne eprint eprintln format \
                          panic print println todo unreachable vec write writeln";

/// Whether the arguments of `call` are expressions that it evaluates unchanged.
pub(crate) fn is_evaluated(call: &syn::Macro) -> bool {
    call.path.segments.last().is_some_and(|name| EVALUATING.split(' ').any(|known| name.ident == known))
}

/// The expressions among the arguments of the macro call that `node` is.
pub(crate) fn macro_arguments(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let call = node.children().find(|child| matches!(child.syntax(), Syntax::Macro(_)));
    call.into_iter().flat_map(Node::children).filter(|child| matches!(child.syntax(), Syntax::Expr(_)))
}

/// Whether more than a name or literal is evaluated.
pub(crate) fn has_effect(node: Node<'_>) -> bool {
    !matches!(node.syntax(), Syntax::Expr(Expr::Path(_) | Expr::Lit(_)))
}

/// The `.await`s inside `node` that belong to it and not to something asynchronous inside it.
pub(crate) fn awaits(node: Node<'_>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut end = 0;
    for inner in node.descendants() {
        if inner.range().start < end {
            continue;
        }
        match inner.syntax() {
            Syntax::Expr(Expr::Await(expr)) => found.push(range(&expr.dot_token).start..range(&expr.await_token).end),
            Syntax::Expr(Expr::Async(_)) | Syntax::Item(_) => end = inner.range().end,
            Syntax::Expr(Expr::Closure(expr)) if expr.asyncness.is_some() => end = inner.range().end,
            _ => {}
        }
    }
    found
}
