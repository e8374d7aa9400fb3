//! Slots of tuple types that are deleted together with the values and patterns of them.

use std::collections::BTreeMap;
use std::ops::Range;

use syn::{Expr, Pat, Type};

use crate::names::Analysis;
use crate::names::accesses::Accesses;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{inside, object_bounds, position};
use crate::syntax::{List, Node, Place, Syntax, child, range};
use crate::text::{Edit, kept_between, outermost};

family! {
    "tuples", "Deletes slots of tuples with what is written for them.", in Coupled at 4;

    /// Delete a slot of a tuple type with that of all tuples, patterns and types of as many slots, and count the others.
    ///
    /// Of two slots the one that is left stands alone. Where the slot is read comes `loop {}`. Reads change only where no
    /// tuple struct has a slot of that number.
    DELETE_TUPLE_SLOT = "delete-tuple-slot", Rule::Tree(delete_tuple_slot),
        "type A = (u8, u16, u32);\n\
         fn f((a, b, c): (u8, u16, u32), d: A) -> A { (d.0, d.1, d.2) }"
        => "type A = (u8, u32);\n\
            fn f((a, c): (u8, u32), d: A) -> A { (d.0, d.1) }";

    /// Delete an element of a tuple type, value or pattern of two, and leave a tuple of one.
    ///
    /// Other transforms leave the other element without a tuple, or tuples of one after a trailing comma.
    PAIR_TO_SINGLE = "pair-to-single", Rule::Node(pair_to_single), "fn f(x: (A, B)) {}" => "fn f(x: (B,)) {}";
}

fn pair_to_single(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(list) = List::of(node).filter(|list| is_tuple(&node) && list.len() == 2) else { return };
    if list.trailing().is_none() {
        let (first, second) = (&list.elements[0], &list.elements[1]);
        let kept = format!("{},", &node.tree().source().text()[second.clone()]);
        // All of both, so that what is left of any two such edits is a tuple.
        out.edit(first.clone(), vec![Edit::replace(first.start..second.end, kept)]);
        out.delete(second.clone());
    }
}

fn delete_tuple_slot(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let accesses = analysis.accesses();
    let tuples: Vec<Node<'_>> = analysis.nodes().filter(is_tuple).collect();
    let mut types = BTreeMap::new();
    for node in &tuples {
        if let Syntax::Type(Type::Tuple(ty)) = node.syntax() {
            types.entry(ty.elems.len()).or_insert_with(|| List::new(*node, &ty.elems, inside(ty.paren_token.span)));
        }
    }
    for (slots, list) in &types {
        for (slot, site) in list.elements.iter().enumerate() {
            let gone = Slot { slot, slots: *slots };
            if out.is_full() {
                return;
            }
            let edits: Option<Vec<Vec<Edit>>> = tuples.iter().map(|node| gone.without(*node)).collect();
            let Some((mut edits, reads)) = edits.zip(gone.reads(accesses)) else { continue };
            edits.push(reads);
            edits.retain(|edits| !edits.is_empty());
            // A single one is for others.
            if edits.len() > 1 {
                out.edit(site.clone(), outermost(edits.concat()));
            }
        }
    }
}

fn is_tuple(node: &Node<'_>) -> bool {
    matches!(node.syntax(), Syntax::Type(Type::Tuple(_)) | Syntax::Expr(Expr::Tuple(_)) | Syntax::Pat(Pat::Tuple(_)))
}

/// A slot of all tuples with so many slots.
struct Slot {
    slot: usize,
    slots: usize,
}

impl Slot {
    /// The slot that is left alone of two.
    fn other(&self) -> Option<usize> {
        (self.slots == 2).then_some(1 - self.slot.min(1))
    }

    /// The edits that delete the slot from the type, expression or pattern `node`; `None` if what is left cannot stand there.
    fn without(&self, node: Node<'_>) -> Option<Vec<Edit>> {
        Some(match node.syntax() {
            Syntax::Type(Type::Tuple(ty)) if ty.elems.len() == self.slots => {
                let list = List::delimited(node, &ty.elems, ty.paren_token.span);
                match self.other() {
                    Some(other) => {
                        let tight = object_bounds(&ty.elems[other]).is_some_and(|bounds| bounds.len() > 1);
                        left(node, list.elements[other].clone(), tight)
                    }
                    None => list.without(self.slot),
                }
            }
            Syntax::Expr(Expr::Tuple(expr)) if expr.elems.len() == self.slots => match self.other() {
                Some(other) => self.left_of_expr(node, &expr.elems[other])?,
                None => List::delimited(node, &expr.elems, expr.paren_token.span).without(self.slot),
            },
            Syntax::Pat(Pat::Tuple(pat)) => {
                let rests = pat.elems.iter().filter(|pat| matches!(pat, Pat::Rest(_))).count();
                let named = pat.elems.len() - rests;
                if rests == 0 && named != self.slots || rests > 0 && named > self.slots {
                    return Some(Vec::new());
                }
                let list = List::delimited(node, &pat.elems, pat.paren_token.span);
                let at = |slot| position(&pat.elems, slot, self.slots);
                match (self.other().map(at), at(self.slot)) {
                    (Some(Some(other)), _) => {
                        let is_cut = is_cut(&pat.elems[other], node);
                        left(node, list.elements[other].clone(), is_cut)
                    }
                    (Some(None), _) => vec![Edit::replace(node.range(), "_")],
                    (None, Some(slot)) => list.without(slot),
                    (None, None) => Vec::new(),
                }
            }
            _ => Vec::new(),
        })
    }

    fn left_of_expr(&self, node: Node<'_>, kept: &Expr) -> Option<Vec<Edit>> {
        // What is around those goes as well, so that it cannot tell what may stand there.
        let tight = match node.parent()?.syntax() {
            Syntax::Expr(Expr::Tuple(outer)) => outer.elems.len() == self.slots,
            Syntax::Expr(Expr::Field(_)) => true,
            _ => false,
        };
        if tight && !matches!(kept, Expr::Path(_) | Expr::Lit(_)) {
            return Some(left(node, range(kept), true));
        }
        Place::of(node)?.kept(child(node, kept)?)
    }

    /// The edits that mend the reads of the slot and of those after it; `None` if that is not possible.
    fn reads(&self, accesses: &Accesses<'_>) -> Option<Vec<Edit>> {
        let least = if self.slots == 2 { 0 } else { self.slot };
        if accesses.is_tuple_larger(least) {
            return Some(Vec::new());
        }
        let mut edits = accesses.reads(&self.slot.to_string());
        match self.other() {
            Some(other) => edits.extend(accesses.bared(&other.to_string())?),
            None => edits.extend(accesses.counted_down(self.slot + 1..self.slots)),
        }
        Some(edits)
    }
}

fn left(node: Node<'_>, kept: Range<usize>, tight: bool) -> Vec<Edit> {
    let (open, close) = if tight { ("(", ")") } else { ("", "") };
    kept_between(node.range(), open, kept, close)
}

/// Whether `pat` needs parentheses in the place of the tuple pattern `node`.
fn is_cut(pat: &Pat, node: Node<'_>) -> bool {
    let around = || node.ancestors().find(|node| !matches!(node.syntax(), Syntax::Pat(Pat::Tuple(_))));
    match pat {
        Pat::Guard(_) | Pat::Or(_) | Pat::Range(_) => true,
        // `&mut a` is another pattern than `&(mut a)`.
        Pat::Ident(pat) if pat.mutability.is_some() => {
            around().is_some_and(|node| matches!(node.syntax(), Syntax::Pat(Pat::Reference(_))))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn slots_go_from_types_values_and_patterns() {
        check(
            &DELETE_TUPLE_SLOT,
            "static A: (u8, u16, u32) = (1, 2, 3); fn f() { let (a, .., c): (A, B, C) = x; (d.0.e, d.1, y.2 + 1, 3); |(.., b)| {} }",
            &[
                "static A: (u16, u32) = (2, 3); fn f() { let (.., c): (B, C) = x; (loop {}, d.0, y.1 + 1, 3); |(.., b)| {} }",
                "static A: (u8, u32) = (1, 3); fn f() { let (a, .., c): (A, C) = x; (d.0.e, loop {}, y.1 + 1, 3); |(.., b)| {} }",
                "static A: (u8, u16) = (1, 2); fn f() { let (a, ..): (A, B) = x; (d.0.e, d.1, loop {} + 1, 3); |(..)| {} }",
            ],
        );
    }

    #[test]
    fn of_two_slots_one_stands_alone() {
        check(
            &DELETE_TUPLE_SLOT,
            "fn f(&(mut a, 1..): &(A, dyn B + C)) -> (u8, u8) { (1 + 2, 3).1 * (4, 5 + 6) }",
            &["fn f(&(1..): &(dyn B + C)) -> u8 { 3 * (5 + 6) }", "fn f(&(mut a): &A) -> u8 { (loop {}) * 4 }"],
        );
        check(
            &DELETE_TUPLE_SLOT,
            "type T = ((A, B), C); fn f() { let ((a, ..), ..) = ((x.1 + 1, 2), 3); y.1.1.c }",
            &["type T = C; fn f() { let _ = 3; y.c }", "type T = A; fn f() { let a = (loop {} + 1); loop {} }"],
        );
    }

    #[test]
    fn one_slot_leaves_nothing() {
        check(&DELETE_TUPLE_SLOT, "fn f((a,): (u8,)) -> ((),) { ((),) }", &["fn f((): ()) -> () { () }"]);
    }

    #[test]
    fn reads_of_tuple_structs_stay() {
        check(
            &DELETE_TUPLE_SLOT,
            "struct S(u8); fn f(x: (u8, u8)) -> (u8, u8) { x.0 }",
            &["struct S(u8); fn f(x: u8) -> u8 { x.0 }", "struct S(u8); fn f(x: u8) -> u8 { x.0 }"],
        );
    }

    #[test]
    fn other_tuples_stay() {
        check(&DELETE_TUPLE_SLOT, "fn f((a, b): A) { (c, d); e.0 }", &[]);
        check(&DELETE_TUPLE_SLOT, "fn f(a: (), (b): (u8)) -> () { (); S(1, 2); }", &[]);
        check(&DELETE_TUPLE_SLOT, "fn f((a, b, c): A) { m!(=> (1, 2)); (d,) }", &[]);
    }

    #[test]
    fn a_pair_becomes_a_tuple_of_one() {
        check(
            &PAIR_TO_SINGLE,
            "fn f((a, ..): ((A, B), C)) { (1, 2,); (3,) }",
            &[
                "fn f((..,): ((A, B), C)) { (1, 2,); (3,) }",
                "fn f((a,): ((A, B), C)) { (1, 2,); (3,) }",
                "fn f((a, ..): (C,)) { (1, 2,); (3,) }",
                "fn f((a, ..): ((A, B),)) { (1, 2,); (3,) }",
                "fn f((a, ..): ((B,), C)) { (1, 2,); (3,) }",
                "fn f((a, ..): ((A,), C)) { (1, 2,); (3,) }",
            ],
        );
    }

    #[test]
    fn what_is_there_once_is_for_others() {
        check(&DELETE_TUPLE_SLOT, "fn f(a: (u8, u16)) { (b, c, d); }", &[]);
    }
}
