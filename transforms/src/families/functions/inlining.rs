//! Functions inlined where they are called.

use std::collections::HashMap;
use std::ops::Range;

use syn::{Block, Expr, FnArg, GenericParam, Ident, Item, Pat, ReturnType, Stmt};

use crate::names::functions::{annotation, variable_type};
use crate::names::references::is_shorthand;
use crate::names::{Analysis, Call, Function, Home};
use crate::placeholders::values::output;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::attributes::is_inner;
use crate::syntax::generics::parameter_name;
use crate::syntax::surroundings::{has_metavariables, mentions, signature};
use crate::syntax::{Node, Syntax, range};
use crate::text::{Edit, edited, outermost};

family! {
    "inlining", "Inlines functions.", in Coupled at 30;

    /// Put the body of a function in place of its calls and delete the function.
    ///
    /// With a `return` only where the caller ends with the call. Arguments stand in place of the parameters; an
    /// alternative binds the parameters with `let`, which keeps their types. Of a function that only loops or panics, another is that as a value of the type that it claims to return.
    /// In LPR (Zhang et al., *LPR: Large Language Models-Aided Program Reduction*, 2024) inlining was most of what a
    /// language model added to a reducer.
    INLINE_FUNCTION = "inline-function", Rule::Tree(inline_function),
        "fn f(a: &str) { println!(); g(a) }\n\
         fn main() { f(\"b\"); }"
        => r#"fn main() { { println!(); g("b") }; }"#;
}

fn inline_function(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let functions = analysis.functions();
    let mut times: HashMap<String, usize> = HashMap::new();
    for function in functions {
        *times.entry(function.name()).or_default() += 1;
    }
    // Another function of its name is a mention that is no call.
    let is_only = |function: &&Function<'_>| function.home == Home::Module && times[&function.name()] == 1;
    for function in functions.iter().filter(is_only) {
        let calls = function.calls();
        // A `return` or `?` there leaves the caller, which ends as well.
        let may_return = calls.iter().all(|call| ends_caller(function, call.node));
        let Some(body) = body(function, may_return) else { continue };
        let everywhere = 0..analysis.source().text().len();
        let uses = analysis.uses(&function.name(), everywhere, range(&function.signature.ident));
        // A recursive function never ends, and one that is passed on is needed.
        let is_inside = |call: &Call<'_>| function.node.range().contains(&call.node.range().start);
        if calls.is_empty() || calls.len() != uses.count() || calls.iter().any(is_inside) {
            continue;
        }
        // A call among the arguments of another one would have to be changed twice.
        let mut sites: Vec<Range<usize>> = calls.iter().map(|call| call.node.range()).collect();
        sites.sort_by_key(|site| site.start);
        if sites.windows(2).any(|pair| pair[1].start < pair[0].end) {
            continue;
        }
        let texts = |of: &dyn Fn(&Call<'_>) -> Option<String>| calls.iter().map(of).collect::<Option<Vec<String>>>();
        let ways = [
            texts(&|call| inlined(function, body, call, true)),
            texts(&|call| inlined(function, body, call, false)),
            texts(&|_| diverging(function, body)),
        ];
        for texts in ways.into_iter().flatten() {
            let mut edits = vec![Edit::delete(function.node.range())];
            for (call, text) in calls.iter().zip(texts) {
                edits.push(Edit::replace(call.node.range(), text));
                edits.extend(variable_type(function, call));
            }
            out.trial(function.node.range(), outermost(edits));
        }
    }
}

/// The body of `function`, if it means the same elsewhere, where a `return` may stand or not.
fn body<'t>(function: &Function<'t>, may_return: bool) -> Option<&'t Block> {
    let Syntax::Item(Item::Fn(item)) = function.node.syntax() else { return None };
    let signature = function.signature;
    let plain = signature.asyncness.is_none() && signature.variadic.is_none() && !item.attrs.iter().any(is_inner);
    let inside = item.block.brace_token.span.join().byte_range();
    let source = function.node.tree().source();
    // Tokens that syn does not know may be all of a block only.
    let is_unknown = |stmt: &Stmt| matches!(stmt, Stmt::Expr(Expr::Verbatim(_), _) | Stmt::Item(Item::Verbatim(_)));
    // Metavariables only have a meaning in their macro.
    if item.block.stmts.iter().any(is_unknown) || has_metavariables(source, &inside) {
        return None;
    }
    let mut words = source.code(inside.clone()).map(|(word, _)| word);
    // A `return`, `?` or `await` would leave another function.
    let leaves = words.any(|word| word == "await" || !may_return && matches!(word, "return" | "?"));
    let generics = signature.generics.params.iter().filter(|param| !matches!(param, GenericParam::Lifetime(_)));
    let generics: Vec<String> = generics.map(parameter_name).collect();
    (plain && !leaves && !mentions(source, &inside, &generics)).then_some(&item.block)
}

/// Whether `call` is the last that a function does, which returns what `function` returns.
fn ends_caller(function: &Function<'_>, mut call: Node<'_>) -> bool {
    let wanted = output(function.signature);
    while let Some(stmt) = call.parent()
        && let Syntax::Stmt(Stmt::Expr(_, semi)) = stmt.syntax()
        && let Some(around) = stmt.parent().and_then(Node::parent)
        && stmt.is_last()
        && (semi.is_none() || wanted.is_none())
    {
        if let Some(caller) = signature(around) {
            return caller.asyncness.is_none() && output(caller) == wanted;
        }
        if !matches!(around.syntax(), Syntax::Expr(Expr::Block(_) | Expr::Unsafe(_))) {
            return false;
        }
        call = around;
    }
    false
}

fn inlined(function: &Function<'_>, body: &Block, call: &Call<'_>, substituted: bool) -> Option<String> {
    let text = function.node.source_text();
    let inside = body.brace_token.span.join().byte_range();
    let inside = inside.start + 1..inside.end - 1;
    let mut edits = Vec::new();
    let mut lets = String::new();
    for (index, parameter) in function.signature.inputs.iter().enumerate() {
        let FnArg::Typed(parameter) = parameter else { return None };
        let argument = &text[call.arguments.elements[index].clone()];
        if substituted {
            let Syntax::Expr(Expr::Call(expr)) = call.node.syntax() else { return None };
            let argument = Argument { text: argument, expr: &expr.args[index] };
            edits.extend(substitution(function, &parameter.pat, argument, &inside)?);
        } else {
            let ty = annotation(function, &parameter.ty);
            let pat = &text[range(&*parameter.pat)];
            lets += &format!("let {pat}{ty} = {argument};");
        }
    }
    if !substituted && lets.is_empty() {
        return None;
    }
    edits.sort_by_key(|edit| edit.range.start);
    let block = format!("{{ {lets} {} }}", edited(text, inside, &edits));
    Some(if begins_more(call.node) || ends_before_else(call.node) { format!("({block})") } else { block })
}

/// An endless loop, or a panic, of the type that a function claims to return, if that is all it does.
fn diverging(function: &Function<'_>, body: &Block) -> Option<String> {
    let [stmt] = body.stmts.as_slice() else { return None };
    let diverges = match stmt {
        Stmt::Expr(Expr::Loop(expr), None) => expr.body.stmts.is_empty(),
        Stmt::Expr(Expr::Macro(expr), None) => expr.mac.path.is_ident("panic"),
        Stmt::Macro(stmt) => stmt.mac.path.is_ident("panic"),
        _ => false,
    };
    let ReturnType::Type(_, ty) = &function.signature.output else { return None };
    let (value, ty) = (range(stmt), range(&**ty));
    let text = |range| function.node.text_at(range).trim_end_matches(';');
    (diverges && function.is_closed(&ty)).then(|| format!("({} as {})", text(value), text(ty)))
}

/// An argument that stands in place of a parameter.
#[derive(Clone, Copy)]
struct Argument<'t> {
    text: &'t str,
    expr: &'t Expr,
}

impl<'t> Argument<'t> {
    fn is_atom(self) -> bool {
        matches!(self.expr, Expr::Lit(_) | Expr::Paren(_) | Expr::Path(_))
    }

    /// The variable that it borrows, if it does only that.
    fn borrowed(self) -> Option<&'t Ident> {
        let Expr::Reference(reference) = self.expr else { return None };
        let Expr::Path(path) = &*reference.expr else { return None };
        path.path.get_ident()
    }

    /// Its text in place of `used`, a parameter in an expression. Before a dot the variable itself stands: Rust borrows it there.
    fn text_at(self, used: Node<'_>) -> String {
        let is_before_dot = used.parent().is_some_and(|around| match around.syntax() {
            Syntax::Expr(Expr::MethodCall(call)) => range(&*call.receiver) == used.range(),
            Syntax::Expr(Expr::Field(_)) => true,
            _ => false,
        });
        match self.borrowed().filter(|_| is_before_dot) {
            Some(variable) => variable.to_string(),
            None if self.is_atom() => self.text.to_owned(),
            None => format!("({})", self.text),
        }
    }
}

/// The edits that put `argument` in place of a parameter in the body; `None` if it would be evaluated more than once or never.
fn substitution(
    function: &Function<'_>,
    pat: &Pat,
    argument: Argument<'_>,
    inside: &Range<usize>,
) -> Option<Vec<Edit>> {
    let ident = match pat {
        Pat::Wild(_) => return Some(Vec::new()),
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => &pat.ident,
        _ => return None,
    };
    let name = ident.to_string();
    let uses: Vec<_> = function.node.tree().uses(&name, inside.clone(), range(ident)).collect();
    if uses.len() > 1 && !argument.is_atom() && argument.borrowed().is_none() {
        return None;
    }
    let mut edits = Vec::new();
    for used in uses {
        // Not a field's or another function's name, nor hidden in a macro.
        let (path, ..) = used.path()?;
        let value = path.parent().filter(|node| matches!(node.syntax(), Syntax::Expr(Expr::Path(_))))?;
        let text = argument.text_at(value);
        let text = if is_shorthand(value) { format!("{name}: {text}") } else { text };
        (path.text() == name).then(|| edits.push(Edit::replace(used.range, text)))?;
    }
    let hidden = edits.is_empty() && mentions(function.node.tree().source(), inside, &[name]);
    (!hidden).then_some(edits)
}

/// Whether a larger expression begins with `call`, so that a block in its place could be read as a statement.
fn begins_more(call: Node<'_>) -> bool {
    let start = call.range().start;
    let around = call.ancestors().take_while(|node| node.range().start == start);
    around.into_iter().any(|node| matches!(node.syntax(), Syntax::Expr(_)))
}

/// Whether the `else` of a `let` follows `call`, before which no brace may close.
fn ends_before_else(call: Node<'_>) -> bool {
    let ends_here = |node: Node<'_>| match node.syntax() {
        Syntax::Local(local) => {
            let init = local.init.as_ref().filter(|init| init.diverge.is_some());
            init.is_some_and(|init| range(&*init.expr).end == call.range().end)
        }
        _ => false,
    };
    call.ancestors().any(ends_here)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn the_body_stands_in_place_of_the_call() {
        check(&INLINE_FUNCTION, "fn f() { a(); } fn g() { f(); }", &["fn g() { { a(); }; }"]);
        check(&INLINE_FUNCTION, "fn f() -> A { a } fn g() { let b = f(); }", &["fn g() { let b: A = { a }; }"]);
        check(&INLINE_FUNCTION, "fn f() -> A { a } fn g() { f().b(); }", &["fn g() { ({ a }).b(); }"]);
    }

    #[test]
    fn arguments_are_put_in_or_bound() {
        check(
            &INLINE_FUNCTION,
            "fn f(a: &A, _: B) -> C { h(a as D) } fn g() -> C { f(&x + 1, 2) }",
            &[
                "fn g() -> C { { h((&x + 1) as D) } }",
                "fn g() -> C { { let a: &A = &x + 1; let _: B = 2; h(a as D) } }",
            ],
        );
    }

    #[test]
    fn a_borrowed_variable_may_stand_in_several_places() {
        check(
            &INLINE_FUNCTION,
            "fn f(a: &mut A) { a.g(); a.0.h(b.i(a)); *a } fn k() { f(&mut x) }",
            &[
                "fn k() { { x.g(); x.0.h(b.i((&mut x))); *(&mut x) } }",
                "fn k() { { let a: &mut A = &mut x; a.g(); a.0.h(b.i(a)); *a } }",
            ],
        );
    }

    #[test]
    fn a_body_before_an_else_gets_parentheses() {
        check(
            &INLINE_FUNCTION,
            "fn f() -> A { a } fn g() { let Some(b) = f() else { h() }; let Some(c) = d + f() else { h() }; }",
            &["fn g() { let Some(b): A = ({ a }) else { h() }; let Some(c) = d + ({ a }) else { h() }; }"],
        );
    }

    #[test]
    fn a_field_that_is_named_as_its_value_gets_a_colon() {
        check(
            &INLINE_FUNCTION,
            "fn f(a: A) -> S { S { a } } fn g() { f(b.c); }",
            &["fn g() { { S { a: (b.c) } }; }", "fn g() { { let a: A = b.c; S { a } }; }"],
        );
    }

    #[test]
    fn an_endless_function_leaves_its_type() {
        check(
            &INLINE_FUNCTION,
            "fn f(a: A) -> &'static dyn B { loop {} } fn g() { f(1).b(); }",
            &[
                "fn g() { ({ loop {} }).b(); }",
                "fn g() { ({ let a: A = 1; loop {} }).b(); }",
                "fn g() { (loop {} as &'static dyn B).b(); }",
            ],
        );
        check(
            &INLINE_FUNCTION,
            "fn f() -> A { panic!() } fn g() { f(); }",
            &["fn g() { { panic!() }; }", "fn g() { (panic!() as A); }"],
        );
        check(&INLINE_FUNCTION, "fn f() -> impl A { loop {} } fn g() { f() }", &["fn g() { { loop {} } }"]);
    }

    #[test]
    fn types_that_mean_nothing_outside_are_left_out() {
        check(
            &INLINE_FUNCTION,
            "fn f<'a, T: A>(a: &'a T, b: impl B) { h(a, a, b) } fn g() { f(x(), y) }",
            &["fn g() { { let a = x(); let b = y; h(a, a, b) } }"],
        );
    }

    #[test]
    fn a_return_leaves_a_caller_that_ends() {
        check(
            &INLINE_FUNCTION,
            "unsafe fn f() { if a { return } b } fn g() { unsafe { f(); } }",
            &["fn g() { unsafe { { if a { return } b }; } }"],
        );
        check(&INLINE_FUNCTION, "fn f() -> A { a?; b } fn g() -> A { f() }", &["fn g() -> A { { a?; b } }"]);
        check(&INLINE_FUNCTION, "fn f() { return; } fn g() { f(); a() }", &[]);
        check(&INLINE_FUNCTION, "fn f() -> A { return a } fn g() { f(); }", &[]);
        check(&INLINE_FUNCTION, "fn f() { return; } async fn g() { f() } fn h() { || f() }", &[]);
        check(&INLINE_FUNCTION, "fn f() { return; } fn h() { let a = || { f() }; b(a) }", &[]);
    }

    #[test]
    fn what_would_mean_something_else_stays() {
        check(&INLINE_FUNCTION, "fn f() { return; } fn g() { f(); h() }", &[]);
        check(&INLINE_FUNCTION, "fn f() { f() } fn g() { f() }", &[]);
        check(&INLINE_FUNCTION, "fn f() { a } fn g() { f(); h(f) }", &[]);
        check(&INLINE_FUNCTION, "fn f<T>() { h::<T>() } fn g() { f::<u8>() }", &[]);
        check(&INLINE_FUNCTION, "async fn f() {} fn g() { f() }", &[]);
        check(&INLINE_FUNCTION, "impl A { fn f() { a } fn g() { Self::f() } }", &[]);
    }

    #[test]
    fn a_parameter_that_a_macro_mentions_is_bound() {
        check(
            &INLINE_FUNCTION,
            "fn f(a: u8) -> A { println!(\"{a}\") } fn g() { f(1) }",
            &["fn g() { { let a: u8 = 1; println!(\"{a}\") } }"],
        );
    }

    #[test]
    fn what_means_something_in_its_place_only_stays() {
        check(&INLINE_FUNCTION, "fn f(a: u8) { #![b] g(a) } fn h() { f(1) }", &[]);
        check(&INLINE_FUNCTION, "m! { fn f(a: u8) { $b(a) } } fn h() { f(1) }", &[]);
    }
}
