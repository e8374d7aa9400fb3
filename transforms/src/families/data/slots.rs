//! Named fields that become numbered ones.

use std::ops::Range;

use syn::{Expr, Fields, FieldsNamed, Item, Member, Pat};

use crate::names::Analysis;
use crate::names::accesses::Accesses;
use crate::names::fields::Record;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{outside, token_at, token_before, whole_where};
use crate::syntax::{Node, Syntax, range};
use crate::text::{Edit, edited, outermost};

family! {
    "slots", "Makes tuples of what has named fields.", in Coupled at 3;

    /// Make a tuple struct of a struct, or of a variant, with named fields wherever it is made, taken apart or read.
    ///
    /// Where another struct has a field of the name, only what is read from `self` is mended.
    FIELDS_TO_SLOTS = "fields-to-slots", Rule::Tree(fields_to_slots),
        "struct S<T> where T: A { a: T, b: u8 }\n\
         fn f<T: A>(s: S<T>) { let S { b, .. } = s; S { b: s.b, a: s.a }; }"
        => "struct S<T>(T, u8) where T: A;\n\
            fn f<T: A>(s: S<T>) { let S(_, b) = s; S(s.0, s.1); }";
}

fn fields_to_slots(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let accesses = analysis.accesses();
    let members: Vec<String> = analysis.nodes().filter_map(member).collect();
    for record in analysis.nodes().filter_map(Record::of) {
        if let Fields::Named(fields) = record.fields {
            out.edit_any(record.node.range(), numbered(&record, fields, accesses, &members).map(outermost));
        }
    }
}

/// The name of the field that `node` is, of a struct or union: what is not read but from those.
fn member(node: Node<'_>) -> Option<String> {
    let Syntax::Field(field) = node.syntax() else { return None };
    let of_variant = node.ancestors().take(2).any(|home| matches!(home.syntax(), Syntax::Variant(_)));
    field.ident.as_ref().filter(|_| !of_variant).map(ToString::to_string)
}

/// The edits that number the fields of `record`; `None` if they are named where that cannot be changed. The names of all
/// fields of structs are `members`.
fn numbered(
    record: &Record<'_>,
    fields: &FieldsNamed,
    accesses: &Accesses<'_>,
    members: &[String],
) -> Option<Vec<Edit>> {
    let names: Vec<String> = fields.named.iter().filter_map(|field| Some(field.ident.as_ref()?.to_string())).collect();
    let mut edits = declared(record, fields)?;
    if record.is_struct() {
        for (slot, name) in names.iter().enumerate() {
            let is_read = |range: &Range<usize>| {
                token_before(record.node, range.start) == "." && token_at(record.node, range.end) != "("
            };
            if record.node.tree().occurrences(name).any(|token| token.node.is_none() && is_read(&token.range)) {
                return None;
            }
            let is_unique = members.iter().filter(|other| *other == name).count() == 1;
            edits.extend(match is_unique {
                true => accesses.numbered(name, slot),
                false => accesses.numbered_of_self(name, slot, record.name),
            });
        }
    }
    let mut owners = Vec::new();
    for occurrence in record.uses() {
        match occurrence.node {
            None if token_at(record.node, occurrence.range.end) == "{" => return None,
            _ => owners.extend(occurrence.path_end().and_then(Node::parent)),
        }
    }
    // What holds another one repeats it as it has become.
    owners.sort_by_key(|owner| owner.range().len());
    for owner in owners {
        edits = outermost(edits);
        let written = written(owner, &names, &edits)?;
        edits.extend(written);
    }
    Some(edits)
}

/// The edits that number the fields where they are declared.
fn declared(record: &Record<'_>, fields: &FieldsNamed) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    for field in &fields.named {
        if field.default.is_some() {
            return None;
        }
        edits.push(Edit::delete(range(field.ident.as_ref()?).start..range(field.colon_token.as_ref()?).end));
    }
    let mut end = ")".to_owned();
    if let Syntax::Item(Item::Struct(item)) = record.node.syntax() {
        // Predicates stand behind slots, but before fields.
        if let Some(clause) = whole_where(&item.generics) {
            end = format!(") {}", record.node.text_at(clause.clone()).trim_end_matches(','));
            edits.push(Edit::delete(clause));
        }
        end.push(';');
    }
    edits.push(Edit::replace(range(&fields.brace_token.span.open()), "("));
    edits.push(Edit::replace(range(&fields.brace_token.span.close()), end));
    Some(edits)
}

/// The edits that number the fields `names` where `owner` makes or destructures a value; `None` if it cannot be done.
/// `edits` change its contents.
fn written(owner: Node<'_>, names: &[String], edits: &[Edit]) -> Option<Vec<Edit>> {
    let (given, braces): (Vec<(&Member, Range<usize>)>, _) = match owner.syntax() {
        Syntax::Expr(Expr::Struct(expr)) => {
            if expr.dot2_token.is_some() || expr.fields.len() != names.len() {
                return None;
            }
            (expr.fields.iter().map(|field| (&field.member, range(&field.expr))).collect(), expr.brace_token)
        }
        Syntax::Pat(Pat::Struct(pat)) => {
            (pat.fields.iter().map(|field| (&field.member, range(&*field.pat))).collect(), pat.brace_token)
        }
        _ => return Some(Vec::new()),
    };
    let slot = |member: &Member| names.iter().position(|name| matches!(member, Member::Named(own) if own == name));
    let mut slots = vec![None; names.len()];
    for (member, value) in given {
        slots[slot(member)?] = Some(edited(owner.source_text(), value, edits));
    }
    let slots = with_rest(slots).join(", ");
    Some(vec![Edit::replace(outside(braces.span), format!("({slots})"))])
}

/// The texts of `slots`, where `_` stands for one without a text and `..` for the longest run of them.
fn with_rest(slots: Vec<Option<String>>) -> Vec<String> {
    let run = |from: usize| slots[from..].iter().take_while(|slot| slot.is_none()).count();
    // The first of the longest.
    let start = (0..slots.len()).rev().max_by_key(|from| run(*from)).unwrap_or_default();
    let rest = if run(start) > 1 { start..start + run(start) } else { 0..0 };
    let text = |(index, slot): (usize, Option<String>)| match slot {
        _ if rest.contains(&index) => (index == rest.start).then(|| "..".to_owned()),
        slot => Some(slot.unwrap_or("_".to_owned())),
    };
    slots.into_iter().enumerate().filter_map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn fields_become_slots_where_they_are_made_and_taken_apart() {
        check(
            &FIELDS_TO_SLOTS,
            "struct S { a: u8, pub b: u16, } fn f(S { b, ref a }: S, m::S { a: 1 | 2, .. }: S) { S { b: 1, a: S { a, b: 2 } }; }",
            &["struct S(u8, pub u16,); fn f(S(ref a, b): S, m::S(1 | 2, _): S) { S(S(a, 2), 1); }"],
        );
        check(
            &FIELDS_TO_SLOTS,
            "struct S<T> where T: A, { #[b] a: T } impl<T: A> S<T> { fn f(a: T) -> Self { if let Self { a: 1 } = x {} Self { a } } }",
            &[
                "struct S<T>(#[b] T) where T: A; impl<T: A> S<T> { fn f(a: T) -> Self { if let Self(1) = x {} Self(a) } }",
            ],
        );
    }

    #[test]
    fn variants_become_tuples() {
        check(
            &FIELDS_TO_SLOTS,
            "enum E { V { a: u8, b: u8 } = 1, W(u8), X { } } fn f(a: u8) { match (E::V { a, b: x.a }) { E::V { b: _, .. } => {} } }",
            &["enum E { V(u8, u8) = 1, W(u8), X { } } fn f(a: u8) { match (E::V(a, x.a)) { E::V(_, _) => {} } }"],
        );
    }

    #[test]
    fn reads_are_numbered() {
        check(
            &FIELDS_TO_SLOTS,
            "struct S { a: T, b: T } fn f(s: S) { s.a.b.c(s.b()); x.0.a.1; m!(s.b) }",
            &["struct S(T, T); fn f(s: S) { s.0 .1.c(s.b()); x.0. 0 .1; m!(s.1) }"],
        );
        check(
            &FIELDS_TO_SLOTS,
            "struct S { a: u8 } enum E { V { a: u8 } } fn f() { S { a: s.a } }",
            &[
                "struct S(u8); enum E { V { a: u8 } } fn f() { S(s.0) }",
                "struct S { a: u8 } enum E { V(u8) } fn f() { S { a: s.a } }",
            ],
        );
        check(
            &FIELDS_TO_SLOTS,
            "struct S { a: u8 } union U { a: u8 } fn f() { s.a }",
            &["struct S(u8); union U { a: u8 } fn f() { s.a }"],
        );
    }

    #[test]
    fn reads_of_self_are_told_from_others() {
        check(
            &FIELDS_TO_SLOTS,
            "struct S { a: u8 } struct T { a: u8 } impl S { fn f(&self) { self.a; s.a } } impl T { fn g(&self) { self.a } }",
            &[
                "struct S(u8); struct T { a: u8 } impl S { fn f(&self) { self.0; s.a } } impl T { fn g(&self) { self.a } }",
                "struct S { a: u8 } struct T(u8); impl S { fn f(&self) { self.a; s.a } } impl T { fn g(&self) { self.0 } }",
            ],
        );
    }

    #[test]
    fn what_is_not_mentioned_is_a_rest() {
        check(
            &FIELDS_TO_SLOTS,
            "struct S { a: A, b: B, c: C, d: D, e: E } fn f(S { c, .. }: S, S { a, .. }: S, S { .. }: S, S { b: [..], c: _, d: _, .. }: S) {}",
            &["struct S(A, B, C, D, E); fn f(S(.., c, _, _): S, S(a, ..): S, S(..): S, S(_, [..], _, _, _): S) {}"],
        );
    }

    #[test]
    fn what_a_macro_makes_is_changed_where_it_parses() {
        check(
            &FIELDS_TO_SLOTS,
            "struct S { a: u8 } macro_rules! m { ($x:tt) => { S { a: $x } } }",
            &["struct S(u8); macro_rules! m { ($x:tt) => { S($x) } }"],
        );
    }

    #[test]
    fn fields_that_macros_name_among_tokens_stay() {
        check(&FIELDS_TO_SLOTS, "struct S { a: u8 } m!(=> S { a: 1 });", &[]);
        check(&FIELDS_TO_SLOTS, "struct S { a: u8 } m!(=> s.a);", &[]);
    }

    #[test]
    fn what_is_made_of_another_value_stays() {
        check(&FIELDS_TO_SLOTS, "struct S { a: u8, b: u8 } fn f() { S { a: 1, ..b } }", &[]);
        check(&FIELDS_TO_SLOTS, "struct S { a: u8, b: u8 = 1 } fn f() { S { a: 1, .. } }", &[]);
        check(&FIELDS_TO_SLOTS, "struct S { a: u8 } fn f() { S { b: 1 } }", &[]);
    }

    #[test]
    fn what_has_no_names_stays() {
        check(&FIELDS_TO_SLOTS, "struct S(u8); struct T; struct U {} union V { a: u8 } enum E { W(u8), X }", &[]);
        check(&FIELDS_TO_SLOTS, "fn f(S { a }: S) { S { a } }", &[]);
    }
}
