//! Bindings that give way to their value.

use std::ops::Range;

use syn::{Expr, Local, Pat, ReturnType, Stmt, Type};

use crate::names::references::fill_name;
use crate::names::{Analysis, Variable};
use crate::placeholders::values::of_type;
use crate::rule::propose::inline_variables;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::surroundings::{bindings, mentions, signature};
use crate::syntax::{Filler, Node, Occurrence, Precedence, Source, Syntax, precedence, range};
use crate::text::Edit;
use crate::text::format::{Placeholder, placeholders};

family! {
    "bindings", "Puts values in the place of the names they are bound to.", in Bindings;

    /// Replace a name that is bound by `let` by its value, where it is used once or the value is a literal or a name.
    ///
    /// The name may be in a format string: `{a}` becomes `{}` with an argument. An alternative casts the value to the type
    /// that is written for the name. Where it has no value, a short one of that type takes its place, or 0.
    INLINE_BINDING = "inline-binding", Rule::Tree(inline_binding),
        "fn f() { let a = 1 + 2; let b = 4; g(a * 3, b, b); }" => "fn f() { let b = 4; g((1 + 2) * 3, b, b); }";

    /// Replace a name of a written type that nothing uses by a cast of its value, or return the value, also that of a cast.
    ///
    /// It is returned where it is the last of a function that returns nothing: what the type asks of the value stays.
    BINDING_TO_CAST = "binding-to-cast", Rule::Node(binding_to_cast),
        "fn f(a: &u8) { let b: &dyn T = a; }" => "fn f(a: &u8) -> &dyn T { a }";
}

fn binding_to_cast(node: Node<'_>, out: &mut Proposals<'_>) {
    match node.syntax() {
        Syntax::Local(local) => cast_or_return(node, local, out),
        Syntax::Stmt(Stmt::Expr(Expr::Cast(cast), Some(_))) => {
            let (value, ty) = (node.text_at(range(&*cast.expr)), node.text_at(range(&*cast.ty)));
            out.edit_any(node.range(), returned(node, value, ty));
        }
        _ => {}
    }
}

fn cast_or_return(node: Node<'_>, local: &Local, out: &mut Proposals<'_>) {
    if let Some(stmt) = node.parent()
        && let Some(block) = stmt.parent()
        && let Pat::Type(pat) = &local.pat
        && let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none())
        && !matches!(*pat.ty, Type::Infer(_))
        && !mentions(stmt.tree().source(), &(stmt.range().end..block.range().end), &bindings(&pat.pat))
    {
        let (value, ty) = (stmt.text_at(range(&*init.expr)), stmt.text_at(range(&*pat.ty)));
        out.edit_any(stmt.range(), returned(stmt, value, ty));
        out.replace(stmt.range(), format!("{};", cast(value, &init.expr, ty)));
    }
}

/// The edits that have a function return a value of a type in place of its last statement, if it returns nothing.
fn returned(stmt: Node<'_>, value: &str, ty: &str) -> Option<Vec<Edit>> {
    let signature = signature(stmt.parent()?.parent()?)?;
    if !stmt.is_last() || !matches!(signature.output, ReturnType::Default) {
        return None;
    }
    let end = range(&signature.paren_token.span.close()).end;
    Some(vec![Edit::replace(end..end, format!(" -> {ty}")), Edit::replace(stmt.range(), value)])
}

fn cast(text: &str, value: &Expr, ty: &str) -> String {
    let mut firsts = std::iter::successors(Some(value), |expr| precedence::first(expr));
    let fits = Precedence::of_operand(value) >= Precedence::Cast && !firsts.any(precedence::is_block_like);
    let (open, close) = if fits { ("", "") } else { ("(", ")") };
    format!("{open}{text}{close} as {ty}")
}

fn inline_binding(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let ways = |variable: &Variable<'_>| [false, true].map(|is_cast| inlined(variable, is_cast)).into_iter().flatten();
    inline_variables(analysis, out, ways);
}

/// The edits that put the value where the name stands: in one place, or in several if it is a literal or a name.
fn inlined(variable: &Variable<'_>, is_cast: bool) -> Option<Vec<Edit>> {
    let Variable { stmt, local, pat, ty, uses, captures, .. } = variable;
    let short: Expr;
    let (value, init) = match &local.init {
        Some(init) if init.diverge.is_none() => (stmt.text_at(range(&*init.expr)), &*init.expr),
        None if !is_cast => {
            let value = ty.and_then(|ty| of_type(ty).first()).unwrap_or(&"0");
            short = syn::parse_str(value).ok()?;
            (*value, &short)
        }
        _ => return None,
    };
    let is_literal = matches!(init, Expr::Lit(_));
    let is_name = matches!(init, Expr::Path(path) if path.path.get_ident().is_some());
    let count = uses.len() + captures.len();
    if local.init.is_none() && (count != 1 || uses.iter().any(is_assigned)) {
        return None;
    }
    if count == 0 || count > 1 && (!is_literal && !is_name || pat.mutability.is_some()) {
        return None;
    }
    if is_cast {
        let cast = format!("({})", cast(value, init, stmt.text_at(range((*ty)?))));
        let filled = uses.iter().map(|occurrence| fill_name(occurrence, Filler::Atom, &cast, false));
        return filled.collect::<Option<_>>().filter(|_| captures.is_empty());
    }
    let filled = uses.iter().map(|occurrence| fill_name(occurrence, Filler::Expr(init), value, is_literal));
    let source = stmt.tree().source();
    let captures = captures.iter().map(|capture| {
        if is_name { Some(Edit::replace(capture.clone(), value)) } else { printed(source, capture, value) }
    });
    filled.chain(captures).collect()
}

/// Whether a variable gets a value at `occurrence`.
fn is_assigned(occurrence: &Occurrence<'_>) -> bool {
    let parent = occurrence.path_end().and_then(Node::parent).and_then(Node::parent).map(Node::syntax);
    matches!(parent, Some(Syntax::Expr(Expr::Assign(assign))) if range(&*assign.left) == occurrence.range)
}

/// The edit that has a format string print an argument in place of the variable at `capture`; `None` if it has other
/// arguments or the variable is a width.
fn printed(source: &Source, capture: &Range<usize>, value: &str) -> Option<Edit> {
    let string = source.tokens().iter().find(|token| token.range.contains(&capture.start))?.range.clone();
    let (after, _) = source.code(string.end..usize::MAX).next()?;
    let is_last = matches!(after, ")" | "]" | "}");
    let literal = &source.text()[string.clone()];
    let own = capture.start - string.start..capture.end - string.start;
    let is_printed = |placeholder: &Placeholder| {
        placeholder.names == [own.clone()] && !literal[own.end..placeholder.range.end].starts_with('$')
    };
    let fits = is_last && !value.contains('$') && placeholders(literal).iter().any(is_printed);
    fits.then(|| Edit::replace(string.clone(), format!("{}{}, {value}", &literal[..own.start], &literal[own.end..])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn an_unused_value_is_cast_or_returned() {
        check(&BINDING_TO_CAST, "fn f(a: &u8) { let b: &dyn T = a; c() }", &["fn f(a: &u8) { a as &dyn T; c() }"]);
        check(
            &BINDING_TO_CAST,
            "fn f() { let _: [u8; 2] = a + b; }",
            &["fn f() -> [u8; 2] { a + b }", "fn f() { (a + b) as [u8; 2]; }"],
        );
        check(
            &BINDING_TO_CAST,
            "fn f() { { let a: u8 = 1; } let b: u8 = 1; b; let c = 1; let d: _ = 1; }",
            &["fn f() { { 1 as u8; } let b: u8 = 1; b; let c = 1; let d: _ = 1; }"],
        );
    }

    #[test]
    fn a_cast_is_returned() {
        check(&BINDING_TO_CAST, "fn f() { a; b as A; }", &["fn f() -> A { a; b }"]);
        check(&BINDING_TO_CAST, "fn f() -> B { b as A; } fn g() { b as A; c }", &[]);
    }

    #[test]
    fn a_value_takes_the_place_of_its_name() {
        check(
            &INLINE_BINDING,
            "fn f() { let mut a: u8 = b(); a.c(d) }",
            &["fn f() { b().c(d) }", "fn f() { (b() as u8).c(d) }"],
        );
        check(&INLINE_BINDING, "fn f() { let a = |b| b; a(1) }", &["fn f() { (|b| b)(1) }"]);
        check(&INLINE_BINDING, "fn f() { let a = S { b }; if a == c {} }", &["fn f() { if (S { b }) == c {} }"]);
    }

    #[test]
    fn a_variable_without_value_gives_way_to_a_short_one() {
        check(&INLINE_BINDING, "fn f() { let a; g(a) }", &["fn f() { g(0) }"]);
        check(&INLINE_BINDING, "fn f() { let a: &str; a.g() }", &["fn f() { \"\".g() }"]);
    }

    #[test]
    fn a_field_of_the_same_name_gets_its_value() {
        check(&INLINE_BINDING, "fn f() { let a = 1; S { a } }", &["fn f() { S { a: 1 } }"]);
    }

    #[test]
    fn a_literal_stands_among_bare_tokens() {
        check(&INLINE_BINDING, "fn f() { let a = 1; m!(=> a) }", &["fn f() { m!(=> 1) }"]);
    }

    #[test]
    fn bindings_in_a_row_are_inlined_one_by_one() {
        check(
            &INLINE_BINDING,
            "fn f() { let a = 1; let b = -a; b }",
            &["fn f() { let b = -1; b }", "fn f() { let a = 1; -a; }"],
        );
    }

    #[test]
    fn a_literal_takes_every_place() {
        check(&INLINE_BINDING, "fn f() { let a = 1; a + a }", &["fn f() { 1 + 1 }"]);
        check(
            &INLINE_BINDING,
            "fn f() { let a = 1; m!(\"{} {}\", a, a); S { a } }",
            &["fn f() { m!(\"{} {}\", 1, 1); S { a: 1 } }"],
        );
        check(&INLINE_BINDING, "fn f() { let mut a = 1; a += a }", &[]);
    }

    #[test]
    fn a_name_takes_every_place() {
        check(&INLINE_BINDING, "fn f() { let a = b; a + a }", &["fn f() { b + b }"]);
        check(&INLINE_BINDING, "fn f() { let a = b; m!(\"{a} {a:?}\", a); }", &["fn f() { m!(\"{b} {b:?}\", b); }"]);
        check(&INLINE_BINDING, "fn f() { let mut a = b; a += a }", &[]);
    }

    #[test]
    fn a_value_becomes_an_argument_of_a_format_string() {
        check(&INLINE_BINDING, "fn f() { let a = b.c; m!(\"{a:?}\"); }", &["fn f() { m!(\"{:?}\", b.c); }"]);
        check(&INLINE_BINDING, "fn f() { let a = 1; m!(d, \"{a}{b}\") }", &["fn f() { m!(d, \"{}{b}\", 1) }"]);
        check(&INLINE_BINDING, "fn f() { let a = b.c; m!(\"{a}{}\", d); m!(\"{:a$}\", d) }", &[]);
        check(&INLINE_BINDING, "fn f() { let a = b.c; m!(\"{:a$}\") } fn g() { let a = b.c; m!(\"{a}{a}\") }", &[]);
    }

    #[test]
    fn what_is_used_twice_or_never_stays() {
        check(&INLINE_BINDING, "fn f() { let a = -1; a + a }", &[]);
        check(&INLINE_BINDING, "fn f() { let a = 1; b.a; b.a(); } fn g() { a }", &[]);
    }

    #[test]
    fn what_is_no_plain_binding_or_use_stays() {
        check(&INLINE_BINDING, "fn f() { let (a,) = b; a }", &[]);
        check(&INLINE_BINDING, "fn f() { let ref a = b; a }", &[]);
        check(&INLINE_BINDING, "fn f() { let a; a = 1; }", &[]);
        check(&INLINE_BINDING, "fn f() { let a; a + a }", &[]);
        check(&INLINE_BINDING, "fn f() { let a = b else { c() }; a }", &[]);
        check(&INLINE_BINDING, "fn f() { let a = b; m!(=> a) }", &[]);
    }
}
