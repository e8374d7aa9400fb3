//! Expressions replaced by the shortest values that may be of their type.

use syn::{Expr, ExprCall, ExprMethodCall, Macro};

use crate::placeholders::expectation::{Expectation, expectation};
use crate::placeholders::values;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Filler, Node, Place, Precedence, Syntax};

family! {
    "values", "Replaces expressions by the shortest values.", in Values;

    /// Replace an expression by a short value of the type that is written around it, or that it is likely to have.
    ///
    /// What is written around it decides first: the type of a `let`, a constant or a function, being a condition, an index or
    /// an operand of arithmetic. Then the expression itself: `Some(..)` may become `None`. Of what nothing is known only a
    /// value of any type is left: `loop {}`, which coerces to every type but ends the execution, and `Default::default()`,
    /// which does not; and `0`, as most types in a small program are numbers. Statements are the family `stmts`. (From *The Debugging Book* and Felix Klock.)
    REPLACE_BY_VALUE = "replace-by-value", Rule::Node(replace_by_value),
        "fn f() { let a: u8 = g(b) + c; }" => "fn f() { let a: u8 = 0; }";
}

/// The values that any type has, or may have.
const ANY: [&str; 2] = ["loop {}", "Default::default()"];

/// Values with methods, which are those of a trait of the program.
const RECEIVERS: [&str; 3] = ["0", "\"\"", "()"];

fn replace_by_value(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Expr(expr) = node.syntax() else { return };
    if is_left_alone(expr) {
        return;
    }
    let Some(place) = Place::of(node).filter(|place| !place.is_discarded() && !place.is_braced()) else { return };
    let mut candidates: Vec<&str> = Vec::new();
    match expectation(node) {
        Expectation::Closed => {}
        Expectation::Open => {
            candidates.extend(own_values(expr));
            let known = !candidates.is_empty();
            candidates.extend(&ANY[..if known { 1 } else { 2 }]);
            candidates.extend((!known && !is_token(expr)).then_some("0"));
        }
        Expectation::Type(ty) => {
            candidates.extend(values::of_type(ty));
            let known = !candidates.is_empty();
            candidates.extend(&ANY[..if known { 1 } else { 2 }]);
        }
        Expectation::Const(ty) => candidates.extend(values::of_type(ty)),
        Expectation::Number => candidates.push("0"),
        Expectation::Divisor => candidates.push("1"),
        Expectation::Condition => candidates.extend(["true", "false"]),
        Expectation::Receiver => candidates.extend(RECEIVERS),
        Expectation::Iterable => candidates.extend(["[]", ANY[0]]),
        Expectation::Body => candidates.extend(["()", ANY[0], ANY[1]]),
        Expectation::Unit => candidates.push("()"),
    }
    for value in candidates {
        let filler = if value.ends_with('}') { Filler::BlockLike } else { Filler::Atom };
        place.put(out, filler, value);
    }
}

/// Whether `expr` is short, never ends, or is of a type that no other value has.
fn is_left_alone(expr: &Expr) -> bool {
    match expr {
        Expr::Assign(_)
        | Expr::Async(_)
        | Expr::Break(_)
        | Expr::Closure(_)
        | Expr::Continue(_)
        | Expr::Infer(_)
        | Expr::Let(_)
        | Expr::Lit(_)
        | Expr::Paren(_)
        | Expr::Return(_)
        | Expr::Verbatim(_)
        | Expr::Yield(_) => true,
        // These are conditions, which the family `boolean` decides.
        Expr::Binary(expr) => matches!(
            Precedence::of_operator(&expr.op),
            Precedence::And | Precedence::Assign | Precedence::Compare | Precedence::Or
        ),
        _ => false,
    }
}

/// Whether `expr` is a name, or `()`, which the family `units` replaces.
fn is_token(expr: &Expr) -> bool {
    match expr {
        Expr::Path(expr) => expr.path.get_ident().is_some(),
        Expr::Tuple(expr) => expr.elems.is_empty(),
        _ => false,
    }
}

/// Short values of the type that `expr` has by the looks of it.
fn own_values(expr: &Expr) -> &'static [&'static str] {
    match expr {
        Expr::Array(_) | Expr::Repeat(_) => &["[]"],
        Expr::Binary(_) => &["0"],
        Expr::Call(expr) => of_call(expr),
        Expr::Cast(expr) => values::of_type(&expr.ty),
        Expr::Macro(expr) => of_macro(&expr.mac),
        Expr::MethodCall(expr) => of_method(expr),
        Expr::Reference(expr) => match &*expr.expr {
            Expr::Array(_) | Expr::Repeat(_) if expr.mutability.is_none() => &["&[]"],
            Expr::Macro(_) | Expr::MethodCall(_) if own_values(&expr.expr) == ["String::new()"] => &["\"\""],
            _ => &[],
        },
        Expr::Unary(expr) if matches!(expr.op, syn::UnOp::Neg(_)) => &["0"],
        _ => &[],
    }
}

fn of_call(expr: &ExprCall) -> &'static [&'static str] {
    let Expr::Path(path) = &*expr.func else { return &[] };
    let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
    match (names.next().as_deref(), names.next().as_deref()) {
        (Some("Some"), None) => &["None"],
        (Some("from"), Some("String")) => &["String::new()"],
        _ => &[],
    }
}

fn of_macro(mac: &Macro) -> &'static [&'static str] {
    match mac.path.segments.last().map(|segment| segment.ident.to_string()).as_deref() {
        Some("format") => &["String::new()"],
        Some("vec") => &["vec![]"],
        Some("concat" | "env" | "file" | "include_str" | "stringify") => &["\"\""],
        Some("column" | "line") => &["0"],
        Some("cfg" | "matches") => &["true", "false"],
        _ => &[],
    }
}

fn of_method(expr: &ExprMethodCall) -> &'static [&'static str] {
    match expr.method.to_string().as_str() {
        "to_string" => &["String::new()"],
        "len" | "count" | "capacity" => &["0"],
        "contains" | "contains_key" | "eq" | "ne" | "lt" | "gt" | "any" | "all" | "starts_with" | "ends_with" => {
            &["true", "false"]
        }
        name if name.starts_with("is_") => &["true", "false"],
        "as_str" | "trim" => &["\"\""],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn the_written_type_decides() {
        check(
            &REPLACE_BY_VALUE,
            "fn f() { let a: bool = g(1, 2); }",
            &["fn f() { let a: bool = true; }", "fn f() { let a: bool = false; }", "fn f() { let a: bool = loop {}; }"],
        );
        check(
            &REPLACE_BY_VALUE,
            "fn f() -> u8 { if true { g() } else { return 1 + h() } }",
            &[
                "fn f() -> u8 { 0 }",
                "fn f() -> u8 { loop {} }",
                "fn f() -> u8 { if true { 0 } else { return 1 + h() } }",
                "fn f() -> u8 { if true { g() } else { return 0 } }",
                "fn f() -> u8 { if true { g() } else { return loop {} } }",
                "fn f() -> u8 { if true { g() } else { return 1 + 0 } }",
            ],
        );
        check(&REPLACE_BY_VALUE, "const A: Option<B> = c;", &[]);
        check(&REPLACE_BY_VALUE, "const A: Option<B> = Some(1);", &["const A: Option<B> = None;"]);
    }

    #[test]
    fn the_place_decides() {
        check(
            &REPLACE_BY_VALUE,
            "fn f() { if a() { b[c()]; } }",
            &["fn f() { if true { b[c()]; } }", "fn f() { if false { b[c()]; } }", "fn f() { if a() { b[0]; } }"],
        );
        check(
            &REPLACE_BY_VALUE,
            "fn f() { for a in b() {} 1 % c(); }",
            &["fn f() { for a in [] {} 1 % c(); }", "fn f() { for a in b() {} 1 % 1; }"],
        );
        check(&REPLACE_BY_VALUE, "fn f() { a(|| b(1)); }", &["fn f() { a(|| ()); }", "fn f() { a(|| loop {}); }"]);
    }

    #[test]
    fn a_receiver_may_be_a_literal() {
        check(
            &REPLACE_BY_VALUE,
            "fn f() { (0 as u8).b(); a.c() }",
            &["fn f() { (0).b(); a.c() }", "fn f() { (\"\").b(); a.c() }", "fn f() { (()).b(); a.c() }"],
        );
    }

    #[test]
    fn the_looks_decide() {
        check(&REPLACE_BY_VALUE, "fn f() { a(Some(1)); }", &["fn f() { a(None); }", "fn f() { a(loop {}); }"]);
        check(&REPLACE_BY_VALUE, "fn f() { a(&format!(\"b\")); }", &["fn f() { a(\"\"); }", "fn f() { a(loop {}); }"]);
    }

    #[test]
    fn any_type_has_a_loop_and_may_have_a_default() {
        check(
            &REPLACE_BY_VALUE,
            "fn f() { let a = b(1, 2); }",
            &["fn f() { let a = loop {}; }", "fn f() { let a = Default::default(); }", "fn f() { let a = 0; }"],
        );
    }

    #[test]
    fn what_is_short_or_used_as_it_is_stays() {
        check(&REPLACE_BY_VALUE, "fn f() { a(b, 1, (), None, []); let c = |d| d; }", &[]);
        check(&REPLACE_BY_VALUE, "fn f() { a(1); a(2).b; *a(3) = 1; &a(4); !a(5); a(6)? }", &[]);
        check(&REPLACE_BY_VALUE, "fn f() { let a = b == c; let d = e && g; }", &[]);
        check(&REPLACE_BY_VALUE, "enum E { A = b() } fn f(a: [u8; g()]) {} fn h() { a(1) }", &[]);
    }
}
