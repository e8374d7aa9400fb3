//! Elements of the lists in declarations: parameters, fields, variants; and other parts that may be left out.

use std::ops::Range;

use syn::{Fields, GenericParam, Ident, Item, ItemImpl, Token, TraitItem, Type, UseTree};

use crate::rule::{Proposals, Rule, elements, family, parts};
use crate::syntax::generics::{of_trait, outside};
use crate::syntax::{List, Node, Syntax, range};
use crate::text::Edit;

family! {
    "declaration-lists", "Deletes parts of declarations: parameters, fields, variants, traits of impls, values.", in Optional;

    /// Delete a variant of an enum.
    DELETE_VARIANT = "delete-variant", elements!(Syntax::Item(Item::Enum(_))), in Declarations,
        "enum E { A(u8), B }" => "enum E { B }";

    /// Delete a field of a struct, variant or union, the only one with its delimiters.
    DELETE_FIELD = "delete-field", Rule::Node(delete_field), in Lists,
        "struct S { a: u8, b: u8 }" => "struct S { b: u8 }";

    /// Delete a parameter of a function, or its variadic dots.
    DELETE_PARAMETER = "delete-parameter", elements!(Syntax::Signature(_)), in Declarations,
        "fn f(a: u8, b: u8) {}" => "fn f(b: u8) {}";

    /// Drop all fields of a struct or variant, with their delimiters.
    ///
    /// A single field is left to `delete-field`.
    DROP_FIELDS = "drop-fields", Rule::Node(drop_fields), "struct S { a: u8, b: u8 }" => "struct S;";

    /// Drop the trait of an impl, so that it is an inherent one.
    DROP_IMPL_TRAIT = "drop-impl-trait", parts!(node,
            Syntax::Item(Item::Impl(item)) if can_be_inherent(item) => of_trait(item)?),
        "impl A for B { fn f() {} }" => "impl B { fn f() {} }";

    /// Drop the discriminant of a variant, or the default of a generic parameter or an associated type or constant.
    DROP_DEFAULT_VALUE = "drop-default-value", parts!(node,
            Syntax::Variant(variant) => start(&variant.discriminant)?..node.range().end,
            Syntax::GenericParam(GenericParam::Type(param)) => start(&param.default)?..node.range().end,
            Syntax::GenericParam(GenericParam::Const(param)) => start(&param.default)?..node.range().end,
            Syntax::TraitItem(TraitItem::Const(item)) => start(&item.default)?..range(&item.semi_token).start,
            Syntax::TraitItem(TraitItem::Type(item)) => start(&item.default)?..range(&item.semi_token).start),
        "trait A { const B: u8 = 1; }" => "trait A { const B: u8; }";

    /// Drop the name of a parameter of a function pointer.
    DROP_PARAMETER_NAME = "drop-parameter-name", parts!(node,
            Syntax::NamedArg(arg) => name(&arg.name)?,
            Syntax::Type(Type::FnPtr(ty)) => name(&ty.variadic.as_ref()?.name)?),
        "type A = fn(b: B);" => "type A = fn(B);";

    /// Drop the new name of an import.
    DROP_RENAME = "drop-rename", Rule::Node(drop_rename), "use a::b as c;" => "use a::b;";
}

fn delete_field(node: Node<'_>, out: &mut Proposals<'_>) {
    let parent = node.parent().map(Node::syntax);
    match node.syntax() {
        Syntax::FieldsNamed(fields) => {
            let braces = fields.brace_token.span;
            let list = List::delimited(node, &fields.named, braces);
            match (parent, &list.elements[..]) {
                (Some(Syntax::Item(Item::Struct(_))), [field]) => {
                    out.edit(field.clone(), vec![Edit::replace(outside(braces), ";")]);
                }
                (Some(Syntax::Variant(_)), _) => list.delete_each_or(outside(braces), out),
                _ => list.delete_each(out),
            }
        }
        Syntax::FieldsUnnamed(fields) => {
            let parens = fields.paren_token.span;
            let list = List::delimited(node, &fields.unnamed, parens);
            list.delete_each_or(outside(parens), out);
            // `S()` may be written elsewhere.
            if list.len() == 1 {
                list.delete_each(out);
            }
        }
        _ => {}
    }
}

fn drop_fields(node: Node<'_>, out: &mut Proposals<'_>) {
    let (fields, is_struct) = match node.syntax() {
        Syntax::Item(Item::Struct(item)) => (&item.fields, true),
        Syntax::Variant(variant) => (&variant.fields, false),
        _ => return,
    };
    match fields {
        Fields::Named(fields) if fields.named.len() != 1 => {
            let site = outside(fields.brace_token.span);
            out.replace(site, if is_struct { ";" } else { "" });
        }
        Fields::Unnamed(fields) if fields.unnamed.len() != 1 => out.delete(outside(fields.paren_token.span)),
        _ => {}
    }
}

/// Whether an impl may lose its trait.
fn can_be_inherent(item: &ItemImpl) -> bool {
    match &*item.self_ty {
        // An impl for `!` would be a negative one.
        Type::Never(_) => false,
        // After a bare `impl`, a self type that begins with a bracket could be read as parameters.
        Type::Path(ty) => ty.qself.is_none() || item.generics.lt_token.is_some(),
        _ => true,
    }
}

/// Where `= value` starts.
fn start<T>(value: &Option<(Token![=], T)>) -> Option<usize> {
    value.as_ref().map(|(eq_token, _)| range(eq_token).start)
}

/// The bytes of `name:`.
fn name(name: &Option<(Ident, Token![:])>) -> Option<Range<usize>> {
    name.as_ref().map(|(name, colon)| range(name).start..range(colon).end)
}

fn drop_rename(node: Node<'_>, out: &mut Proposals<'_>) {
    match node.syntax() {
        Syntax::UseTree(UseTree::Rename(tree)) => out.delete(range(&tree.as_token).start..node.range().end),
        Syntax::Item(Item::ExternCrate(item)) => {
            if let Some((as_token, name)) = &item.rename {
                out.delete_in(range(name), range(as_token).start..range(name).end);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn variants_go_with_a_comma() {
        check(
            &DELETE_VARIANT,
            "enum E { #[a] A { b: C } = 1, D }",
            &["enum E { D }", "enum E { #[a] A { b: C } = 1 }"],
        );
        check(&DELETE_VARIANT, "/// d\nenum E<T> { /// a\n A(T) }", &["/// d\nenum E<T> { }"]);
        check(&DELETE_VARIANT, "enum E {} struct S { a: u8 }", &[]);
    }

    #[test]
    fn fields_go_with_a_comma() {
        check(
            &DELETE_FIELD,
            "struct S { #[x] pub a: A, b: B, }",
            &["struct S { b: B, }", "struct S { #[x] pub a: A, }"],
        );
        check(&DELETE_FIELD, "union U { a: A }", &["union U { }"]);
        check(&DELETE_FIELD, "enum E { V(pub A, B) }", &["enum E { V(B) }", "enum E { V(pub A) }"]);
    }

    #[test]
    fn the_only_field_goes_with_its_delimiters() {
        check(&DELETE_FIELD, "struct S { a: A }", &["struct S;"]);
        check(&DELETE_FIELD, "struct S<T>(A) where T: B;", &["struct S<T> where T: B;", "struct S<T>() where T: B;"]);
        check(&DELETE_FIELD, "enum E { V { a: A } }", &["enum E { V }"]);
        check(&DELETE_FIELD, "enum E { V(A,) }", &["enum E { V }", "enum E { V() }"]);
    }

    #[test]
    fn what_has_no_fields_is_left_alone() {
        check(&DELETE_FIELD, "struct A; struct B {} struct C(); fn f(a: u8) { S { a: 1 } }", &[]);
    }

    #[test]
    fn parameters_go_with_a_comma() {
        check(
            &DELETE_PARAMETER,
            "trait T { fn f(&mut self, #[a] (a, b): (A, B)); }",
            &["trait T { fn f(#[a] (a, b): (A, B)); }", "trait T { fn f(&mut self); }"],
        );
        check(&DELETE_PARAMETER, "extern { fn f(a: A, ...); }", &["extern { fn f(...); }", "extern { fn f(a: A); }"]);
        check(&DELETE_PARAMETER, "unsafe extern fn f(a: ...,) {}", &["unsafe extern fn f() {}"]);
    }

    #[test]
    fn closures_and_function_pointers_have_other_parameters() {
        check(&DELETE_PARAMETER, "fn f() { |a, b| c } type A = fn(B);", &[]);
    }

    #[test]
    fn fields_go_with_their_delimiters() {
        check(&DROP_FIELDS, "struct S<T> where T: A { a: T, b: T }", &["struct S<T> where T: A;"]);
        check(&DROP_FIELDS, "struct S(A, B);", &["struct S;"]);
        check(&DROP_FIELDS, "struct S {} struct T();", &["struct S; struct T();", "struct S {} struct T;"]);
        check(
            &DROP_FIELDS,
            "enum E { A { b: B, c: C } = 1, D(A, B), F() }",
            &[
                "enum E { A = 1, D(A, B), F() }",
                "enum E { A { b: B, c: C } = 1, D, F() }",
                "enum E { A { b: B, c: C } = 1, D(A, B), F }",
            ],
        );
    }

    #[test]
    fn single_fields_units_and_unions_are_left_alone() {
        check(&DROP_FIELDS, "struct A(B); struct C { d: D } struct E; union U { a: A, b: B }", &[]);
    }

    #[test]
    fn an_impl_loses_its_trait() {
        check(&DROP_IMPL_TRAIT, "unsafe impl<T> a::B<T> for C<T> {}", &["unsafe impl<T> C<T> {}"]);
        check(&DROP_IMPL_TRAIT, "impl !A for &B {}", &["impl &B {}"]);
        check(&DROP_IMPL_TRAIT, "impl<T> A for <T as B>::C {}", &["impl<T> <T as B>::C {}"]);
        check(&DROP_IMPL_TRAIT, "impl A for <B as C>::D {} impl E {}", &[]);
    }

    #[test]
    fn an_impl_for_never_keeps_its_trait() {
        check(&DROP_IMPL_TRAIT, "impl A for ! {} impl<T> B<T> for ! where T: C {}", &[]);
    }

    #[test]
    fn discriminants_and_defaults_go() {
        check(&DROP_DEFAULT_VALUE, "enum E { A(B) = { 1 }, C }", &["enum E { A(B), C }"]);
        check(
            &DROP_DEFAULT_VALUE,
            "struct S<T: A = B, const N: C = { 1 }>;",
            &["struct S<T: A, const N: C = { 1 }>;", "struct S<T: A = B, const N: C>;"],
        );
        check(
            &DROP_DEFAULT_VALUE,
            "trait A { type B: C = D where E: F; const G: H = I; }",
            &["trait A { type B: C; const G: H = I; }", "trait A { type B: C = D where E: F; const G: H; }"],
        );
    }

    #[test]
    fn values_that_are_no_defaults_stay() {
        check(&DROP_DEFAULT_VALUE, "enum E { A } const A: B = C;", &[]);
        check(&DROP_DEFAULT_VALUE, "fn f<T, const N: A>(x: B<C = D>) {}", &[]);
        check(&DROP_DEFAULT_VALUE, "impl A { type B = C; const D: E = F; } trait G { fn h() {} }", &[]);
    }

    #[test]
    fn names_in_function_pointers_go() {
        check(
            &DROP_PARAMETER_NAME,
            "type A = fn(#[a] b: B, C, d: ...);",
            &["type A = fn(#[a] b: B, C, ...);", "type A = fn(#[a] B, C, d: ...);"],
        );
        check(&DROP_PARAMETER_NAME, "fn f(a: A, b: impl Fn(B)) {}", &[]);
    }

    #[test]
    fn imports_lose_their_new_names() {
        check(&DROP_RENAME, "use a::{b as _, c as d};", &["use a::{b, c as d};", "use a::{b as _, c};"]);
        check(&DROP_RENAME, "extern crate a as b;", &["extern crate a;"]);
        check(&DROP_RENAME, "use a::b; extern crate c; const D: u8 = e as u8;", &[]);
    }
}
