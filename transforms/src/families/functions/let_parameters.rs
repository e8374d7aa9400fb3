//! Variables that become parameters of their function, as their values are not needed.

use syn::{Block, Expr, ImplItem, Item, Local, Pat, Path, ReturnType, Stmt};

use crate::names::analysis::Analysis;
use crate::names::definitions::Definition;
use crate::names::functions::{Function, Home};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::tree::{Syntax, Tree, range};
use crate::text::edit::{Edit, outermost};

family! {
    "let-parameters", "Makes parameters of variables.", in Coupled at 14;

    /// Make a parameter of a variable whose type is written, in a function that nobody calls.
    ///
    /// ```text
    /// fn f() -> Box<u8> { Box::new(1) }
    /// fn g() { let a = f(); a.h(a); }
    /// =>
    /// fn g(a: Box<u8>) { a.h(a); }
    /// ```
    ///
    /// The type is that of the variable, of what the called function returns, or of the struct or enum of the file that is
    /// made. A function goes that is called for the variable only. What `main` does becomes another function, as `main` has no
    /// parameters: a trial where the program is no smaller then.
    LET_TO_PARAMETER = "let-to-parameter", Rule::Tree(let_to_parameter);
}

fn let_to_parameter(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let functions = analysis.functions();
    let types = Types { functions, types: analysis.types() };
    for function in functions {
        let Some(body) = body(function).filter(|_| !is_used(function, analysis)) else { continue };
        let Some(head) = head(function, body, analysis) else { continue };
        for stmt in &body.stmts {
            let Stmt::Local(local) = stmt else { continue };
            let Some((ty, made_by)) = types.of(local, function) else { continue };
            let pat = match &local.pat {
                Pat::Type(pat) => range(&*pat.pat),
                pat => range(pat),
            };
            let parameter = format!("{}: {ty}", function.node.text_at(pat));
            let mut edits = vec![Edit::delete(range(stmt)), function.parameters().appended(&parameter)];
            edits.extend(head.iter().cloned());
            let only = made_by.filter(|made_by| {
                let ident = range(&made_by.signature.ident);
                made_by.node.row() != function.node.row()
                    && analysis.uses(&made_by.name(), 0..usize::MAX, ident).count() == 1
            });
            edits.extend(only.map(|made_by| Edit::delete(made_by.node.range())));
            out.trial(range(local), outermost(edits));
        }
    }
}

/// The body of a function whose signature nothing else must agree with.
fn body<'t>(function: &Function<'t>) -> Option<&'t Block> {
    match function.node.syntax() {
        Syntax::Item(Item::Fn(item)) => Some(&item.block),
        Syntax::ImplItem(ImplItem::Fn(item)) if matches!(function.home, Home::Type(_)) => Some(&item.block),
        _ => None,
    }
}

/// Whether the file speaks of `function` elsewhere.
fn is_used(function: &Function<'_>, tree: &Tree<'_>) -> bool {
    tree.uses(&function.name(), 0..usize::MAX, range(&function.signature.ident)).next().is_some()
}

/// The edits that rename `main` and give the file an empty one; empty for a function of another name, `None` if it cannot
/// be done.
fn head(function: &Function<'_>, body: &Block, tree: &Tree<'_>) -> Option<Vec<Edit>> {
    if function.name() != "main" || function.home != Home::Module {
        return Some(Vec::new());
    }
    let is_free = |name: &char| tree.occurrences(&name.to_string()).next().is_none();
    let name = ('a'..='z').find(is_free)?;
    Some(vec![
        Edit::replace(range(&function.signature.ident), name.to_string()),
        Edit::replace(body.brace_token.span.close().byte_range(), "}\nfn main() {}"),
    ])
}

/// Where types are written.
struct Types<'a, 't> {
    functions: &'a [Function<'t>],
    types: &'a [Definition<'t>],
}

impl<'a, 't> Types<'a, 't> {
    /// The type of a variable of `function`, and the function that makes its value, if it is a function of the file.
    fn of(&self, local: &Local, function: &Function<'t>) -> Option<(&'t str, Option<&'a Function<'t>>)> {
        let init = local.init.as_ref();
        if init.is_some_and(|init| init.diverge.is_some()) {
            return None;
        }
        let made = init.and_then(|init| self.made(&init.expr));
        if let Pat::Type(pat) = &local.pat {
            let made_by = made.and_then(|(_, made_by)| made_by);
            return Some((function.node.text_at(range(&*pat.ty)), made_by)).filter(|(ty, _)| !holds_hole(ty));
        }
        made
    }

    /// The type of the value that `expr` makes.
    fn made(&self, expr: &Expr) -> Option<(&'t str, Option<&'a Function<'t>>)> {
        match expr {
            Expr::Call(expr) => match &*expr.func {
                Expr::Path(callee) => {
                    self.returned(&callee.path, expr.args.len()).or_else(|| self.constructed(&callee.path))
                }
                _ => None,
            },
            Expr::Path(expr) => self.constructed(&expr.path),
            Expr::Struct(expr) => self.constructed(&expr.path),
            _ => None,
        }
    }

    /// The return type of the function at `path`.
    fn returned(&self, path: &Path, arguments: usize) -> Option<(&'t str, Option<&'a Function<'t>>)> {
        let name = &path.segments.last()?.ident;
        let mut found = self.functions.iter().filter(|function| function.signature.ident == *name);
        let (Some(function), None) = (found.next(), found.next()) else { return None };
        let ReturnType::Type(_, ty) = &function.signature.output else { return None };
        let ty = range(&**ty);
        let fits = function.signature.inputs.len() == arguments && function.is_closed(&ty);
        fits.then(|| (function.node.text_at(ty), Some(function)))
    }

    /// The type of the file whose value `path` makes.
    fn constructed(&self, path: &Path) -> Option<(&'t str, Option<&'a Function<'t>>)> {
        let mut last = path.segments.iter().rev().take(2);
        let found = last.find_map(|segment| self.types.iter().find(|ty| segment.ident == ty.name()))?;
        found.params().next().is_none().then(|| (found.name(), None))
    }
}

/// Whether a part of a type is left to inference, which a parameter's cannot be.
fn holds_hole(ty: &str) -> bool {
    crate::text::lex::tokens(ty).into_iter().any(|token| &ty[token.range] == "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::check, testing::check_trials};

    #[test]
    fn types_are_written_for_the_variable_or_what_it_holds() {
        check(
            &LET_TO_PARAMETER,
            "struct S; fn f(a: A,) { let mut b: Vec<u8> = vec![1, 2]; let c = m::S::new(1, 2); let d = 1; }",
            &[
                "struct S; fn f(a: A, mut b: Vec<u8>) { let c = m::S::new(1, 2); let d = 1; }",
                "struct S; fn f(a: A, c: S) { let mut b: Vec<u8> = vec![1, 2]; let d = 1; }",
            ],
        );
    }

    #[test]
    fn what_makes_the_value_goes_if_it_does_nothing_else() {
        check(
            &LET_TO_PARAMETER,
            "fn f() -> B { a } fn g(m: M) { let b = f(); f(); } fn h() -> A { i } fn j() { let (k, l) = h(); }",
            &[
                "fn f() -> B { a } fn g(m: M, b: B) { f(); } fn h() -> A { i } fn j() { let (k, l) = h(); }",
                "fn f() -> B { a } fn g(m: M) { let b = f(); f(); } fn j((k, l): A) { }",
            ],
        );
    }

    #[test]
    fn main_becomes_another_function() {
        check_trials(
            &LET_TO_PARAMETER,
            "struct S; fn main() { let a = S; a; }",
            &["struct S; fn b(a: S) { a; } fn main() {}"],
        );
        check(&LET_TO_PARAMETER, "fn f() -> S { g() } fn main() { let a = f(); }", &["fn b(a: S) { } fn main() {}"]);
    }

    #[test]
    fn functions_that_are_called_stay() {
        let text = "struct S; fn f() { let a = S; g(f) } trait T { fn h() { let a = S; } } impl T for A { fn i() { let a: S = b; } }";
        check(&LET_TO_PARAMETER, text, &[]);
        check_trials(&LET_TO_PARAMETER, text, &[]);
    }

    #[test]
    fn types_that_are_not_written_or_mean_nothing_outside_stay() {
        let text = "struct S<T>(T); fn f() { let a = S(1); let b: Vec<_> = c; let d = g(); let A = h else { i }; let e: A = k else { l }; } fn g<T>() -> T { j }";
        check(&LET_TO_PARAMETER, text, &[]);
        check_trials(&LET_TO_PARAMETER, text, &[]);
    }
}
