//! Functions of traits, changed in the trait and in all impls at once.

use syn::{ReceiverKind, ReturnType, TraitItem};

use crate::names::{Analysis, Home};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Syntax, range};
use crate::text::{Edit, outermost};

family! {
    "trait-functions", "Changes the functions of a trait and of its impls at once.", in Coupled at 27;

    /// Give a function of a trait a body and delete it in all impls.
    ///
    /// An alternative takes `self` by reference: a body needs to know the size of what it takes.
    PROVIDE_TRAIT_FUNCTION = "provide-trait-function", Rule::Tree(provide_trait_function),
        "trait T { fn f() -> u8; }\n\
         impl T for A { fn f() -> u8 { 0 } }"
        => "trait T { fn f() -> u8 { loop {} } }\n\
            impl T for A { }";
}

fn provide_trait_function(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let functions = analysis.functions();
    for function in functions.iter().filter(|function| matches!(function.home, Home::Trait(_))) {
        let Syntax::TraitItem(TraitItem::Fn(item)) = function.node.syntax() else { continue };
        let kin = function.kin(functions);
        let impls: Vec<_> = kin.iter().filter(|kin| matches!(kin.node.syntax(), Syntax::ImplItem(_))).collect();
        if impls.is_empty() {
            continue;
        }
        let mut edits: Vec<Edit> = impls.iter().map(|kin| Edit::delete(kin.node.range())).collect();
        if let Some(semicolon) = &item.semi_token {
            let body = if matches!(item.sig.output, ReturnType::Default) { "{}" } else { "{ loop {} }" };
            edits.push(Edit::replace(range(semicolon), body));
        }
        let edits = outermost(edits);
        out.edit(function.node.range(), edits.clone());
        // A value of unknown size cannot be passed.
        if let Some(receiver) = item.sig.receiver()
            && item.semi_token.is_some()
            && matches!(receiver.kind, ReceiverKind::Value)
        {
            let by_reference = Edit::replace(range(receiver), "&self");
            out.edit(function.node.range(), [vec![by_reference], edits].concat());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_provided_function_needs_no_impls() {
        check(
            &PROVIDE_TRAIT_FUNCTION,
            "trait T { fn f(&self) where Self: A; fn g() { a() } } impl T for B { fn f(&self) { b } fn g() {} }",
            &[
                "trait T { fn f(&self) where Self: A {} fn g() { a() } } impl T for B { fn g() {} }",
                "trait T { fn f(&self) where Self: A; fn g() { a() } } impl T for B { fn f(&self) { b } }",
            ],
        );
    }

    #[test]
    fn a_receiver_becomes_a_reference() {
        check(
            &PROVIDE_TRAIT_FUNCTION,
            "trait T { fn f(mut self, a: u8); } impl T for B { fn f(self, a: u8) { b() } }",
            &[
                "trait T { fn f(mut self, a: u8) {} } impl T for B { }",
                "trait T { fn f(&self, a: u8) {} } impl T for B { }",
            ],
        );
    }

    #[test]
    fn without_impls_there_is_nothing_coupled() {
        let text = "trait T { fn f(self) -> A; } impl U for A { fn f(self) -> A {} } impl A { fn f(self) -> A {} }";
        check(&PROVIDE_TRAIT_FUNCTION, text, &[]);
    }
}
