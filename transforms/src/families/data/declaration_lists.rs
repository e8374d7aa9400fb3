//! Elements of the lists in declarations: parameters, fields, variants.

use syn::Item;

use crate::rule::{Proposals, Rule, elements, family};
use crate::syntax::generics::outside;
use crate::syntax::{List, Node, Syntax};
use crate::text::Edit;

family! {
    "declaration-lists", "Deletes elements of the lists in declarations: parameters, fields, variants.", in Declarations;

    /// Delete a variant of an enum.
    DELETE_VARIANT = "delete-variant", elements!(Syntax::Item(Item::Enum(_))), "enum E { A(u8), B }" => "enum E { B }";

    /// Delete a field of a struct, variant or union, the only one with its delimiters.
    DELETE_FIELD = "delete-field", Rule::Node(delete_field), in Lists,
        "struct S { a: u8, b: u8 }" => "struct S { b: u8 }";

    /// Delete a parameter of a function, or its variadic dots.
    DELETE_PARAMETER = "delete-parameter", elements!(Syntax::Signature(_)), "fn f(a: u8, b: u8) {}" => "fn f(b: u8) {}";
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
}
