//! Items rebuilt in a shorter form out of their own parts.

use syn::{Fields, FnArg, ForeignItem, ImplItem, Item, ItemImpl, Local, Pat, ReturnType, Signature, Stmt, Type};

use crate::names::generic_params::without_params_but;
use crate::names::references::retype;
use crate::names::variants::{EnumVariant, before};
use crate::names::{Analysis, Reference, without_leaf};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{of_trait, outside, whole_where};
use crate::syntax::{Node, Occurrence, Syntax, range};
use crate::text::{Edit, outermost};

family! {
    "item-forms", "Rebuilds items in a shorter form out of their parts.", in Coupled at 15;

    /// Replace an enum of one variant by a struct of its fields, everywhere.
    ENUM_TO_STRUCT = "enum-to-struct", Rule::Tree(enum_to_struct),
        "enum E { V(u8) }\n\
         fn f(e: E) -> E { match e { E::V(_) => E::V(1) } }"
        => "struct E(u8);\n\
            fn f(e: E) -> E { match e { E(_) => E(1) } }";

    /// Replace an item that nothing refers to by the shortest one that names a type of it.
    ///
    /// Of a function the types are those of its signature and its bindings. A foreign function becomes a static. An impl without
    /// items becomes a function with its where clause.
    ITEM_TO_TYPE = "item-to-type", Rule::Node(item_to_type), in Values,
        "fn f<T>() -> A<T> { loop {} }" => "type f<T> = A<T>;";

    /// Drop the trait of an impl with what an inherent impl cannot have: associated types, parameters of the trait alone.
    ///
    /// Where there is no such thing, `drop-impl-trait` says the same.
    TRAIT_IMPL_TO_INHERENT = "trait-impl-to-inherent", Rule::Node(trait_impl_to_inherent),
        "impl<T> A<T> for S { type B = u8; fn f(b: Self::B) {} }" => "impl S { fn f(b: u8) {} }";
}

fn enum_to_struct(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for variant in analysis.variants().iter().filter(|variant| variant.item.variants.len() == 1) {
        let Some(home) = variant.node.parent() else { continue };
        let mut edits = declared_as_struct(home, variant);
        for occurrence in variant.uses() {
            edits.extend(match Reference::of(&occurrence) {
                Some(Reference::Import(leaf)) => without_leaf(leaf),
                _ => vec![without_variant(&occurrence, variant)],
            });
        }
        edits.extend(variant.globs.iter().copied().flat_map(without_leaf));
        out.edit(home.range(), outermost(edits));
    }
}

/// The edits that make a struct of the enum `home`.
fn declared_as_struct(home: Node<'_>, variant: &EnumVariant<'_>) -> Vec<Edit> {
    let item = variant.item;
    let braces = outside(item.brace_token.span);
    let clause = whole_where(&item.generics);
    let mut edits = vec![Edit::replace(range(&item.enum_token), "struct")];
    match &variant.variant.fields {
        Fields::Named(fields) => {
            let fields = outside(fields.brace_token.span);
            edits.extend([Edit::delete(braces.start..fields.start), Edit::delete(fields.end..braces.end)]);
        }
        Fields::Unnamed(fields) => {
            let fields = outside(fields.paren_token.span);
            let text = clause.as_ref().map_or("", |clause| home.text_at(clause.clone()));
            edits.extend(clause.map(Edit::delete));
            edits.push(Edit::delete(braces.start..fields.start));
            edits.push(Edit::replace(fields.end..braces.end, format!(" {text};")));
        }
        Fields::Unit => edits.push(Edit::replace(braces, ";")),
    }
    edits
}

/// The edit that leaves of `E::V` only `E`, and puts it where `V` stands alone.
fn without_variant(occurrence: &Occurrence<'_>, variant: &EnumVariant<'_>) -> Edit {
    match before(occurrence) {
        Some((segment, _)) => Edit::delete(range(segment).end..occurrence.range.end),
        None => Edit::replace(occurrence.range.clone(), variant.item.ident.to_string()),
    }
}

fn item_to_type(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Item(Item::Impl(item)) = node.syntax()
        && item.items.is_empty()
        && let Some(clause) = whole_where(&item.generics)
    {
        let parameters = item.generics.lt_token.map_or("", |_| node.text_at(range(&item.generics)));
        out.replace(node.range(), format!("fn f{parameters}() {} {{}}", node.text_at(clause)));
    }
    let (name, generics, types) = match node.syntax() {
        Syntax::Item(Item::Fn(item)) => {
            let bound = item.block.stmts.iter().filter_map(|stmt| match stmt {
                Stmt::Local(Local { pat: Pat::Type(pat), .. }) => Some(&*pat.ty),
                _ => None,
            });
            (&item.sig.ident, Some(&item.sig.generics), types(&item.sig).chain(bound).collect())
        }
        Syntax::Item(Item::Const(item)) => (&item.ident, None, vec![&*item.ty]),
        Syntax::Item(Item::Static(item)) => (&item.ident, None, vec![&*item.ty]),
        Syntax::ForeignItem(ForeignItem::Fn(item)) => (&item.sig.ident, None, types(&item.sig).collect()),
        _ => return,
    };
    let text = node.text_at(range(name));
    if node.tree().uses(text, 0..usize::MAX, range(name)).next().is_some() {
        return;
    }
    let parameters = generics.filter(|generics| generics.lt_token.is_some());
    let parameters = parameters.map_or("", |generics| node.text_at(range(generics)));
    let alias = if text == "_" { "A" } else { text };
    for ty in types.into_iter().filter(|ty| !matches!(ty, Type::ImplTrait(_))) {
        let written = node.text_at(range(ty));
        if matches!(node.syntax(), Syntax::ForeignItem(_)) {
            out.replace(node.range(), format!("static {text}: {written};"));
            continue;
        }
        // After a bare `impl`, a bracket would be read as parameters.
        let can_begin = matches!(ty, Type::Path(_) | Type::TraitObject(_)) && !written.starts_with('<');
        if parameters.is_empty() && can_begin {
            out.replace(node.range(), format!("impl {written} {{}}"));
        }
        out.replace(node.range(), format!("type {alias}{parameters} = {written};"));
    }
}

/// The types of a signature, what it returns first.
fn types(signature: &Signature) -> impl Iterator<Item = &Type> {
    let output = match &signature.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    let inputs = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&*typed.ty),
        FnArg::Receiver(_) => None,
    });
    output.into_iter().chain(inputs)
}

fn trait_impl_to_inherent(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Item(Item::Impl(item)) = node.syntax() else { return };
    let Some(of_trait) = of_trait(item) else { return };
    let ty = range(&*item.self_ty);
    // After a bare `impl`, a self type that begins with a bracket could be read as parameters.
    if node.text_at(ty.clone()).starts_with('<') {
        return;
    }
    let mut edits = without_params_but(node, &item.generics, ty);
    edits.extend(item.unsafety.iter().map(|unsafety| Edit::delete(range(unsafety))));
    edits.extend(without_types(node, item));
    if !edits.is_empty() {
        edits.push(Edit::delete(of_trait));
        out.edit(node.range(), outermost(edits));
    }
}

/// The edits that delete the associated types of an impl, and write them out where the impl mentions them.
fn without_types(node: Node<'_>, item: &ItemImpl) -> Vec<Edit> {
    let mut edits = Vec::new();
    for associated in &item.items {
        let ImplItem::Type(associated) = associated else { continue };
        let own = range(associated);
        let name = associated.ident.to_string();
        for occurrence in node.tree().uses(&name, node.range(), range(&associated.ident)) {
            if let Some((segment, path)) = before(&occurrence)
                && segment.ident == "Self"
                && let Some(parent) = path.parent().filter(|parent| matches!(parent.syntax(), Syntax::Type(_)))
            {
                // The tokens after it are a part of the type.
                let is_last = path.range().end == occurrence.range.end && parent.range() == path.range();
                let text = node.text_at(range(&associated.ty));
                edits.extend(is_last.then(|| retype(&occurrence, text)).flatten());
            }
        }
        edits.push(Edit::delete(own));
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_type_is_named_by_less() {
        check(
            &ITEM_TO_TYPE,
            "#[a] pub unsafe fn f<T: A>(a: B<T>, b: C) -> D where T: E { 1 }",
            &["type f<T: A> = D;", "type f<T: A> = B<T>;", "type f<T: A> = C;"],
        );
        check(&ITEM_TO_TYPE, "fn f() { let a: [B; 2]; 1 }", &["type f = [B; 2];"]);
        check(&ITEM_TO_TYPE, "const _: dyn A = 1;", &["impl dyn A {}", "type A = dyn A;"]);
        check(&ITEM_TO_TYPE, "extern { fn f(a: A, ...); }", &["extern { static f: A; }"]);
        check(
            &ITEM_TO_TYPE,
            "impl<T> A for B<T> where T: C {} impl<T: D> E<T> {}",
            &["fn f<T>() where T: C {} impl<T: D> E<T> {}"],
        );
        check(&ITEM_TO_TYPE, "fn f(a: impl A) {} fn g() -> B {} fn h() { g() }", &[]);
    }

    #[test]
    fn an_enum_of_one_variant_is_a_struct() {
        check(
            &ENUM_TO_STRUCT,
            "#[a] pub enum E<T> where T: A { #[b] V { a: T } } use E::V; fn f() { let V { a } = E::<u8>::V { a: 1 }; }",
            &["#[a] pub struct E<T> where T: A { a: T } fn f() { let E { a } = E::<u8> { a: 1 }; }"],
        );
        check(
            &ENUM_TO_STRUCT,
            "enum E<T> where T: A { V(T) = 1, } impl E<u8> { fn f() -> Self { Self::V(1) } }",
            &["struct E<T>(T) where T: A; impl E<u8> { fn f() -> Self { Self(1) } }"],
        );
        check(&ENUM_TO_STRUCT, "enum E { V } use E::*; fn f() { g(V, m::E::V) }", &["struct E; fn f() { g(E, m::E) }"]);
    }

    #[test]
    fn enums_of_none_or_several_variants_stay() {
        check(&ENUM_TO_STRUCT, "enum E {} enum F { A, B } struct S { a: u8 }", &[]);
    }

    #[test]
    fn an_impl_loses_its_trait_with_what_belongs_to_it() {
        check(
            &TRAIT_IMPL_TO_INHERENT,
            "unsafe impl<T, U> A<U> for S<T> where U: B { type C = U; type D = u8; fn f() -> Option<Self::D> { Self::g() } }",
            &["impl<T> S<T> { fn f() -> Option<u8> { Self::g() } }"],
        );
        check(&TRAIT_IMPL_TO_INHERENT, "impl !A for S { type B = u8; }", &["impl S { }"]);
        check(
            &TRAIT_IMPL_TO_INHERENT,
            "impl A for S { type B = dyn C + D; fn f(&self) -> &Self::B { self.0 } }",
            &["impl S { fn f(&self) -> &(dyn C + D) { self.0 } }"],
        );
    }

    #[test]
    fn an_impl_that_could_be_inherent_is_for_others() {
        check(&TRAIT_IMPL_TO_INHERENT, "impl<T> A<T> for S<T> { const B: u8 = 1; fn f() {} }", &[]);
        check(&TRAIT_IMPL_TO_INHERENT, "impl S { type A = u8; } impl A for <S as B>::C { type D = u8; }", &[]);
    }
}
