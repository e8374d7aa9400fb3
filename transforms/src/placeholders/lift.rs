//! Moving a function or constant out of its impl: the edits of its `Self`, its receiver, its generics.

use std::ops::Range;

use syn::{FnArg, GenericParam, ImplItem, ImplItemConst, ItemImpl, ReceiverKind};

use crate::names::Function;
use crate::names::functions::{name_of, self_name};
use crate::syntax::generics::{angles, in_attribute_or_visibility, is_sum_text, parameter_name, qself};
use crate::syntax::surroundings::{body, mentions};
use crate::syntax::{Node, Occurrence, Syntax, range};
use crate::text::{Edit, edited};

/// The name of `self` as an ordinary parameter.
pub(crate) const RECEIVER: &str = "this";

/// The edits that write out each `Self` in an impl of the type at `ty`, and rename `self`.
pub(crate) fn mended_self(node: Node<'_>, ty: Range<usize>) -> Vec<Edit> {
    let text = node.text_at(ty);
    let tree = node.tree();
    let inside = node.range();
    let is_here = |range: &Range<usize>| inside.contains(&range.start);
    let types = tree.occurrences("Self").filter(|occurrence| is_here(&occurrence.range)).map(|occurrence| {
        // In a path, the arguments of the type would need `::`.
        let path = occurrence.path().is_some_and(|(path, ..)| occurrence.range.end < path.range().end);
        let is_value = occurrence
            .path()
            .and_then(|(path, ..)| path.parent())
            .is_some_and(|parent| matches!(parent.syntax(), Syntax::Expr(_) | Syntax::Pat(_)));
        let name = text.split('<').next().unwrap_or(text).trim();
        let is_named = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
        match path || is_value {
            // A type that is no path stands in brackets before another segment.
            true if !is_named && path => Edit::replace(occurrence.range, format!("<{text}>")),
            true => Edit::replace(occurrence.range, name),
            false => Edit::replace(occurrence.range, text),
        }
    });
    let values = tree.occurrences("self").filter(|occurrence| is_here(&occurrence.range));
    // The `self` of a receiver is written with its type.
    let values = values.filter(|occurrence| {
        occurrence.path().is_some_and(|(path, ..)| path.text() == "self" && !in_attribute_or_visibility(path))
    });
    let mut edits: Vec<Edit> =
        types.chain(values.map(|occurrence| Edit::replace(occurrence.range, RECEIVER))).collect();
    edits.sort_by_key(|edit| edit.range.start);
    edits
}

/// The edit that turns the receiver of `function` into an ordinary parameter.
pub(crate) fn mended_receiver(function: &Function<'_>, selves: &[Edit], ty: Range<usize>) -> Option<Edit> {
    let Some(FnArg::Receiver(receiver)) = function.signature.inputs.first() else { return None };
    let text = function.node.source_text();
    let mutable = if receiver.mutability.is_some() { "mut " } else { "" };
    let name = format!("{mutable}{RECEIVER}");
    let ty = &text[ty];
    let referred = if is_sum_text(ty) { format!("({ty})") } else { ty.to_owned() };
    let parameter = match &receiver.kind {
        ReceiverKind::Value => format!("{name}: {ty}"),
        ReceiverKind::Reference(_, lifetime, mutability) => {
            let lifetime = lifetime.as_ref().map(|lifetime| format!("{lifetime} ")).unwrap_or_default();
            let mutability = if mutability.is_some() { "mut " } else { "" };
            format!("{name}: &{lifetime}{mutability}{referred}")
        }
        ReceiverKind::Typed(_, ty) => format!("{name}: {}", edited(text, range(ty), selves)),
        _ => return None,
    };
    Some(Edit::replace(range(receiver), parameter))
}

/// The edits that use the constants of the inherent impl `node` by name only; `None` if one needs a parameter of the impl.
pub(crate) fn mended_constants(node: Node<'_>, item: &ItemImpl) -> Option<Vec<Edit>> {
    let mut params: Vec<String> = item.generics.params.iter().map(parameter_name).collect();
    if !params.is_empty() {
        // The type behind `Self` mentions them.
        params.push("Self".to_owned());
    }
    let ty = name_of(&item.self_ty);
    let mut edits = Vec::new();
    for constant in constants(item) {
        if mentions(node.tree().source(), &range(constant), &params) {
            return None;
        }
        edits.extend(node.tree().occurrences(&constant.ident.to_string()).filter_map(|use_| without_type(&use_, &ty)));
    }
    Some(edits)
}

pub(crate) fn constants(item: &ItemImpl) -> impl Iterator<Item = &ImplItemConst> {
    item.items.iter().filter_map(|item| match item {
        ImplItem::Const(constant) => Some(constant),
        _ => None,
    })
}

/// The edit that deletes the part of a path before `occurrence`, if that is the type `ty`.
fn without_type(occurrence: &Occurrence<'_>, ty: &str) -> Option<Edit> {
    let path = occurrence.path_end()?;
    let owner = path.parent()?;
    let Syntax::Path(syntax) = path.syntax() else { return None };
    let before = match (qself(owner.syntax()), syntax.segments.len()) {
        (Some(qself), 1) => name_of(&qself.ty),
        (None, len) => syntax.segments.iter().nth(len.checked_sub(2)?)?.ident.to_string(),
        _ => return None,
    };
    let is_own = if before == "Self" { self_name(path) == ty } else { before == ty };
    is_own.then(|| Edit::delete(owner.range().start..occurrence.range.start))
}

/// The edits that give `function` the parameters of its impl that it mentions, with the predicates about them; an only
/// item gets all predicates.
pub(crate) fn mended_generics(item: &ItemImpl, function: &Function<'_>, selves: &[Edit]) -> Vec<Edit> {
    let text = function.node.source_text();
    let source = function.node.tree().source();
    let own = function.node.range();
    let is_mentioned = |param: &GenericParam, range: &Range<usize>| mentions(source, range, &[parameter_name(param)]);
    let params = || item.generics.params.iter();
    let predicates: Vec<Range<usize>> =
        item.generics.where_clause.iter().flat_map(|c| &c.predicates).map(range).collect();
    let concerns = |predicate: &Range<usize>| {
        item.items.len() == 1 || params().any(|param| is_mentioned(param, &own) && is_mentioned(param, predicate))
    };
    let predicates: Vec<Range<usize>> = predicates.into_iter().filter(concerns).collect();
    // The written-out type of `self` mentions them all.
    let all = mentions(source, &own, &["Self".to_owned(), "self".to_owned()]);
    let needed = |param: &&GenericParam| {
        all || is_mentioned(param, &own) || predicates.iter().any(|predicate| is_mentioned(param, predicate))
    };
    let params: Vec<&str> = params().filter(needed).map(|param| &text[range(param)]).collect();
    let predicates: Vec<String> = predicates.iter().map(|predicate| edited(text, predicate.clone(), selves)).collect();
    parameters_edit(function, &params).into_iter().chain(predicates_edit(function, &predicates)).collect()
}

/// The edit that puts `params` before the generic parameters of `function`.
fn parameters_edit(function: &Function<'_>, params: &[&str]) -> Option<Edit> {
    if params.is_empty() {
        return None;
    }
    let params = params.join(", ");
    Some(match angles(&function.signature.generics) {
        Some(angles) if function.signature.generics.params.is_empty() => Edit::replace(angles, format!("<{params}>")),
        Some(angles) => Edit::replace(angles.start..angles.start + 1, format!("<{params}, ")),
        None => {
            let ident = range(&function.signature.ident);
            let name = function.node.text_at(ident.clone());
            Edit::replace(ident, format!("{name}<{params}>"))
        }
    })
}

/// The edit that puts `predicates` before those of `function`.
fn predicates_edit(function: &Function<'_>, predicates: &[String]) -> Option<Edit> {
    if predicates.is_empty() {
        return None;
    }
    let predicates = predicates.join(", ");
    if let Some(clause) = &function.signature.generics.where_clause {
        let comma = if clause.predicates.is_empty() { "" } else { "," };
        return Some(Edit::replace(range(&clause.where_token), format!("where {predicates}{comma}")));
    }
    let open = body(function.node)?.brace_token.span.open().byte_range();
    Some(Edit::replace(open, format!(" where {predicates} {{")))
}

#[cfg(test)]
mod tests {
    use crate::families::functions::methods::DISSOLVE_IMPL;
    use crate::testing::check;

    #[test]
    fn constants_are_called_by_name_alone() {
        check(
            &DISSOLVE_IMPL,
            "impl m::S { pub const A: u8 = 1; const B: Self = S(Self::A); } fn f(a: [u8; <S>::A], S::B: S) { m::S::A + T::A + <S as T>::A }",
            &["pub const A: u8 = 1; const B: m::S = S(A); fn f(a: [u8; A], B: S) { A + T::A + <S as T>::A }"],
        );
        check(
            &DISSOLVE_IMPL,
            "impl<T> S<T> { const A: u8 = 1; fn f(self, a: T) { Self::A.max(self.a); Self::B.f(Self::A) } }",
            &["const A: u8 = 1; fn f<T>(this: S<T>, a: T) { A.max(this.a); f(S::B, A) }"],
        );
    }

    #[test]
    fn constants_that_cannot_be_told_apart_stay() {
        check(&DISSOLVE_IMPL, "impl S { const A: u8 = 1; fn f() {} } const A: u8 = 2;", &[]);
        check(&DISSOLVE_IMPL, "impl S { const A: u8 = 1; } fn f() { static A: u8 = 2; }", &[]);
    }

    #[test]
    fn constants_of_parameters_stay() {
        check(&DISSOLVE_IMPL, "impl<T: B> S<T> { const A: u8 = T::A; }", &[]);
        check(&DISSOLVE_IMPL, "impl<const N: usize> S<N> { const A: Self = S; fn f() {} }", &[]);
    }
}
