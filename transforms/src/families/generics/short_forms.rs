//! Generics rewritten in a shorter form: bounds inline, `impl Trait`, const arguments without blocks.

use std::ops::Range;

use syn::punctuated::Punctuated;
use syn::{
    Expr, FnArg, GenericArgument, GenericParam, Generics, Stmt, Token, Type, TypeParam, TypeParamBound, WherePredicate,
};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::{angles, generics, whole_where, written_bounds};
use crate::syntax::{List, Node, Syntax, range};
use crate::text::{Edit, covers};

family! {
    "generics", "Rewrites generics in a shorter form.", in Generics;

    /// Write a predicate of a where clause as a bound of the parameter.
    INLINE_PREDICATE = "inline-predicate", Rule::Node(inline_predicate), "fn f<T>() where T: A {}" => "fn f<T: A>() {}";

    /// Write a type parameter that is used once, for an argument, as `impl Trait`.
    INLINE_TYPE_PARAMETER = "inline-type-parameter", Rule::Node(inline_type_parameter),
        "fn f<T: A>(x: &T) {}" => "fn f(x: &impl A) {}";

    /// Replace a block as a const argument or default by what is in it or by 0, and a default by the shortest path.
    ///
    /// Only the value of a literal is known before a default is needed.
    REPLACE_CONST_BLOCK = "replace-const-block", Rule::Node(replace_const_block),
        "type A = B<{ C }>;" => "type A = B<C>;";
}

fn inline_predicate(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(generics) = generics(node.syntax()) else { return };
    let (Some(clause), Some(whole)) = (&generics.where_clause, whole_where(generics)) else { return };
    let list = List::bare(node, &clause.predicates);
    for (index, predicate) in clause.predicates.iter().enumerate() {
        let bounds = match predicate {
            WherePredicate::Lifetime(predicate) => written_bounds(&predicate.bounds),
            WherePredicate::Type(predicate) if predicate.lifetimes.is_none() => written_bounds(&predicate.bounds),
            _ => None,
        };
        let Some((bounds, place)) = bounds.zip(place(generics, predicate)) else { continue };
        let mut edits = list.without_or(index, whole.clone());
        let plus = if place.has_bounds { " +" } else { "" };
        // The token before them is replaced, too: a parameter that goes takes them along.
        let text = format!("{}{} {}{plus}", node.text_at(place.token.clone()), place.colon, node.text_at(bounds));
        edits.push(Edit::replace(place.token, text));
        out.edit(list.elements[index].clone(), edits);
    }
}

/// Where bounds can be put.
struct Insertion {
    /// The token that they follow.
    token: Range<usize>,
    /// The colon that has to be written before them.
    colon: &'static str,
    has_bounds: bool,
}

/// Where the bounds of the parameter that `predicate` is about stand.
fn place(generics: &Generics, predicate: &WherePredicate) -> Option<Insertion> {
    let at = |name: Range<usize>, colon: &Option<Token![:]>, has_bounds: bool| match colon {
        Some(colon) => Insertion { token: range(colon), colon: "", has_bounds },
        None => Insertion { token: name, colon: ":", has_bounds },
    };
    generics.params.iter().find_map(|param| match (param, predicate) {
        (GenericParam::Lifetime(param), WherePredicate::Lifetime(predicate))
            if param.lifetime == predicate.lifetime =>
        {
            Some(at(range(&param.lifetime), &param.colon_token, !param.bounds.is_empty()))
        }
        (GenericParam::Type(param), WherePredicate::Type(predicate)) => {
            let is_param = matches!(&predicate.bounded_ty, Type::Path(ty) if ty.path.is_ident(&param.ident));
            is_param.then(|| at(range(&param.ident), &param.colon_token, !param.bounds.is_empty()))
        }
        _ => None,
    })
}

fn inline_type_parameter(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Signature(signature) = node.syntax() else { return };
    let (generics, Some(whole)) = (&signature.generics, node.parent()) else { return };
    let (Some(list), Some(angles)) = (List::params(node, generics), angles(generics)) else { return };
    for (index, param) in generics.params.iter().enumerate() {
        let GenericParam::Type(param) = param else { continue };
        // `impl` needs a trait.
        let is_bound = param.bounds.iter().any(|bound| !matches!(bound, TypeParamBound::Lifetime(_)));
        let Some(bounds) = written_bounds(&param.bounds).filter(|_| is_bound && param.default.is_none()) else {
            continue;
        };
        let Some((used, tight)) = only_use(param, whole, &signature.inputs) else { continue };
        let bounds = node.text_at(bounds);
        let text = if tight && param.bounds.len() > 1 { format!("(impl {bounds})") } else { format!("impl {bounds}") };
        let mut edits = list.without_or(index, angles.clone());
        edits.push(Edit::replace(used, text));
        out.edit(list.elements[index].clone(), edits);
    }
}

/// The only use of `param` in `whole`, if that is as a type in one of `inputs`, and whether no sum of bounds may stand there.
fn only_use(param: &TypeParam, whole: Node<'_>, inputs: &Punctuated<FnArg, Token![,]>) -> Option<(Range<usize>, bool)> {
    let inputs = range(inputs);
    let is_param = |inner: &Node<'_>| matches!(inner.syntax(), Syntax::Ident(ident) if *ident == param.ident);
    let mut uses = whole.descendants().filter(is_param).filter(|inner| inner.range() != range(&param.ident));
    let (Some(used), None) = (uses.next(), uses.next()) else { return None };
    let ty = used.ancestors().find(|ancestor| matches!(ancestor.syntax(), Syntax::Type(_)))?;
    let tight = matches!(ty.parent()?.syntax(), Syntax::Type(Type::Ptr(_) | Type::Reference(_)));
    let is_input = covers(&inputs, &used.range());
    (is_input && ty.range() == used.range()).then(|| (used.range(), tight))
}

fn replace_const_block(node: Node<'_>, out: &mut Proposals<'_>) {
    let expr = match node.syntax() {
        Syntax::GenericArgument(GenericArgument::Const(expr)) => expr,
        Syntax::GenericArgument(GenericArgument::AssocConst(argument)) => &argument.value,
        Syntax::GenericParam(GenericParam::Const(param)) => match &param.default {
            Some((_, expr)) => expr,
            None => return,
        },
        _ => return,
    };
    let Expr::Block(expr) = expr else { return };
    let site = range(expr);
    if let [Stmt::Expr(inner, None)] = &expr.block.stmts[..] {
        let is_alone = match inner {
            Expr::Lit(_) => true,
            Expr::Path(inner) => inner.path.get_ident().is_some(),
            _ => false,
        };
        if is_alone && !node.text_at(range(inner)).starts_with('#') {
            out.keep(site.clone(), range(inner));
        }
    }
    out.replace(site.clone(), "0");
    if let Syntax::GenericParam(_) = node.syntax() {
        out.replace(site, "None");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn predicates_about_parameters_become_bounds() {
        check(
            &INLINE_PREDICATE,
            "fn f<'a, T: A>() where T: B + C, 'a: 'b, {}",
            &["fn f<'a, T: B + C + A>() where 'a: 'b, {}", "fn f<'a: 'b, T: A>() where T: B + C, {}"],
        );
        check(&INLINE_PREDICATE, "struct S<T: = A>(T) where T: B +;", &["struct S<T: B = A>(T);"]);
    }

    #[test]
    fn other_predicates_stay() {
        check(&INLINE_PREDICATE, "fn f<T>() where A: B, T::C: D, for<'a> T: E<'a>, T: {}", &[]);
        check(&INLINE_PREDICATE, "impl<T> A<T> { fn f() where T: B {} }", &[]);
    }

    #[test]
    fn a_parameter_used_once_becomes_impl_trait() {
        check(&INLINE_TYPE_PARAMETER, "fn f<T: A + B, U>(x: &T, y: U) {}", &["fn f<U>(x: &(impl A + B), y: U) {}"]);
        check(
            &INLINE_TYPE_PARAMETER,
            "impl S { fn f<T: A<B>>(self, x: [T; 1]) {} }",
            &["impl S { fn f(self, x: [impl A<B>; 1]) {} }"],
        );
    }

    #[test]
    fn a_parameter_used_elsewhere_stays() {
        check(&INLINE_TYPE_PARAMETER, "fn f<T: A>(x: T) -> T {} fn g<T: A>(x: T) { h::<T>() }", &[]);
        check(&INLINE_TYPE_PARAMETER, "fn f<T: A>() -> T {} fn g<T: A>(x: T::B) {} fn h<T>(x: T) {}", &[]);
        check(&INLINE_TYPE_PARAMETER, "struct S<T: A>(T);", &[]);
    }

    #[test]
    fn const_blocks_become_what_is_in_them_or_0() {
        check(
            &REPLACE_CONST_BLOCK,
            "struct S<const N: u8 = { 1 + 2 }>(A<{ B }>);",
            &[
                "struct S<const N: u8 = 0>(A<{ B }>);",
                "struct S<const N: u8 = None>(A<{ B }>);",
                "struct S<const N: u8 = { 1 + 2 }>(A<B>);",
                "struct S<const N: u8 = { 1 + 2 }>(A<0>);",
            ],
        );
        check(&REPLACE_CONST_BLOCK, "type A = dyn B<C = { -1 }>;", &["type A = dyn B<C = 0>;"]);
        check(&REPLACE_CONST_BLOCK, "type A = B<1, C>; const D: u8 = { 1 };", &[]);
    }

    #[test]
    fn a_lifetime_alone_is_no_bound_of_impl() {
        check(&INLINE_TYPE_PARAMETER, "fn f<T: 'static>(a: T) {}", &[]);
        check(&INLINE_TYPE_PARAMETER, "fn f<T: 'a + A>(a: T) {}", &["fn f(a: impl 'a + A) {}"]);
    }
}
