//! Syntax that several kinds of nodes share: generics, arguments between angle brackets, bounds.

use std::ops::Range;

use proc_macro2::extra::DelimSpan;
use syn::punctuated::Punctuated;
use syn::{
    AngleBracketedGenericArguments, Expr, ForeignItem, GenericArgument, GenericParam, Generics, ImplItem, Item,
    ItemImpl, Pat, PathArguments, QSelf, Token, TraitItem, Type, TypeParamBound, WherePredicate,
};

use crate::syntax::tree::{Node, Syntax, range};
use crate::text::lex::Kind;

/// The bytes between two delimiters.
pub(crate) fn inside(delimiters: DelimSpan) -> Range<usize> {
    delimiters.open().byte_range().end..delimiters.close().byte_range().start
}

/// The bytes from one delimiter to the other, with both.
pub(crate) fn outside(delimiters: DelimSpan) -> Range<usize> {
    delimiters.open().byte_range().start..delimiters.close().byte_range().end
}

/// The generics of what a node declares.
pub(crate) fn generics(syntax: Syntax<'_>) -> Option<&Generics> {
    match syntax {
        Syntax::Signature(signature) => Some(&signature.generics),
        Syntax::Item(Item::Const(item)) => Some(&item.generics),
        Syntax::Item(Item::Enum(item)) => Some(&item.generics),
        Syntax::Item(Item::Impl(item)) => Some(&item.generics),
        Syntax::Item(Item::Struct(item)) => Some(&item.generics),
        Syntax::Item(Item::Trait(item)) => Some(&item.generics),
        Syntax::Item(Item::TraitAlias(item)) => Some(&item.generics),
        Syntax::Item(Item::Type(item)) => Some(&item.generics),
        Syntax::Item(Item::Union(item)) => Some(&item.generics),
        Syntax::ImplItem(ImplItem::Const(item)) => Some(&item.generics),
        Syntax::ImplItem(ImplItem::Type(item)) => Some(&item.generics),
        Syntax::TraitItem(TraitItem::Const(item)) => Some(&item.generics),
        Syntax::TraitItem(TraitItem::Type(item)) => Some(&item.generics),
        Syntax::ForeignItem(ForeignItem::Type(item)) => Some(&item.generics),
        _ => None,
    }
}

/// The name of a generic parameter, with the `'` of a lifetime.
pub(crate) fn parameter_name(param: &GenericParam) -> String {
    match param {
        GenericParam::Lifetime(param) => param.lifetime.to_string(),
        GenericParam::Type(param) => param.ident.to_string(),
        GenericParam::Const(param) => param.ident.to_string(),
    }
}

/// The bytes of the `<..>` of generics.
pub(crate) fn angles(generics: &Generics) -> Option<Range<usize>> {
    Some(range(generics.lt_token.as_ref()?).start..range(generics.gt_token.as_ref()?).end)
}

/// The bytes of `Trait for` in an impl, with the `!` of a negative one.
pub(crate) fn of_trait(item: &ItemImpl) -> Option<Range<usize>> {
    let (path, for_token) = item.trait_.as_ref()?;
    let start = item.modifiers.polarity.as_ref().map_or_else(|| range(path), range).start;
    Some(start..range(for_token).end)
}

/// The bytes of a where clause with its `where`, which syn takes for nothing if there are no predicates.
pub(crate) fn whole_where(generics: &Generics) -> Option<Range<usize>> {
    let clause = generics.where_clause.as_ref()?;
    let start = range(&clause.where_token);
    Some(start.start..start.end.max(range(&clause.predicates).end))
}

/// The bytes of bounds, without a `+` after them.
pub(crate) fn written_bounds<T: quote::ToTokens>(bounds: &Punctuated<T, Token![+]>) -> Option<Range<usize>> {
    Some(range(bounds.first()?).start..range(bounds.last()?).end)
}

/// The `<..>` that a node holds as arguments.
pub(crate) fn arguments(syntax: Syntax<'_>) -> Option<&AngleBracketedGenericArguments> {
    match syntax {
        Syntax::PathArguments(PathArguments::AngleBracketed(arguments)) => Some(arguments),
        Syntax::Expr(Expr::MethodCall(expr)) => expr.turbofish.as_ref(),
        Syntax::GenericArgument(GenericArgument::AssocType(argument)) => argument.generics.as_ref(),
        Syntax::GenericArgument(GenericArgument::AssocConst(argument)) => argument.generics.as_ref(),
        Syntax::GenericArgument(GenericArgument::Constraint(argument)) => argument.generics.as_ref(),
        _ => None,
    }
}

/// The bytes of arguments, with the `::` before them.
pub(crate) fn whole_arguments(arguments: &AngleBracketedGenericArguments) -> Range<usize> {
    let start = arguments.colon2_token.as_ref().map_or_else(|| range(&arguments.lt_token), range).start;
    start..range(&arguments.gt_token).end
}

/// Bounds that a node holds, and the colon that goes with the last of them where it may.
pub(crate) fn bounds(syntax: Syntax<'_>) -> Option<(&Punctuated<TypeParamBound, Token![+]>, Option<&Token![:]>)> {
    match syntax {
        Syntax::GenericParam(GenericParam::Type(param)) => Some((&param.bounds, param.colon_token.as_ref())),
        Syntax::Item(Item::Trait(item)) => Some((&item.supertraits, item.colon_token.as_ref())),
        Syntax::Item(Item::TraitAlias(item)) => Some((&item.bounds, None)),
        Syntax::TraitItem(TraitItem::Type(item)) => Some((&item.bounds, item.colon_token.as_ref())),
        Syntax::GenericArgument(GenericArgument::Constraint(argument)) => Some((&argument.bounds, None)),
        Syntax::WherePredicate(WherePredicate::Type(predicate)) => Some((&predicate.bounds, None)),
        _ => None,
    }
}

/// The type that the bounds of `owner` are about.
pub(crate) fn bounded(owner: Node<'_>) -> Option<String> {
    Some(match owner.syntax() {
        Syntax::GenericParam(GenericParam::Type(param)) => param.ident.to_string(),
        Syntax::Item(Item::Trait(_)) => "Self".to_owned(),
        Syntax::TraitItem(TraitItem::Type(item)) => format!("Self::{}", item.ident),
        Syntax::WherePredicate(WherePredicate::Type(predicate)) => {
            owner.text_at(range(&predicate.bounded_ty)).to_owned()
        }
        _ => return None,
    })
}

/// The bounds of `impl A + B` and `dyn A + B`.
pub(crate) fn object_bounds(ty: &Type) -> Option<&Punctuated<TypeParamBound, Token![+]>> {
    match ty {
        Type::ImplTrait(ty) => Some(&ty.bounds),
        Type::TraitObject(ty) => Some(&ty.bounds),
        _ => None,
    }
}

/// Whether `ty` is a sum of bounds, which needs parentheses in some places.
pub(crate) fn is_sum(ty: &Type) -> bool {
    object_bounds(ty).is_some_and(|bounds| bounds.len() != 1 || bounds.trailing_punct())
}

/// Whether `text` is such a type.
pub(crate) fn is_sum_text(text: &str) -> bool {
    text.contains('+') && syn::parse_str::<Type>(text).is_ok_and(|ty| is_sum(&ty))
}

/// Whether a trait object cannot begin with this bound unless `dyn` stands before it: rustc takes no question mark
/// there, syn no `Fn(A)`.
pub(crate) fn needs_dyn(bound: Option<&TypeParamBound>) -> bool {
    let Some(TypeParamBound::Trait(bound)) = bound else { return false };
    let arguments = bound.path.segments.last().map(|segment| &segment.arguments);
    bound.maybe.is_some() || matches!(arguments, Some(PathArguments::Parenthesized(_)))
}

/// The `<T as Trait>` at the beginning of a node with a path.
pub(crate) fn qself(syntax: Syntax<'_>) -> Option<&QSelf> {
    match syntax {
        Syntax::Expr(Expr::Path(expr)) => expr.qself.as_ref(),
        Syntax::Expr(Expr::Struct(expr)) => expr.qself.as_ref(),
        Syntax::Pat(Pat::Path(pat)) => pat.qself.as_ref(),
        Syntax::Pat(Pat::Struct(pat)) => pat.qself.as_ref(),
        Syntax::Pat(Pat::TupleStruct(pat)) => pat.qself.as_ref(),
        Syntax::Type(Type::Path(ty)) => ty.qself.as_ref(),
        _ => None,
    }
}

/// Whether the tokens of `node` are those of an attribute or a visibility, whose paths have their own rules.
pub(crate) fn in_attribute_or_visibility(node: Node<'_>) -> bool {
    node.ancestors().take(2).any(|ancestor| matches!(ancestor.syntax(), Syntax::Attribute(_) | Syntax::Visibility(_)))
}

/// The first token at or after the byte `at`, comments aside; empty at the end of the text.
pub(crate) fn token_at(node: Node<'_>, at: usize) -> &str {
    node.tree().source().code(at..usize::MAX).next().map_or("", |(token, _)| token)
}

/// The last token that begins before the byte `at`, comments aside; empty at the beginning of the text.
pub(crate) fn token_before(node: Node<'_>, at: usize) -> &str {
    let source = node.tree().source();
    let end = source.tokens().partition_point(|token| token.range.start < at);
    let token = source.tokens()[..end].iter().rev().find(|token| token.kind == Kind::Code);
    token.map_or("", |token| &source.text()[token.range.clone()])
}

/// The index in `pats`, the patterns of a tuple with `slots` slots, of the pattern for the slot `index`; `None` if `..`
/// covers it.
pub(crate) fn position(pats: &Punctuated<Pat, Token![,]>, index: usize, slots: usize) -> Option<usize> {
    let rest = pats.iter().position(|pat| matches!(pat, Pat::Rest(_)));
    match rest {
        Some(rest) if index >= rest => (pats.len() + index).checked_sub(slots).filter(|at| *at > rest),
        _ => Some(index),
    }
}

pub(crate) fn is_primitive(name: &str) -> bool {
    const PRIMITIVES: [&str; 17] = [
        "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32", "u64",
        "u8", "usize",
    ];
    PRIMITIVES.contains(&name)
}
