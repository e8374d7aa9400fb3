//! Patterns: `_` in their place, and the elements of their lists: sub-patterns, fields, cases.

use syn::Pat;

use crate::rule::{Proposals, Rule, elements, family};
use crate::syntax::{List, Node, Syntax};

family! {
    "patterns", "Replaces patterns by `_`, and deletes the elements of their lists.", in Lists;

    /// Replace a pattern by `_`.
    ///
    /// Bindings are left to `underscore`, cases of an or-pattern to `delete-or-case`.
    REPLACE_PATTERN = "replace-pattern", Rule::Node(replace_pattern), in Patterns,
        "fn f() { match a { Some(b) => c, _ => d } }" => "fn f() { match a { _ => c, _ => d } }";

    /// Delete a case of an or-pattern.
    DELETE_OR_CASE = "delete-or-case", Rule::Node(delete_or_case),
        "fn f() { match a { A | B => c, _ => d } }" => "fn f() { match a { A => c, _ => d } }";

    /// Delete an element of a tuple, tuple struct or slice pattern.
    DELETE_PATTERN_ELEMENT = "delete-pattern-element",
        elements!(Syntax::Pat(Pat::Slice(_) | Pat::Tuple(_) | Pat::TupleStruct(_))),
        "fn f((a, b): T) {}" => "fn f((b): T) {}";

    /// Delete a field of a struct pattern, or its `..`.
    DELETE_FIELD_PATTERN = "delete-field-pattern", elements!(Syntax::Pat(Pat::Struct(_))),
        "fn f(S { a, b: (c, _), .. }: S) {}" => "fn f(S { a, .. }: S) {}";
}

fn replace_pattern(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Pat(pat) = node.syntax() else { return };
    let plain = match pat {
        Pat::Guard(_) | Pat::Rest(_) | Pat::Type(_) | Pat::Wild(_) => true,
        Pat::Ident(pat) => pat.subpat.is_none(),
        _ => false,
    };
    let parent = node.parent().map(Node::syntax);
    if !plain && !matches!(parent, Some(Syntax::Pat(Pat::Or(_) | Pat::Ident(_)))) {
        out.replace(node.range(), "_");
    }
}

fn delete_or_case(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Pat(Pat::Or(pat)) = node.syntax() else { return };
    let list = List::bare(node, &pat.cases);
    for (index, case) in list.elements.iter().enumerate().skip(1) {
        out.edit(case.clone(), list.without_backwards(index));
        if index == 1 {
            // An alternative to its neighbour: if both went, no case might be left.
            out.edit(case.clone(), list.without_backwards(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn patterns_become_wildcards() {
        check(
            &REPLACE_PATTERN,
            "fn f((a, B(b)): A) { let &c = d; }",
            &["fn f(_: A) { let &c = d; }", "fn f((a, _): A) { let &c = d; }", "fn f((a, B(b)): A) { let _ = d; }"],
        );
        check(
            &REPLACE_PATTERN,
            "fn f() { match a { 1 | 2 if b => c, D::E => f, g @ 3 => h } }",
            &[
                "fn f() { match a { _ if b => c, D::E => f, g @ 3 => h } }",
                "fn f() { match a { 1 | 2 if b => c, _ => f, g @ 3 => h } }",
                "fn f() { match a { 1 | 2 if b => c, D::E => f, _ => h } }",
            ],
        );
    }

    #[test]
    fn bindings_and_wildcards_stay() {
        check(
            &REPLACE_PATTERN,
            "fn f(self, value: A, _: B) { let other: C; |S { .. }, mut name| d }",
            &["fn f(self, value: A, _: B) { let other: C; |_, mut name| d }"],
        );
        check(&REPLACE_PATTERN, "fn f() { for item in items {} match a { b => c } }", &[]);
    }

    #[test]
    fn cases_go_with_the_bar_before_them() {
        check(
            &DELETE_OR_CASE,
            "fn f() { match a { A(b) | B | _ => c } }",
            &[
                "fn f() { match a { A(b) | _ => c } }",
                "fn f() { match a { B | _ => c } }",
                "fn f() { match a { A(b) | B => c } }",
            ],
        );
        check(
            &DELETE_OR_CASE,
            "fn f(Some(A | B): T) { if let |A|B = c {} }",
            &[
                "fn f(Some(A): T) { if let |A|B = c {} }",
                "fn f(Some(B): T) { if let |A|B = c {} }",
                "fn f(Some(A | B): T) { if let |A = c {} }",
                "fn f(Some(A | B): T) { if let |B = c {} }",
            ],
        );
    }

    #[test]
    fn a_single_case_stays() {
        check(&DELETE_OR_CASE, "fn f() { match a { |A => b, _ => c | d } }", &[]);
    }

    #[test]
    fn elements_go_with_a_comma() {
        check(
            &DELETE_PATTERN_ELEMENT,
            "fn f((A(b), ..): T) { let [c, d @ ..,] = e; }",
            &[
                "fn f((..): T) { let [c, d @ ..,] = e; }",
                "fn f((A(b)): T) { let [c, d @ ..,] = e; }",
                "fn f((A(), ..): T) { let [c, d @ ..,] = e; }",
                "fn f((A(b), ..): T) { let [d @ ..,] = e; }",
                "fn f((A(b), ..): T) { let [c,] = e; }",
            ],
        );
        check(&DELETE_PATTERN_ELEMENT, "fn f((1.., a): T) {}", &["fn f((a): T) {}", "fn f((1..): T) {}"]);
    }

    #[test]
    fn patterns_that_are_no_lists_have_no_elements() {
        check(&DELETE_PATTERN_ELEMENT, "fn f((a): A, &b: B, S { c }: S) { (d, e); }", &[]);
        check(&DELETE_PATTERN_ELEMENT, "fn f((): A, S(): B) { match a { 1 | 2 => [b] } }", &[]);
    }

    #[test]
    fn fields_go_and_so_does_the_rest() {
        check(
            &DELETE_FIELD_PATTERN,
            "fn f(S { #[a] ref a, 0: b, .. }: S) {}",
            &["fn f(S { 0: b, .. }: S) {}", "fn f(S { #[a] ref a, .. }: S) {}", "fn f(S { #[a] ref a, 0: b }: S) {}"],
        );
        check(&DELETE_FIELD_PATTERN, "fn f(S { a }: S) {}", &["fn f(S { }: S) {}"]);
        check(&DELETE_FIELD_PATTERN, "fn f(S { .. }: S) {}", &["fn f(S { }: S) {}"]);
    }

    #[test]
    fn fields_of_structs_and_their_values_are_no_patterns() {
        check(&DELETE_FIELD_PATTERN, "struct S { a: u8 } fn f(S {}: S) { S { a: 1 } }", &[]);
    }
}
