//! Fields that are deleted together with what is written for them.

use syn::{Expr, Pat};

use crate::names::Analysis;
use crate::names::accesses::{self, is_member};
use crate::names::fields::Record;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{outside, position};
use crate::syntax::{List, Node, Occurrence, Syntax, range};
use crate::text::{Edit, outermost};

family! {
    "fields", "Deletes fields with what is written for them.", in Coupled at 2;

    /// Delete a field with what is written for it in expressions and patterns.
    ///
    /// Parameters that only this field speaks of go with their arguments. The next alternative puts `loop {}` in the place of what reads it.
    DELETE_FIELD = "delete-field-everywhere", Rule::Tree(delete_field),
        "struct S { a: u8, b: u8 }\n\
         fn f(s: S) { let S { a, b: _ } = s; S { a, b: 1 }; }"
        => "struct S { a: u8 }\n\
            fn f(s: S) { let S { a } = s; S { a }; }";
}

fn delete_field(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let reads_of = analysis.accesses();
    for node in analysis.nodes() {
        let Some(record) = Record::of(node) else { continue };
        let (uses, slots) = (record.uses(), record.fields.len());
        let params = record.params_of_fields();
        for (index, (field, params)) in record.fields.iter().zip(&params).enumerate() {
            if out.is_full() {
                return;
            }
            let Some(declaration) = record.without(index, slots == 1) else { continue };
            let name = accesses::member((index, field));
            let mut written: Vec<Edit> =
                uses.iter().flat_map(|occurrence| written(occurrence, &name, index, slots)).collect();
            written.extend(record.without_params(params, &uses));
            if record.is_struct() && record.is_tuple() {
                written.extend(reads_of.renumbered(slots, index));
            }
            let reads = if record.is_struct() { reads_of.reads(&name) } else { Vec::new() };
            // Where the only field of that name is read, it cannot just go; where nothing is written for it, others see to it.
            let readable = reads.is_empty() || reads_of.declared(&name) > 1;
            let proposed = readable && !written.is_empty();
            let deletion = outermost([written, declaration].concat());
            if proposed {
                out.edit(range(field), deletion.clone());
            }
            if !reads.is_empty() {
                out.edit(range(field), outermost([deletion, reads].concat()));
            }
        }
    }
}

/// The edits that delete the value or pattern of the field `member` where `occurrence` makes or destructures a value.
fn written(occurrence: &Occurrence<'_>, member: &str, index: usize, slots: usize) -> Vec<Edit> {
    let Some(owner) = occurrence.path_end().and_then(Node::parent) else { return Vec::new() };
    let owner = occurrence.call().unwrap_or(owner);
    let (index, parens) = match owner.syntax() {
        Syntax::Expr(Expr::Struct(expr)) => {
            (expr.fields.iter().position(|field| is_member(&field.member, member)), None)
        }
        Syntax::Pat(Pat::Struct(pat)) => (pat.fields.iter().position(|field| is_member(&field.member, member)), None),
        Syntax::Pat(Pat::TupleStruct(pat)) => (position(&pat.elems, index, slots), Some(pat.paren_token)),
        Syntax::Expr(Expr::Call(expr)) => (Some(index), Some(expr.paren_token)),
        _ => return Vec::new(),
    };
    let Some(list) = List::of(owner) else { return Vec::new() };
    match (index, parens) {
        (_, Some(parens)) if slots == 1 => vec![Edit::delete(outside(parens.span))],
        (Some(index), _) if index < list.len() => list.without(index),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn what_is_written_for_a_field_goes_with_it() {
        check(
            &DELETE_FIELD,
            "struct S<T> { a: T, b: u8 } impl S<u8> { fn f() -> Self { Self { a: 1, ..c } } } fn g() { let m::S { b: 1, .. } = S { b, a: d }; }",
            &[
                "struct S { b: u8 } impl S { fn f() -> Self { Self { ..c } } } fn g() { let m::S { b: 1, .. } = S { b }; }",
                "struct S<T> { a: T } impl S<u8> { fn f() -> Self { Self { a: 1, ..c } } } fn g() { let m::S { .. } = S { a: d }; }",
            ],
        );
    }

    #[test]
    fn slots_go_with_their_arguments_and_numbers() {
        check(
            &DELETE_FIELD,
            "struct S(A, B); fn f(S(a, b): S) { g(S(1, 2).1, s.0.c) }",
            &["struct S(B); fn f(S(b): S) { g(S(2).0, loop {}) }", "struct S(A); fn f(S(a): S) { g(loop {}, s.0.c) }"],
        );
        check(
            &DELETE_FIELD,
            "enum E { V(A, B), W } fn f() { match E::V(1, 2) { V(.., c) => {} E::V(a, ..) => {} E::W => {} } }",
            &[
                "enum E { V(B), W } fn f() { match E::V(2) { V(.., c) => {} E::V(..) => {} E::W => {} } }",
                "enum E { V(A), W } fn f() { match E::V(1) { V(..) => {} E::V(a, ..) => {} E::W => {} } }",
            ],
        );
    }

    #[test]
    fn without_its_last_field_it_is_a_unit() {
        check(
            &DELETE_FIELD,
            "struct S { a: u8 } fn f(S { a }: S) -> S { S { a: 1 } }",
            &["struct S; fn f(S { }: S) -> S { S { } }"],
        );
        check(
            &DELETE_FIELD,
            "struct S(u8) where A: B; enum E { V { a: u8 } } fn f(S(..): S, E::V { a }: E) -> S { S(1) }",
            &[
                "struct S where A: B; enum E { V { a: u8 } } fn f(S: S, E::V { a }: E) -> S { S }",
                "struct S(u8) where A: B; enum E { V } fn f(S(..): S, E::V { }: E) -> S { S(1) }",
            ],
        );
    }

    #[test]
    fn fields_of_the_same_name_may_be_others() {
        check(
            &DELETE_FIELD,
            "struct S { a: u8 } struct T { a: u8 } fn f() { S { a: 1 }; t.a + 1; }",
            &[
                "struct S; struct T { a: u8 } fn f() { S { }; t.a + 1; }",
                "struct S; struct T { a: u8 } fn f() { S { }; (loop {}) + 1; }",
                "struct S { a: u8 } struct T; fn f() { S { a: 1 }; (loop {}) + 1; }",
            ],
        );
    }

    #[test]
    fn parameters_of_the_field_alone_go_with_their_arguments() {
        check(
            &DELETE_FIELD,
            "struct S<'a, T, U>(&'a T, U) where T: A; impl<T: B, U> S<'_, T, U> where T: C {} impl<'a, T, U> D<T> for S<'a, T, U> {} fn f(s: S<u8, u16>) {}",
            &[
                "struct S<U>(U); impl<U> S<U> {} impl<T, U> D<T> for S<U> {} fn f(s: S<u16>) {}",
                "struct S<'a, T>(&'a T) where T: A; impl<T: B> S<'_, T> where T: C {} impl<'a, T> D<T> for S<'a, T> {} fn f(s: S<u8>) {}",
            ],
        );
        check(&DELETE_FIELD, "struct S<T> { a: T, b: Vec<T> } impl<T> S<Vec<T>> {}", &[]);
    }

    #[test]
    fn what_is_read_from_a_field_is_not_told() {
        check(
            &DELETE_FIELD,
            "struct S { a: u8, b: u8 } fn f() { S { a: 1 }.a.b(c)?.d; s.a = 1; s.a += 1; &mut s.a }",
            &["struct S { b: u8 } fn f() { loop {}; loop {}; loop {}; &mut loop {} }"],
        );
    }

    #[test]
    fn an_initialiser_before_else_does_not_end_with_a_brace() {
        check(
            &DELETE_FIELD,
            "struct S { a: u8, b: u8 } fn f() { let T(x) = &mut s.a else { g() }; }",
            &["struct S { b: u8 } fn f() { let T(x) = &mut (loop {}) else { g() }; }"],
        );
    }

    #[test]
    fn what_is_neither_written_nor_read_is_for_others() {
        check(&DELETE_FIELD, "struct S { a: u8 } struct T(u8); enum E { V(u8) } fn f(s: S) {}", &[]);
        check(&DELETE_FIELD, "struct S; fn f() { S; T { a: 1 }; x.a }", &[]);
        check(&DELETE_FIELD, "union U { a: u8, b: u8 } fn f() { U { a: 1 } }", &[]);
    }
}
