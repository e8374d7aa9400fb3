//! Variants that are deleted together with what matches and makes them.

use std::collections::{BTreeMap, BTreeSet};

use syn::{BinOp, Expr, Fields, Pat, Stmt};

use crate::names::references::{fill, fill_value};
use crate::names::variants::{EnumVariant, before};
use crate::names::{Analysis, Reference, without_leaf};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Filler, List, Node, Occurrence, Place, Syntax, child, range};
use crate::text::{Edit, outermost};

family! {
    "variants", "Deletes variants with what matches and makes them.", in Coupled at 5;

    /// Delete a variant with the patterns that match it, and put another value where it is made.
    ///
    /// An arm goes when no case of it is left, an `if let` leaves its `else`. What comes in the place of a value is a
    /// variant without fields, or in the next alternative `loop {}`.
    DELETE_VARIANT = "delete-variant-everywhere", Rule::Tree(delete_variant),
        "enum E { A, B(u8) }\n\
         fn f(e: E) { if let E::B(b) = e { g(b) } match e { E::A => h(E::B(1)), E::B(_) => i() } }"
        => "enum E { A }\n\
            fn f(e: E) { match e { E::A => h(E::A), } }";
}

fn delete_variant(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for variant in analysis.variants() {
        let uses = variant.uses();
        if uses.is_empty() {
            continue;
        }
        let Some(home) = variant.node.parent() else { continue };
        let list = List::delimited(home, &variant.item.variants, variant.item.brace_token.span);
        let declaration = list.without(variant.index);
        let mut patterns = Patterns::default();
        for occurrence in &uses {
            match Reference::of(occurrence) {
                Some(Reference::Pattern(node)) => patterns.doom(node),
                Some(Reference::Import(leaf)) => patterns.edits.extend(without_leaf(leaf)),
                _ => {}
            }
        }
        let edits = [declaration, patterns.edits()].concat();
        let others = || variant.item.variants.iter().filter(|other| !std::ptr::eq(*other, variant.variant));
        let unit = others().find(|other| matches!(other.fields, Fields::Unit)).map(|unit| unit.ident.to_string());
        for unit in [unit.as_deref(), None] {
            let made = uses.iter().flat_map(|occurrence| value(variant, occurrence, unit));
            out.edit(variant.node.range(), outermost([edits.clone(), made.collect()].concat()));
        }
    }
}

/// The edit that puts the variant `unit`, or else `loop {}`, where `occurrence` makes a value.
fn value(variant: &EnumVariant<'_>, occurrence: &Occurrence<'_>, unit: Option<&str>) -> Option<Edit> {
    let Some(Reference::Value(node)) = Reference::of(occurrence) else { return None };
    if let Some(edit) = matched(node) {
        return Some(edit);
    }
    let path = match (before(occurrence), unit) {
        (Some((segment, path)), Some(unit)) => {
            let prefix = path.text_at(path.range().start..range(&segment.ident).end);
            Some(format!("{prefix}::{unit}"))
        }
        (None, Some(unit)) => variant.globs.first().map(|_| unit.to_owned()),
        (_, None) => None,
    };
    fill_value(node, path.as_deref().unwrap_or("loop {}"))
}

/// The edit that deletes the pattern `node`, which is read as an expression, from `matches!`.
fn matched(node: Node<'_>) -> Option<Edit> {
    let call = node.ancestors().find(|node| matches!(node.syntax(), Syntax::Macro(_)))?;
    let Syntax::Macro(mac) = call.syntax() else { return None };
    let scrutinee = call.children().find(|child| matches!(child.syntax(), Syntax::Expr(_)))?;
    let is_pattern = mac.path.is_ident("matches") && scrutinee.range().end < node.range().start;
    let parent = node.parent().filter(|_| is_pattern)?;
    if let Syntax::Expr(Expr::Binary(or)) = parent.syntax()
        && matches!(or.op, BinOp::BitOr(_))
    {
        let own = node.range();
        let is_first = own.start == parent.range().start;
        let gone = if is_first { own.start..range(&or.op).end } else { range(&or.op).start..own.end };
        return Some(Edit::delete(gone));
    }
    fill(call.parent()?, Filler::Atom, "false")
}

/// Patterns that match nothing any more.
#[derive(Default)]
struct Patterns<'t> {
    /// Those that are still to be looked at, by their rows: what is inside comes after what is around it.
    work: BTreeMap<usize, Node<'t>>,
    /// The cases that go of each pattern with several, by the row of the pattern.
    cases: BTreeMap<usize, (Node<'t>, BTreeSet<usize>)>,
    edits: Vec<Edit>,
}

impl<'t> Patterns<'t> {
    fn doom(&mut self, node: Node<'t>) {
        self.work.insert(node.row(), node);
    }

    /// The edits that delete all of them, with the syntax whose patterns they are.
    fn edits(mut self) -> Vec<Edit> {
        while let Some((_, node)) = self.work.pop_last() {
            if let Some(parent) = node.parent() {
                self.climb(node, parent);
            }
        }
        for (node, cases) in self.cases.values() {
            if let Syntax::Pat(Pat::Or(pat)) = node.syntax() {
                let list = List::bare(*node, &pat.cases);
                // No case may be missing behind a bar.
                self.edits.extend(cases.iter().flat_map(|&case| list.without_backwards(case)));
            }
        }
        self.edits
    }

    /// Looks at what is around the pattern `node`, or the `let` with it.
    fn climb(&mut self, node: Node<'t>, parent: Node<'t>) {
        match parent.syntax() {
            Syntax::Pat(Pat::Or(pat)) => {
                let at = |case: &Pat| range(case).start == node.range().start;
                let index = pat.cases.iter().position(at);
                let (_, cases) = self.cases.entry(parent.row()).or_insert_with(|| (parent, BTreeSet::new()));
                cases.extend(index);
                if cases.len() == pat.cases.len() {
                    self.cases.remove(&parent.row());
                    self.doom(parent);
                }
            }
            Syntax::Pat(Pat::Type(_)) => self.edits.push(Edit::replace(node.range(), "_")),
            Syntax::Pat(_) | Syntax::FieldPat(_) => self.doom(parent),
            Syntax::Arm(_) => self.edits.push(Edit::delete(parent.range())),
            Syntax::Expr(Expr::Let(_)) => self.doom(parent),
            Syntax::Expr(Expr::Binary(expr)) if matches!(expr.op, BinOp::And(_)) => self.doom(parent),
            // Its condition never holds.
            Syntax::Expr(Expr::If(expr)) => self.edits.extend(match &expr.else_branch {
                Some((_, branch)) => {
                    child(parent, branch).and_then(|branch| Place::of(parent)?.kept(branch)).unwrap_or_default()
                }
                None => without(parent),
            }),
            Syntax::Expr(Expr::While(_)) => self.edits.extend(without(parent)),
            // A binding of a whole parameter or variable.
            _ if matches!(node.syntax(), Syntax::Pat(_)) => self.edits.push(Edit::replace(node.range(), "_")),
            _ => {}
        }
    }
}

/// The edits that delete the expression `node`, which has no value.
fn without(node: Node<'_>) -> Vec<Edit> {
    match node.parent() {
        Some(stmt) if matches!(stmt.syntax(), Syntax::Stmt(Stmt::Expr(..))) => vec![Edit::delete(stmt.range())],
        _ => fill(node, Filler::Block, "{}").into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn arms_go_when_no_case_is_left() {
        check(
            &DELETE_VARIANT,
            "enum E { A(u8), B(u8) } fn f(e: E) { match e { E::A(_) | E::B(_) if c => {} E::B(b) => b, E::A(a) => a } }",
            &[
                "enum E { B(u8) } fn f(e: E) { match e { E::B(_) if c => {} E::B(b) => b, } }",
                "enum E { A(u8) } fn f(e: E) { match e { E::A(_) if c => {} E::A(a) => a } }",
            ],
        );
        check(
            &DELETE_VARIANT,
            "enum E { A(u8) } fn f(e: E) { match e { (Some(E::A(1) | E::A(2)), _) | F { a: E::A(_) } => {} g => {} } }",
            &["enum E { } fn f(e: E) { match e { g => {} } }"],
        );
    }

    #[test]
    fn no_bar_is_left_behind_the_last_case() {
        check(
            &DELETE_VARIANT,
            "enum E { A, B } fn f(e: E) { match e { (E::A, E::A) | (E::B, E::B) | (E::A, E::B) | (E::B, E::A) => {} } }",
            &[
                "enum E { B } fn f(e: E) { match e { (E::B, E::B) => {} } }",
                "enum E { A } fn f(e: E) { match e { (E::A, E::A) => {} } }",
            ],
        );
    }

    #[test]
    fn an_if_let_leaves_its_else() {
        check(
            &DELETE_VARIANT,
            "enum E { A(u8) } fn f() { if let E::A(_) = e { a } if let E::A(_) = e { b } else { c } while let E::A(_) = e {} }",
            &["enum E { } fn f() { { c } }"],
        );
        check(
            &DELETE_VARIANT,
            "enum E { A(u8) } fn f() { if a && let E::A(_) = e { b } else if let E::A(_) = e { c } }",
            &["enum E { } fn f() { {} }"],
        );
        check(
            &DELETE_VARIANT,
            "enum E { A(u8) } fn f() { if a {} else if let E::A(_) = e { b } else { c } }",
            &["enum E { } fn f() { if a {} else { c } }"],
        );
    }

    #[test]
    fn values_become_others() {
        check(
            &DELETE_VARIANT,
            "enum E { A, B { b: u8 }, C } impl E { fn f() -> E { g(Self::B { b: 1 }) } } use E::B; const D: E = B { b: 2 };",
            &[
                "enum E { A, C } impl E { fn f() -> E { g(Self::A) } } const D: E = loop {};",
                "enum E { A, C } impl E { fn f() -> E { g(loop {}) } } const D: E = loop {};",
            ],
        );
        check(
            &DELETE_VARIANT,
            "enum E { A(u8), B } use E::*; fn f() { g.map(A); E::A(1) == E::A(2) }",
            &[
                "enum E { B } use E::*; fn f() { g.map(B); E::B == E::B }",
                "enum E { B } use E::*; fn f() { g.map(loop {}); (loop {}) == loop {} }",
            ],
        );
    }

    #[test]
    fn matches_is_false_or_loses_a_case() {
        check(
            &DELETE_VARIANT,
            "enum E { A(u8) } fn f() -> bool { matches!(e, E::A(_)) || matches!(e, F::A | E::A(_)) }",
            &["enum E { } fn f() -> bool { false || matches!(e, F::A) }"],
        );
    }

    #[test]
    fn what_is_bound_as_a_whole_is_not_told() {
        check(
            &DELETE_VARIANT,
            "enum E { A(u8) } fn f(E::A(a): E) { let E::A(b): E = e; |E::A(c)| d }",
            &["enum E { } fn f(_: E) { let _: E = e; |_| d }"],
        );
    }

    #[test]
    fn variants_that_are_never_named_are_for_others() {
        check(&DELETE_VARIANT, "enum E { A, B } fn f(e: E) { F::A; A; }", &[]);
        check(&DELETE_VARIANT, "enum E { A } enum F { B } fn f() { F::A; E::B; m!(=> E::A) }", &[]);
        check(&DELETE_VARIANT, "struct S; enum E { S(S) } fn f(s: S) { match s { S => {} } }", &[]);
    }
}
