//! Structs of one field that give way to what they hold.

use std::collections::BTreeMap;

use syn::{Expr, Field, Item, ItemStruct, Pat};

use crate::names::accesses::member;
use crate::names::functions::annotate;
use crate::names::references::{arguments, of_self_type, retype};
use crate::names::{Analysis, Reference, without_leaf};
use crate::placeholders::instantiate::Instantiation;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Node, Occurrence, Place, Syntax, child, precedence, range};
use crate::text::{Edit, kept_between, outermost};

family! {
    "newtypes", "Puts what structs of one field hold in their place.", in Coupled at 16;

    /// Replace a struct of one field by its content wherever it is named, made, taken apart or read.
    ///
    /// Its inherent impls go. Reads are mended only where no other field has the name of its own, or where all structs with such
    /// a field are replaced together. An alternative gives variables the type of the content.
    UNWRAP_NEWTYPE = "unwrap-newtype", Rule::Tree(unwrap_newtype),
        "struct W<T>(Vec<T>);\n\
         trait A {}\n\
         impl<T> A for W<T> {}\n\
         fn f(w: W<u8>) -> W<u8> { let W(v) = w; W(v) }\n\
         fn g(w: W<u8>) { w.0.len(); }"
        => "trait A {}\n\
            impl<T> A for Vec<T> {}\n\
            fn f(w: Vec<u8>) -> Vec<u8> { let v = w; v }\n\
            fn g(w: Vec<u8>) { w.len(); }";
}

struct Newtype<'t> {
    node: Node<'t>,
    item: &'t ItemStruct,
    field: &'t Field,
}

impl<'t> Newtype<'t> {
    fn of(node: Node<'t>) -> Option<Self> {
        let Syntax::Item(Item::Struct(item)) = node.syntax() else { return None };
        let field = item.fields.iter().next().filter(|_| item.fields.len() == 1)?;
        Some(Self { node, item, field })
    }

    /// The edits that replace it; none if it is named where its content cannot stand.
    fn unwrapped(&self) -> Option<Vec<Edit>> {
        let tree = self.node.tree();
        let own = self.node.range();
        let mut edits = vec![Edit::delete(own.clone())];
        let mut doomed = vec![own.clone()];
        let mut selves = Vec::new();
        let name = self.node.text_at(range(&self.item.ident));
        let uses: Vec<Occurrence<'_>> = self.node.mentions_elsewhere(name).collect();
        for occurrence in &uses {
            if let Some(Reference::Type(ty)) = Reference::of(occurrence)
                && let Some(home) = of_self_type(ty)
                && let Syntax::Item(Item::Impl(item)) = home.syntax()
            {
                let home = home.range();
                if item.trait_.is_none() {
                    doomed.push(home.clone());
                    edits.push(Edit::delete(home));
                } else {
                    let is_value = |own: &Occurrence<'_>| {
                        matches!(Reference::of(own), Some(Reference::Value(_) | Reference::Pattern(_)))
                    };
                    selves.extend(tree.uses("Self", home, 0..0).filter(is_value));
                }
            }
        }
        let stays = |occurrence: &&Occurrence<'_>| !doomed.iter().any(|range| range.contains(&occurrence.range.start));
        for occurrence in uses.iter().chain(&selves).filter(stays) {
            edits.extend(self.at(occurrence)?);
        }
        Some(edits)
    }

    /// The edits that give the variables that it initialises the type of its content, which nothing else may show.
    fn annotations(&self) -> Vec<Edit> {
        if !self.item.generics.params.is_empty() {
            return Vec::new();
        }
        let name = self.node.text_at(range(&self.item.ident));
        let annotation = format!(": {}", self.node.text_at(range(&self.field.ty)));
        let uses = self.node.tree().occurrences(name);
        let values = uses.filter_map(|occurrence| match Reference::of(&occurrence) {
            Some(Reference::Value(node)) => Some(node),
            _ => None,
        });
        let binds = |syntax| matches!(syntax, Syntax::Local(local) if matches!(local.pat, Pat::Ident(_)));
        let values = values.filter(|value| value.parent().map(Node::syntax).is_some_and(binds));
        values.filter_map(|value| annotate(value, &annotation)).collect()
    }

    /// The edits of one mention; none if the content cannot stand there.
    fn at(&self, occurrence: &Occurrence<'_>) -> Option<Vec<Edit>> {
        Some(match Reference::of(occurrence) {
            None => Vec::new(),
            Some(Reference::Import(leaf)) => without_leaf(leaf),
            Some(Reference::Type(_)) => {
                let arguments = arguments(occurrence)?;
                // The arguments would have to be mended a second time in what is repeated of them.
                let name = self.node.text_at(range(&self.item.ident));
                if self.node.tree().uses(name, range(arguments), 0..0).next().is_some() {
                    return None;
                }
                let instantiation = Instantiation::of(self.node, &self.item.generics, arguments);
                vec![retype(occurrence, &instantiation.text(self.node, range(&self.field.ty)))?]
            }
            Some(Reference::Value(node)) => {
                let content = match node.syntax() {
                    Syntax::Expr(Expr::Call(expr)) if expr.args.len() == 1 => child(node, expr.args.first()?)?,
                    Syntax::Expr(Expr::Struct(expr)) if expr.fields.len() == 1 && expr.rest.is_none() => {
                        let field = node.children().find(|child| matches!(child.syntax(), Syntax::FieldValue(_)))?;
                        child(field, &expr.fields.first()?.expr)?
                    }
                    _ => return None,
                };
                // What is read of it is its content: without the point behind it, a block would end a statement.
                let is_read = matches!(node.parent()?.syntax(), Syntax::Expr(Expr::Field(_)));
                if is_read && matches!(content.syntax(), Syntax::Expr(expr) if precedence::is_block_like(expr)) {
                    return None;
                }
                Place::of(node)?.kept(content)?
            }
            Some(Reference::Pattern(node)) => {
                let content = match node.syntax() {
                    Syntax::Pat(Pat::TupleStruct(pat)) => match pat.elems.first()? {
                        Pat::Rest(_) => return Some(vec![Edit::replace(node.range(), "_")]),
                        elem => elem,
                    },
                    Syntax::Pat(Pat::Struct(pat)) => match pat.fields.first() {
                        Some(field) => &*field.pat,
                        None => return Some(vec![Edit::replace(node.range(), "_")]),
                    },
                    _ => return None,
                };
                let (open, close) = if matches!(content, Pat::Or(_) | Pat::Range(_)) { ("(", ")") } else { ("", "") };
                kept_between(node.range(), open, range(content), close)
            }
            Some(_) => return None,
        })
    }
}

fn unwrap_newtype(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let fields = analysis.nodes().filter_map(|node| match node.syntax() {
        Syntax::Item(Item::Struct(item)) => Some(&item.fields),
        _ => None,
    });
    let members: Vec<String> = fields.flat_map(|fields| fields.iter().enumerate()).map(member).collect();
    // What is read does not say of which struct, so all that have a field of this name are unwrapped together.
    let mut groups: BTreeMap<String, Vec<(Newtype<'_>, Vec<Edit>)>> = BTreeMap::new();
    for newtype in analysis.nodes().filter_map(Newtype::of) {
        let Some(edits) = newtype.unwrapped() else { continue };
        groups.entry(member((0, newtype.field))).or_default().push((newtype, edits));
    }
    for (member, newtypes) in groups {
        let site = newtypes[0].0.node.range();
        let all = newtypes.iter().flat_map(|(_, edits)| edits.clone());
        let all: Vec<Edit> = all.chain(analysis.accesses().named(&member).filter_map(read)).collect();
        let annotations: Vec<Edit> = newtypes.iter().flat_map(|(newtype, _)| newtype.annotations()).collect();
        let having = members.iter().filter(|other| **other == member).count();
        if having == newtypes.len() {
            out.trial(site.clone(), outermost(all.clone()));
            if !annotations.is_empty() {
                out.trial(site, outermost([all, annotations].concat()));
            }
        }
        for (newtype, edits) in newtypes.into_iter().filter(|_| having > 1) {
            out.trial(newtype.node.range(), outermost(edits));
        }
    }
}

/// The edit that leaves of the read `node` of a member its base.
fn read(node: Node<'_>) -> Option<Edit> {
    let Syntax::Expr(Expr::Field(expr)) = node.syntax() else { return None };
    // Without the point behind it, a block would end a statement.
    let is_base = !precedence::is_block_like(&expr.base);
    is_base.then(|| Edit::delete(range(&expr.dot_token).start..node.range().end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn the_content_stands_for_the_struct() {
        check(
            &UNWRAP_NEWTYPE,
            "struct W { a: u8 } fn f(w: &m::W) { let W { a } = W { a: 1 + W { a: 2 }.a }; w.a * 2; }",
            &["fn f(w: &u8) { let a = 1 + 2; w * 2; }"],
        );
        check(
            &UNWRAP_NEWTYPE,
            "struct W<T>(T); fn f(W(x): W<u8>, W(..): W<u16>) { W(1 + 2).0 * W(3).0; } use m::W;",
            &["fn f(x: u8, _: u16) { (1 + 2) * 3; }"],
        );
    }

    #[test]
    fn structs_with_a_field_of_the_same_name_go_together() {
        check(
            &UNWRAP_NEWTYPE,
            "struct A(u8); struct B(u8); fn f(a: A, b: &B) -> A { a.0 + b.0; A(b.0) }",
            &[
                "fn f(a: u8, b: &u8) -> u8 { a + b; b }",
                "struct B(u8); fn f(a: u8, b: &B) -> u8 { a.0 + b.0; b.0 }",
                "struct A(u8); fn f(a: A, b: &u8) -> A { a.0 + b.0; A(b.0) }",
            ],
        );
    }

    #[test]
    fn a_variable_keeps_the_type_of_the_content() {
        check(
            &UNWRAP_NEWTYPE,
            "struct A(Vec<u8>); fn f() { let a = A(g()); let A(b) = a; let c: A = A(h()); }",
            &[
                "fn f() { let a = g(); let b = a; let c: Vec<u8> = h(); }",
                "fn f() { let a: Vec<u8> = g(); let b = a; let c: Vec<u8> = h(); }",
            ],
        );
    }

    #[test]
    fn patterns_keep_their_parentheses() {
        check(
            &UNWRAP_NEWTYPE,
            "struct W(u8); fn f() { let W(1 | 2) = a; let &W(1..=2) = b; }",
            &["fn f() { let (1 | 2) = a; let &(1..=2) = b; }"],
        );
    }

    #[test]
    fn impls_of_traits_stay_and_inherent_ones_go() {
        check(
            &UNWRAP_NEWTYPE,
            "struct W(u8); impl W { fn f() { W::g } } impl A for W { fn h() -> Self { Self(1) } }",
            &["impl A for u8 { fn h() -> Self { 1 } }"],
        );
    }

    #[test]
    fn reads_of_other_fields_stay() {
        check(
            &UNWRAP_NEWTYPE,
            "struct V(u8, u8); struct W(u8); fn f(w: W) { w.0 }",
            &["struct V(u8, u8); fn f(w: u8) { w.0 }"],
        );
    }

    #[test]
    fn what_is_named_where_its_content_cannot_stand_stays() {
        check(&UNWRAP_NEWTYPE, "struct W(u8); fn f() { g(W) }", &[]);
        check(&UNWRAP_NEWTYPE, "struct W(u8); fn f() { W::g() }", &[]);
        check(&UNWRAP_NEWTYPE, "struct W<T>(T); fn f(w: W<W<u8>>) {}", &[]);
        check(&UNWRAP_NEWTYPE, "struct W(u8); m!(=> W);", &[]);
    }

    #[test]
    fn other_structs_stay() {
        check(&UNWRAP_NEWTYPE, "struct A; struct B(); struct C {} struct D(u8, u8); enum E { F(u8) }", &[]);
    }

    #[test]
    fn a_sum_of_bounds_stands_in_parentheses() {
        check(&UNWRAP_NEWTYPE, "struct S<T: ?Sized>(T); fn f(a: &S<A + B>) {}", &["fn f(a: &(A + B)) {}"]);
        check(&UNWRAP_NEWTYPE, "struct S<T>(T); fn f() { let a: S<_>::B = c; }", &["fn f() { let a: <_>::B = c; }"]);
        check(&UNWRAP_NEWTYPE, "struct S(u8); fn f() { S(a); { b }.0 += 1; }", &["fn f() { a; { b }.0 += 1; }"]);
    }

    #[test]
    fn a_value_given_for_a_type_is_none() {
        check(&UNWRAP_NEWTYPE, "struct S<T>(T); fn f(a: S<{ B }>, b: S<1>) {}", &[]);
    }
}
