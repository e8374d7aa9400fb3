//! Expressions replaced by expressions inside them, whatever is around those.

use std::collections::VecDeque;

use syn::{BinOp, Expr, Lit, Stmt, UnOp};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::surroundings::leaves_macro;
use crate::syntax::{Node, Place, Syntax, precedence};

/// How many expressions are proposed for one; when one of them is taken, what is inside it comes to its turn.
const LIMIT: usize = 6;

/// How deep an expression may lie in the one that it replaces.
const DEPTH: usize = 3;

/// How many expressions are looked at for one: parentheses are no level, and may stand in each other.
const SEEN: usize = 100;

family! {
    "hoist", "Replaces expressions by expressions inside them.", in Expressions;

    /// Replace an expression by one inside it, the nearest first.
    ///
    /// An operand of an operator, the value of a cast `a as T`, of a reference `&a` or in parentheses, the element of an array or
    /// tuple, an argument. Breadth first, three levels deep, through closures, macro calls and blocks. What other families propose is left
    /// out: branches and blocks (`control`, `loops`, `blocks`), operands of `&&`, `||` and `!` (`boolean`), the body of a
    /// closure and links of a chain (`calls`). [FB: a subtree of the same symbol; PE]
    HOIST_EXPRESSION = "hoist-expression", Rule::Node(hoist_expression),
        "fn f() -> u8 { g(a + 1, |b| h(b)) }" => "fn f() -> u8 { h(b) }";
}

fn hoist_expression(origin: Node<'_>, out: &mut Proposals<'_>) {
    if !is_origin(origin) {
        return;
    }
    let Some(place) = Place::of(origin) else { return };
    let mut queue = VecDeque::from([(origin, 0)]);
    let (mut proposed, mut seen) = (0, 0);
    while let Some((node, depth)) = queue.pop_front() {
        let mut inner = Vec::new();
        expressions(node, &mut inner);
        for (child, expr) in inner {
            seen += 1;
            if seen > SEEN {
                return;
            }
            if leaves_macro(child, place.node) {
                continue;
            }
            // Parentheses go, whatever is in them.
            let is_bare = node.row() == origin.row() && is_parenthesised(node) && !is_parenthesised(child);
            let has_effect = !matches!(expr, Expr::Path(_) | Expr::Lit(_) | Expr::Closure(_));
            if (is_bare || is_worth(expr, node, depth)) && (!place.is_discarded() || has_effect) {
                if proposed == LIMIT {
                    return;
                }
                proposed += 1;
                match expr {
                    Expr::Block(_) if place.is_statement() => place.inline(out, child),
                    _ => place.keep(out, child),
                }
            }
            // Parentheses are no level.
            let depth = if matches!(expr, Expr::Paren(_)) { depth } else { depth + 1 };
            if depth < DEPTH {
                queue.push_back((child, depth));
            }
        }
    }
}

fn is_parenthesised(node: Node<'_>) -> bool {
    matches!(node.syntax(), Syntax::Expr(Expr::Paren(_)))
}

/// Collects the outermost expressions inside `node` in source order.
fn expressions<'t>(node: Node<'t>, found: &mut Vec<(Node<'t>, &'t Expr)>) {
    for child in node.children() {
        match child.syntax() {
            Syntax::Expr(expr) => found.push((child, expr)),
            Syntax::Macro(_)
            | Syntax::Block(_)
            | Syntax::Stmt(Stmt::Expr(..) | Stmt::Local(_) | Stmt::Macro(_))
            | Syntax::Local(_)
            | Syntax::Arm(_)
            | Syntax::FieldValue(_)
            | Syntax::Tokens(_) => expressions(child, found),
            _ => {}
        }
    }
}

/// Whether `node` is replaced here by what is inside it, and not by another family.
fn is_origin(node: Node<'_>) -> bool {
    match node.syntax() {
        Syntax::Stmt(Stmt::Macro(_)) => true,
        Syntax::Expr(expr) => match expr {
            Expr::Binary(expr) => !matches!(expr.op, BinOp::And(_) | BinOp::Or(_)),
            Expr::Unary(expr) => !matches!(expr.op, UnOp::Not(_)),
            Expr::Array(_)
            | Expr::Assign(_)
            | Expr::Await(_)
            | Expr::Call(_)
            | Expr::Cast(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Macro(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
            | Expr::Range(_)
            | Expr::RawAddr(_)
            | Expr::Reference(_)
            | Expr::Repeat(_)
            | Expr::Struct(_)
            | Expr::Try(_)
            | Expr::Tuple(_) => true,
            _ => false,
        },
        _ => false,
    }
}

/// Whether `expr`, a child of `parent`, is worth being proposed.
fn is_worth(expr: &Expr, parent: Node<'_>, depth: usize) -> bool {
    if let Syntax::Expr(outer) = parent.syntax()
        && precedence::base(outer).is_some_and(|base| std::ptr::eq(base, expr))
    {
        // The callee is a function, and a chain without its last links is what `drop-link` makes.
        return depth > 0 && precedence::base(expr).is_none() && !matches!(outer, Expr::Call(_));
    }
    match expr {
        Expr::Path(_) => depth == 0,
        // The values of literals are other families' business, their types are not.
        Expr::Lit(expr) => depth == 0 && !matches!(expr.lit, Lit::Int(_) | Lit::Bool(_)),
        Expr::Tuple(expr) => !expr.elems.is_empty(),
        Expr::Break(_) | Expr::Continue(_) | Expr::Infer(_) | Expr::Let(_) | Expr::Return(_) | Expr::Yield(_) => false,
        // What is inside is.
        Expr::Paren(_) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;
    use crate::{Analysis, Source, Tree, enumerate};

    #[test]
    fn the_nearest_comes_first() {
        check(
            &HOIST_EXPRESSION,
            "const A: u8 = f(b + g(c), -d);",
            &[
                "const A: u8 = b + g(c);",
                "const A: u8 = -d;",
                "const A: u8 = g(c);",
                "const A: u8 = f(b, -d);",
                "const A: u8 = f(g(c), -d);",
                "const A: u8 = f(b + c, -d);",
                "const A: u8 = f(b + g(c), d);",
            ],
        );
    }

    #[test]
    fn parentheses_go() {
        check(
            &HOIST_EXPRESSION,
            "const A: u8 = (()).b((1));",
            &["const A: u8 = ().b((1));", "const A: u8 = (()).b(1);"],
        );
    }

    #[test]
    fn closures_macros_and_blocks_are_no_walls() {
        check(
            &HOIST_EXPRESSION,
            "fn f() { g(|a| { let b = h(i); m!(n(o)) }); }",
            &[
                "fn f() { let b = h(i); m!(n(o)); }",
                "fn f() { h(i); }",
                "fn f() { m!(n(o)); }",
                "fn f() { g(|a| { let b = i; m!(n(o)) }); }",
                "fn f() { g(|a| { let b = h(i); n(o) }); }",
                "fn f() { g(|a| { let b = h(i); m!(o) }); }",
            ],
        );
        check(&HOIST_EXPRESSION, "fn f() { m! { a(b); c }; }", &["fn f() { a(b); }", "fn f() { m! { b; c }; }"]);
    }

    #[test]
    fn parentheses_are_put_where_they_are_needed() {
        check(
            &HOIST_EXPRESSION,
            "const A: u8 = f(b | c).d;",
            &["const A: u8 = b | c;", "const A: u8 = (b | c).d;", "const A: u8 = f(b).d;", "const A: u8 = f(c).d;"],
        );
    }

    #[test]
    fn the_root_of_a_chain_is_hoisted_and_its_links_are_not() {
        check(&HOIST_EXPRESSION, "const A: u8 = a.b().c()?;", &["const A: u8 = a;", "const A: u8 = a?;"]);
        check(&HOIST_EXPRESSION, "const A: u8 = a.b();", &[]);
    }

    #[test]
    fn what_others_propose_is_left_to_them() {
        check(&HOIST_EXPRESSION, "fn f() { if a { b } else { c }; !a; a && b; |a| b; { a }; f(); }", &[]);
        check(&HOIST_EXPRESSION, "fn f() { g(a, 1, \"b\"); a.b; a = 1; }", &[]);
    }

    #[test]
    fn what_is_deep_in_parentheses_is_not_looked_for_from_each_of_them() {
        let deep = ["(".repeat(300), "a + b".to_owned(), ")".repeat(300)].concat();
        let source = Source::parse(format!("const A: u8 = {deep};"));
        let count = enumerate(&Analysis::of(&Tree::new(&source)), &HOIST_EXPRESSION).len();
        assert!((50..300).contains(&count), "{count}");
    }

    #[test]
    fn metavariables_stay_in_their_macro() {
        check(&HOIST_EXPRESSION, "fn f() { let a = quote!({ $b }); }", &[]);
    }
}
