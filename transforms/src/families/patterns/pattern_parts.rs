//! Patterns replaced by `_` or by a part of them.

use syn::Pat;

use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::nearest;
use crate::syntax::{Node, Syntax};

family! {
    "patterns", "Replaces patterns by `_` or by a part of them.", in Patterns;

    /// Replace a pattern by `_`.
    ///
    /// Bindings are left to `underscore`, cases of an or-pattern to `delete-or-case`.
    REPLACE_PATTERN = "replace-pattern", Rule::Node(replace_pattern),
        "fn f() { match a { Some(b) => c, _ => d } }" => "fn f() { match a { _ => c, _ => d } }";

    /// Replace a pattern by a pattern inside it.
    ///
    /// The nearest four are proposed, breadth first.
    HOIST_PATTERN = "hoist-pattern", Rule::Node(hoist_pattern),
        "fn f(&(a, b): &(A, B)) {}" => "fn f((a, b): &(A, B)) {}";
}

/// How many alternatives a pattern gets.
const ALTERNATIVES: usize = 4;

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

fn hoist_pattern(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Pat(pat) = node.syntax() else { return };
    if matches!(pat, Pat::Guard(_) | Pat::Or(_) | Pat::Type(_)) {
        return;
    }
    let mut texts = Vec::new();
    for kept in nearest(node, components, ALTERNATIVES) {
        let trivial = matches!(kept.syntax(), Syntax::Pat(Pat::Rest(_) | Pat::Wild(_)));
        if trivial || texts.contains(&kept.text()) || texts.len() == ALTERNATIVES {
            continue;
        }
        texts.push(kept.text());
        out.hoist(node, kept, needs_parentheses(node, kept));
    }
}

/// The patterns inside a pattern, without those inside them.
fn components(node: Node<'_>) -> Vec<Node<'_>> {
    let mut found = Vec::new();
    for child in node.children() {
        match child.syntax() {
            Syntax::Pat(_) => found.push(child),
            Syntax::FieldPat(_) => {
                found.extend(child.children().filter(|part| matches!(part.syntax(), Syntax::Pat(_))))
            }
            _ => {}
        }
    }
    found
}

/// Whether `kept` is made of several patterns or bounds that would fall apart in the place of `node`.
fn needs_parentheses(node: Node<'_>, kept: Node<'_>) -> bool {
    let parent = node.parent().map(Node::syntax);
    match kept.syntax() {
        Syntax::Pat(Pat::Or(_)) => !matches!(
            parent,
            Some(
                Syntax::Arm(_)
                    | Syntax::FieldPat(_)
                    | Syntax::Pat(Pat::Guard(_) | Pat::Paren(_) | Pat::Slice(_) | Pat::Tuple(_) | Pat::TupleStruct(_))
            )
        ),
        Syntax::Pat(Pat::Range(pat)) => match parent {
            Some(Syntax::Arm(_) | Syntax::Pat(Pat::Guard(_))) => false,
            Some(Syntax::Pat(Pat::Ident(_) | Pat::Slice(_) | Pat::Reference(_))) => true,
            _ => pat.end.is_none(),
        },
        _ => false,
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
    fn patterns_become_the_patterns_inside_them() {
        check(
            &HOIST_PATTERN,
            "fn f(S { ref a, b: (c, _) }: S) {}",
            &["fn f(ref a: S) {}", "fn f((c, _): S) {}", "fn f(c: S) {}", "fn f(S { ref a, b: c }: S) {}"],
        );
        check(
            &HOIST_PATTERN,
            "fn f() { let a @ [b, ..] = c; }",
            &["fn f() { let [b, ..] = c; }", "fn f() { let b = c; }", "fn f() { let a @ b = c; }"],
        );
    }

    #[test]
    fn several_cases_are_parenthesised_where_one_is_asked_for() {
        check(&HOIST_PATTERN, "fn f(A(B | C): D) {}", &["fn f((B | C): D) {}", "fn f(B: D) {}", "fn f(C: D) {}"]);
        check(
            &HOIST_PATTERN,
            "fn f() { match a { A(B | C) => d } }",
            &["fn f() { match a { B | C => d } }", "fn f() { match a { B => d } }", "fn f() { match a { C => d } }"],
        );
        check(
            &HOIST_PATTERN,
            "fn f(&A(1..=2): B) {}",
            &["fn f(A(1..=2): B) {}", "fn f(1..=2: B) {}", "fn f(&(1..=2): B) {}"],
        );
        check(
            &HOIST_PATTERN,
            "fn f([A(1..)]: B) {}",
            &["fn f(A(1..): B) {}", "fn f((1..): B) {}", "fn f([(1..)]: B) {}"],
        );
    }

    #[test]
    fn patterns_without_patterns_are_left_alone() {
        check(&HOIST_PATTERN, "fn f(a: A) { match b { C::D | E if f => g, S { .. } => h, (_, ..) => i } }", &[]);
    }
}
