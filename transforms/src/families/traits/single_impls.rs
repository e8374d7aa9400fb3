//! Traits with one impl, whose functions become functions of the module.

use syn::{ImplItem, Item, ItemImpl, ItemTrait, TraitItem};

use crate::names::{Analysis, Reference, without_leaf};
use crate::placeholders::free_functions::{RECEIVERS, lifted, without_shell};
use crate::placeholders::lift::mended_self;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::attributes::is_inner;
use crate::syntax::surroundings::body;
use crate::syntax::{Node, Syntax, range};
use crate::text::{Edit, outermost};

family! {
    "single-impls", "Makes functions of a module of those of a trait that has one impl.", in Coupled at 29;

    /// Dissolve a trait that is implemented once: its functions become functions of the module.
    ///
    /// The trait and the impl hold nothing but functions, and nobody else speaks of the trait. Provided functions are
    /// those of the implementing type. Receivers are treated as by `dissolve-impl`.
    DISSOLVE_TRAIT = "dissolve-trait", Rule::Tree(dissolve_trait),
        "trait T { fn f(&self) -> u8; fn g() {} }\n\
         impl T for u8 { fn f(&self) -> u8 { *self } }\n\
         fn main() { 1.f(); u8::g(); }"
        => "fn g() {}\n\
            fn f(this: &u8) -> u8 { *this }\n\
            fn main() { f(&1); g(); }";
}

fn dissolve_trait(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let free: Vec<String> = analysis.free_functions().collect();
    for node in analysis.nodes() {
        let Syntax::Item(Item::Trait(item)) = node.syntax() else { continue };
        let only_functions = item.items.iter().all(|item| matches!(item, TraitItem::Fn(_)));
        let only_impl = only_impl(node, item).filter(|_| only_functions && !item.items.is_empty());
        let Some((home, block, imports)) = only_impl else { continue };
        let mut own = analysis.functions_in(home);
        let names: Vec<String> = own.iter().map(|function| function.name()).collect();
        let (overridden, provided): (Vec<_>, Vec<_>) = analysis
            .functions_in(node)
            .into_iter()
            .partition(|function| names.contains(&function.name()) || body(function.node).is_none());
        own.extend(provided.iter().copied());
        if own.iter().any(|function| free.contains(&function.name())) {
            continue;
        }
        let ty = range(&*block.self_ty);
        let mut selves = mended_self(home, ty.clone());
        selves.extend(mended_self(node, ty));
        selves.sort_by_key(|edit| edit.range.start);
        for receivers in RECEIVERS {
            let mut edits = without_shell(home, block.brace_token.span);
            match provided.is_empty() {
                true => edits.push(Edit::delete(node.range())),
                false => edits.extend(without_shell(node, item.brace_token.span)),
            }
            edits.extend(overridden.iter().map(|function| Edit::delete(function.node.range())));
            edits.extend(imports.iter().cloned());
            edits.extend(lifted(block, &own, &selves, receivers));
            out.edit(node.range(), outermost(edits));
        }
    }
}

/// The only impl of the trait `item`, which holds nothing but functions, and the edits that delete the imports of the trait, if
/// that is named nowhere else but before the names of its functions.
fn only_impl<'t>(node: Node<'t>, item: &ItemTrait) -> Option<(Node<'t>, &'t ItemImpl, Vec<Edit>)> {
    let name = item.ident.to_string();
    let mut home = None;
    let mut imports = Vec::new();
    let everywhere = 0..node.source_text().len();
    for occurrence in node.tree().uses(&name, everywhere, range(&item.ident)) {
        match Reference::of(&occurrence)? {
            Reference::Impl(found) if home.is_none() => home = Some(found),
            Reference::Import(leaf) => imports.extend(without_leaf(leaf)),
            // `T::f` and `<u8 as T>::f`.
            Reference::Member(..) | Reference::Path => {}
            _ => return None,
        }
    }
    let home = home?;
    let Syntax::Item(Item::Impl(block)) = home.syntax() else { return None };
    // The subject of an inner attribute would be gone.
    if block.attrs.iter().chain(&item.attrs).any(is_inner) {
        return None;
    }
    let only_functions = block.items.iter().all(|item| matches!(item, ImplItem::Fn(_)));
    only_functions.then_some((home, block, imports))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn functions_are_called_by_name_alone() {
        check(
            &DISSOLVE_TRAIT,
            "trait T { fn f(a: A); } impl T for S { fn f(a: A) {} } use m::T; fn h() { S::f(1); <S as T>::f(2); T::f(3) }",
            &["fn f(a: A) {} fn h() { f(1); f(2); f(3) }"],
        );
    }

    #[test]
    fn provided_functions_are_those_of_the_type() {
        check(
            &DISSOLVE_TRAIT,
            "trait T: A { fn f(&self) -> Self { self.g() } fn g(&self) -> Self; } impl T for S { fn g(&self) -> Self { a } }",
            &["fn f() -> S { g() } fn g() -> S { a }", "fn f(this: &S) -> S { g(this) } fn g(this: &S) -> S { a }"],
        );
    }

    #[test]
    fn parameters_of_the_impl_go_along() {
        check(
            &DISSOLVE_TRAIT,
            "trait T { fn f(&self); } impl<A> T for S<A> where A: B { fn f(&self) { self.a } } fn h() { s.f() }",
            &[
                "fn f<A>(this: &S<A>) where A: B { this.a } fn h() { f(&s) }",
                "fn f<A>(this: &S<A>) where A: B { this.a } fn h() { f(s) }",
            ],
        );
    }

    #[test]
    fn a_trait_that_others_speak_of_stays() {
        check(&DISSOLVE_TRAIT, "trait T { fn f(); } impl T for S { fn f() {} } fn g<A: T>() {}", &[]);
        check(&DISSOLVE_TRAIT, "trait T { fn f(); } impl T for S { fn f() {} } impl T for u8 { fn f() {} }", &[]);
        check(&DISSOLVE_TRAIT, "trait T { fn f(); } fn f() {} impl T for S { fn f() {} }", &[]);
        check(&DISSOLVE_TRAIT, "trait T { type A; } impl T for S { type A = u8; } trait U { fn f(); }", &[]);
    }
}
