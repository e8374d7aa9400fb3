//! Values whose type is written, replaced by values inside them whose types are written, too.

use std::ops::Range;

use syn::{BinOp, Expr, FnArg, Item, Pat, Stmt, UnOp};

use crate::names::analysis::Analysis;
use crate::names::functions::Function;
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::Edit;

/// How many values are proposed for one.
const LIMIT: usize = 4;

family! {
    "retyping", "Replaces values of written types by values inside them, and the types by theirs.", in Coupled;

    /// Replace the value of a `static`, `const` or typed `let` by a value inside it whose type is written, with that type.
    ///
    /// ```text
    /// fn f(a: &str) -> u64 { 0 }
    /// static S: u64 = f("a");
    /// =>
    /// fn f(a: &str) -> u64 { 0 }
    /// static S: &str = "a";
    /// ```
    ///
    /// Types are written for the arguments of functions of the file, for variables with a type, for casts and constants, and
    /// for what operators make of these.
    RETYPE_VALUE = "retype-value", Rule::Tree(retype_value);
}

fn retype_value(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let functions = analysis.functions();
    for node in analysis.nodes() {
        let (ty, value) = match node.syntax() {
            Syntax::Item(Item::Const(item)) => (range(&*item.ty), &*item.expr),
            Syntax::Item(Item::Static(item)) => (range(&*item.ty), &*item.expr),
            Syntax::Local(local) => match (&local.pat, &local.init) {
                (Pat::Type(pat), Some(init)) if init.diverge.is_none() => (range(&*pat.ty), &*init.expr),
                _ => continue,
            },
            _ => continue,
        };
        let whole = range(value);
        let mut proposed = 0;
        let inside =
            node.descendants().filter(|inner| whole.start <= inner.range().start && inner.range().end <= whole.end);
        for inner in inside {
            for (own_type, own_value) in typed_parts(inner, functions) {
                if proposed == LIMIT {
                    break;
                }
                proposed += 1;
                let edits = vec![
                    Edit::replace(ty.clone(), own_type),
                    Edit::delete(whole.start..own_value.start),
                    Edit::delete(own_value.end..whole.end),
                ];
                out.edit(node.range(), edits);
            }
        }
    }
}

/// The values directly inside `node` whose types are written, with these.
fn typed_parts(node: Node<'_>, functions: &[Function<'_>]) -> Vec<(String, Range<usize>)> {
    match node.syntax() {
        Syntax::Stmt(Stmt::Local(local)) => match (&local.pat, &local.init) {
            (Pat::Type(pat), Some(init)) => vec![(node.text_at(range(&*pat.ty)).to_owned(), range(&*init.expr))],
            _ => Vec::new(),
        },
        Syntax::Expr(Expr::Cast(expr)) => vec![(node.text_at(range(&*expr.ty)).to_owned(), node.range())],
        Syntax::Expr(Expr::Call(expr)) => {
            let Expr::Path(callee) = &*expr.func else { return Vec::new() };
            let Some(name) = callee.path.segments.last().map(|segment| &segment.ident) else { return Vec::new() };
            let fits = |f: &&Function<'_>| f.signature.ident == *name && f.signature.inputs.len() == expr.args.len();
            let Some(function) = functions.iter().find(fits) else { return Vec::new() };
            let typed = function.signature.inputs.iter().zip(&expr.args).filter_map(|(parameter, argument)| {
                let FnArg::Typed(parameter) = parameter else { return None };
                let ty = range(&*parameter.ty);
                function.is_closed(&ty).then(|| (node.text_at(ty).to_owned(), range(argument)))
            });
            typed.collect()
        }
        Syntax::Expr(expr @ (Expr::Reference(_) | Expr::Binary(_) | Expr::Unary(_))) => {
            told(node, expr).map(|ty| (ty, node.range())).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The type of an expression, as far as constants and casts tell it.
fn told(node: Node<'_>, expr: &Expr) -> Option<String> {
    match expr {
        Expr::Cast(expr) => Some(node.text_at(range(&*expr.ty)).to_owned()),
        Expr::Paren(expr) => told(node, &expr.expr),
        Expr::Reference(expr) => told(node, &expr.expr)
            .map(|ty| if expr.mutability.is_some() { format!("&mut {ty}") } else { format!("&{ty}") }),
        Expr::Unary(expr) => (!matches!(expr.op, UnOp::Deref(_))).then(|| told(node, &expr.expr))?,
        Expr::Binary(expr) => {
            // Both sides are of the type of the whole.
            let uniform = matches!(
                expr.op,
                BinOp::Add(_)
                    | BinOp::Sub(_)
                    | BinOp::Mul(_)
                    | BinOp::Div(_)
                    | BinOp::Rem(_)
                    | BinOp::BitAnd(_)
                    | BinOp::BitOr(_)
                    | BinOp::BitXor(_)
            );
            uniform.then(|| told(node, &expr.left).or_else(|| told(node, &expr.right)))?
        }
        Expr::Path(path) => {
            let name = path.path.get_ident()?;
            node.tree().nodes().find_map(|node| match node.syntax() {
                Syntax::Item(Item::Const(item)) if item.ident == *name => {
                    Some(node.text_at(range(&*item.ty)).to_owned())
                }
                Syntax::Item(Item::Static(item)) if item.ident == *name => {
                    Some(node.text_at(range(&*item.ty)).to_owned())
                }
                _ => None,
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn an_argument_takes_the_type_of_its_parameter_along() {
        check(
            &RETYPE_VALUE,
            "fn f<T>(a: T, b: &u8, c: [u8; 1]) -> u64 { 0 } const A: u64 = f(1, &2, [3]);",
            &[
                "fn f<T>(a: T, b: &u8, c: [u8; 1]) -> u64 { 0 } const A: &u8 = &2;",
                "fn f<T>(a: T, b: &u8, c: [u8; 1]) -> u64 { 0 } const A: [u8; 1] = [3];",
            ],
        );
    }

    #[test]
    fn variables_and_casts_have_written_types() {
        check(
            &RETYPE_VALUE,
            "static A: u64 = { let a: &u8 = &1; let b = 2 as u8; 0 };",
            &["static A: &u8 = &1;", "static A: u8 = 2 as u8;"],
        );
        check(&RETYPE_VALUE, "fn f() { let a: u64 = b(c as u8); }", &["fn f() { let a: u8 = c as u8; }"]);
    }

    #[test]
    fn operators_tell_the_type_of_what_they_make() {
        check(
            &RETYPE_VALUE,
            "static A: u8 = 1; static B: () = { &(0 | A); };",
            &["static A: u8 = 1; static B: &u8 = &(0 | A);", "static A: u8 = 1; static B: u8 = 0 | A;"],
        );
        check(&RETYPE_VALUE, "const A: u8 = 1; const B: bool = -A == 2;", &["const A: u8 = 1; const B: u8 = -A;"]);
        check(&RETYPE_VALUE, "const A: &u8 = &1; const B: bool = *A == 2 && A < f(A);", &[]);
    }

    #[test]
    fn what_has_no_written_type_is_left_alone() {
        check(&RETYPE_VALUE, "fn f(a: u8) {} fn g() { let a = f(1); h(2 as u8); }", &[]);
        check(&RETYPE_VALUE, "fn f(a: impl A) {} const A: u8 = f(1); static B: u8 = g(2);", &[]);
    }
}
