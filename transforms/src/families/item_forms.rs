//! Items rebuilt in a shorter form out of their own parts.

use syn::{FnArg, Item, ReturnType, Type};

use crate::proposals::Proposals;
use crate::transform::{Rule, family};
use crate::tree::{Node, Syntax, range};

family! {
    "item-forms", "Rebuilds items in a shorter form out of their parts.";

    /// Replace a function that nothing refers to by an alias of a type of its signature.
    ///
    /// ```text
    /// fn f<T>(a: A<T>) -> B<T> { loop {} }
    /// =>
    /// type f<T> = B<T>;
    /// ```
    FUNCTION_TO_ALIAS = "function-to-alias", Rule::Node(function_to_alias);
}

fn function_to_alias(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Item(Item::Fn(item)) = node.syntax() else { return };
    let name = node.text_at(range(&item.sig.ident));
    if node.tree().uses(name, 0..usize::MAX, range(&item.sig.ident)).next().is_some() {
        return;
    }
    let output = match &item.sig.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    let inputs = item.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&*typed.ty),
        FnArg::Receiver(_) => None,
    });
    let generics = &item.sig.generics;
    let generics = generics.lt_token.map_or("", |_| node.text_at(range(generics)));
    for ty in output.into_iter().chain(inputs).filter(|ty| !matches!(ty, Type::ImplTrait(_))) {
        out.replace(node.range(), format!("type {name}{generics} = {};", node.text_at(range(ty))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn every_type_of_the_signature_is_tried() {
        check(
            &FUNCTION_TO_ALIAS,
            "#[a] pub unsafe fn f<T: A>(a: B<T>, b: C) -> D where T: E { 1 }",
            &["type f<T: A> = D;", "type f<T: A> = B<T>;", "type f<T: A> = C;"],
        );
        check(&FUNCTION_TO_ALIAS, "fn f() -> m!(a b) {}", &["type f = m!(a b);"]);
    }

    #[test]
    fn functions_that_are_called_or_have_no_types_stay() {
        check(&FUNCTION_TO_ALIAS, "fn f() -> u8 { f() } fn g(a: u8) {} fn h() { g(1) }", &[]);
        check(&FUNCTION_TO_ALIAS, "fn f() {} fn g() -> impl A {} impl S { fn h(self) -> u8 {} }", &[]);
    }
}
