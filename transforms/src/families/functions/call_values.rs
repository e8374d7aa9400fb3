//! Calls that give way to a value of the type that is returned.

use std::collections::HashMap;

use syn::{GenericArgument, PathArguments, ReturnType, Type, TypePath};

use crate::names::functions::variable_type;
use crate::names::references::fill;
use crate::names::{Analysis, Call, Home};
use crate::placeholders::values;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::is_primitive;
use crate::syntax::{Filler, Syntax, precedence, range};
use crate::text::{Edit, outermost};

family! {
    "call-values", "Puts values in the place of calls.", in Coupled at 11;

    /// Replace all calls of a function by a value of the type that it returns, and delete the function.
    ///
    /// Unlike `loop {}` they go on being evaluated, so that what comes after them is still reached.
    REPLACE_CALLS = "replace-calls", Rule::Tree(replace_calls),
        "struct S;\n\
         fn f(a: u8) -> Box<S> { g(a) }\n\
         fn h() { i(f(1), f(2)); }"
        => "struct S;\n\
            fn h() { i(Box::new(S), Box::new(S)); }";
}

/// Foreign types whose function `new` takes their contents.
const HOLDERS: [&str; 8] = ["Arc", "Box", "Cell", "Mutex", "Pin", "Rc", "RefCell", "RwLock"];

/// The types of the file that have a value without fields.
struct Constructors<'t> {
    values: HashMap<&'t str, String>,
}

impl<'t> Constructors<'t> {
    /// Reads the types of `tree`.
    fn of(names: &Analysis<'t>) -> Self {
        let all = names.types().map(|definition| (definition.name(), definition.value()));
        Self { values: all.filter(|(_, value)| !value.ends_with('}')).collect() }
    }

    /// A short value of `ty`, where `own` is the type that `Self` stands for; `None` if it is unknown.
    fn value(&self, ty: &Type, own: &str) -> Option<String> {
        if let Some(value) = values::of_type(ty).first() {
            return Some((*value).to_owned());
        }
        match ty {
            Type::Paren(ty) => self.value(&ty.elem, own),
            Type::Path(ty) if ty.qself.is_none() => self.of_path(ty, own),
            Type::Reference(ty) => {
                let sigil = if ty.mutability.is_some() { "&mut " } else { "&" };
                Some(format!("{sigil}{}", self.value(&ty.elem, own)?))
            }
            Type::Tuple(ty) => {
                let values: Option<Vec<String>> = ty.elems.iter().map(|ty| self.value(ty, own)).collect();
                let comma = if ty.elems.len() == 1 { "," } else { "" };
                Some(format!("({}{comma})", values?.join(", ")))
            }
            _ => None,
        }
    }

    fn of_path(&self, ty: &TypePath, own: &str) -> Option<String> {
        let segment = ty.path.segments.last()?;
        let name = segment.ident.to_string();
        if let Some(value) = self.values.get(if name == "Self" { own } else { &name }) {
            return Some(value.clone());
        }
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
        let held = arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        });
        let held = self.value(held.filter(|_| HOLDERS.contains(&name.as_str()))?, own)?;
        let path: Vec<String> = ty.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        Some(format!("{}::new({held})", path.join("::")))
    }
}

fn replace_calls(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let values = Constructors::of(analysis);
    for function in analysis.functions() {
        let own = match &function.home {
            Home::Module => "",
            Home::Type(name) => name,
            Home::Trait(_) => continue,
        };
        let ReturnType::Type(_, ty) = &function.signature.output else { continue };
        let Some(value) = values.value(ty, own) else { continue };
        let inside = function.node.range();
        let calls = function.calls();
        let outside: Vec<&Call<'_>> = calls.iter().filter(|call| !inside.contains(&call.node.range().start)).collect();
        if outside.is_empty() {
            continue;
        }
        let mut edits = vec![Edit::delete(inside)];
        for call in outside {
            edits.extend(replaced(call, &value));
            if needs_type(ty) {
                edits.extend(variable_type(function, call));
            }
        }
        out.edit(range(&function.signature.ident), outermost(edits));
    }
}

fn replaced(call: &Call<'_>, value: &str) -> Option<Edit> {
    let is_base = match (call.node.parent()?.syntax(), call.node.syntax()) {
        (Syntax::Expr(parent), Syntax::Expr(expr)) => {
            precedence::base(parent).is_some_and(|base| std::ptr::eq(base, expr))
        }
        _ => false,
    };
    // Without parentheses, a field or method would apply before the reference is taken.
    let text = if is_base && value.starts_with('&') { format!("({value})") } else { value.to_owned() };
    fill(call.node, Filler::Atom, &text)
}

/// Whether a value of `ty` may not tell of which type it is: which number, what a `None` might hold.
fn needs_type(ty: &Type) -> bool {
    let Type::Path(ty) = ty else { return true };
    ty.path.segments.last().is_some_and(|segment| {
        let name = segment.ident.to_string();
        !segment.arguments.is_none() || is_primitive(&name) && !matches!(&*name, "bool" | "char")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;
    use crate::{Source, Tree};

    #[test]
    fn a_value_stands_for_every_call() {
        check(
            &REPLACE_CALLS,
            "struct S; fn f(a: u8) -> S { f(a) } fn g() { let a = f(1); h(f(2), f); }",
            &["struct S; fn g() { let a = S; h(S, f); }"],
        );
        check(
            &REPLACE_CALLS,
            "impl E { fn f(&self) -> Self { g() } } enum E { A(u8), B } fn h(e: E) { e.f().a; E::f(e); }",
            &["impl E { } enum E { A(u8), B } fn h(e: E) { E::B.a; E::B; }"],
        );
    }

    #[test]
    fn variables_keep_types_that_their_value_does_not_tell() {
        check(
            &REPLACE_CALLS,
            "fn f() -> Option<u8> { a } fn g() { let b = f(); let c: A = f(); }",
            &["fn g() { let b: Option<u8> = None; let c: A = None; }"],
        );
    }

    #[test]
    fn references_are_taken_before_they_are_read() {
        check(&REPLACE_CALLS, "fn f() -> &'static u8 { a } fn g() { f().h(f()) }", &["fn g() { (&0).h(&0) }"]);
    }

    #[test]
    fn functions_without_calls_or_known_values_stay() {
        check(&REPLACE_CALLS, "struct S(u8); fn f() -> S { a } fn g() { f(); }", &[]);
        check(&REPLACE_CALLS, "fn f() -> u8 { f() } fn g() { h(f) }", &[]);
        check(&REPLACE_CALLS, "fn f() { } fn g() { f() }", &[]);
        check(&REPLACE_CALLS, "trait T { fn f() -> u8; } fn g() { T::f() }", &[]);
    }

    /// Checks the value of `ty` beside a struct `S`, an enum `E` and a struct `T` with a field, in an impl of `S`.
    #[track_caller]
    fn check_value(ty: &str, expected: Option<&str>) {
        let source = Source::parse("struct S; enum E { A(u8), B } struct T(u8);");
        let tree = Tree::new(&source);
        let ty = syn::parse_str(ty).expect("the tests hold types");
        assert_eq!(Constructors::of(&Analysis::of(&tree)).value(&ty, "S").as_deref(), expected);
    }

    #[test]
    fn types_of_the_file_have_values() {
        check_value("S", Some("S"));
        check_value("m::E", Some("E::B"));
        check_value("Self", Some("S"));
    }

    #[test]
    fn values_are_made_of_others() {
        check_value("Box<u8>", Some("Box::new(0)"));
        check_value("std::rc::Rc<(S, bool)>", Some("std::rc::Rc::new((S, true))"));
        check_value("&'a mut E", Some("&mut E::B"));
        check_value("(S,)", Some("(S,)"));
    }

    #[test]
    fn what_needs_fields_has_none() {
        for ty in ["T", "Box<T>", "(S, T)", "A<S>", "fn()", "<S as A>::B"] {
            check_value(ty, None);
        }
    }
}
