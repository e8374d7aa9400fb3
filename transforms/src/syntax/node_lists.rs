//! The lists that nodes hold: elements, parameters, arguments, bounds.

use std::ops::Range;

use proc_macro2::extra::DelimSpan;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    AngleBracketedGenericArguments, Expr, GenericParam, Generics, Item, Pat, PathArguments, Type, TypeParamBound,
    WherePredicate,
};

use super::generics::{angles, bounds, inside, object_bounds};
use super::list::List;
use super::tree::{Node, Syntax, range};

impl List {
    /// The elements of `node` between its delimiters; predicates, the bounds of `dyn` and `impl`, the cases of an
    /// or-pattern.
    /// Variadic dots and the `..` of a pattern are elements, the base of a struct expression is none.
    pub(crate) fn of(node: Node<'_>) -> Option<Self> {
        Some(match node.syntax() {
            Syntax::Expr(Expr::Array(expr)) => Self::delimited(node, &expr.elems, expr.bracket_token.span),
            Syntax::Expr(Expr::Call(expr)) => Self::delimited(node, &expr.args, expr.paren_token.span),
            Syntax::Expr(Expr::Closure(expr)) => {
                Self::new(node, &expr.inputs, range(&expr.inputs_begin).end..range(&expr.inputs_end).start)
            }
            Syntax::Expr(Expr::MethodCall(expr)) => Self::delimited(node, &expr.args, expr.paren_token.span),
            Syntax::Expr(Expr::Struct(expr)) => Self::delimited(node, &expr.fields, expr.brace_token.span),
            Syntax::Expr(Expr::Tuple(expr)) => Self::delimited(node, &expr.elems, expr.paren_token.span),
            Syntax::Pat(Pat::Or(pat)) => Self::bare(node, &pat.cases),
            Syntax::Pat(Pat::Slice(pat)) => Self::delimited(node, &pat.elems, pat.bracket_token.span),
            Syntax::Pat(Pat::Struct(pat)) => {
                let fields = Self::delimited(node, &pat.fields, pat.brace_token.span);
                fields.with_last(pat.rest.as_ref().map(range), None)
            }
            Syntax::Pat(Pat::Tuple(pat)) => Self::delimited(node, &pat.elems, pat.paren_token.span),
            Syntax::Pat(Pat::TupleStruct(pat)) => Self::delimited(node, &pat.elems, pat.paren_token.span),
            Syntax::Type(Type::FnPtr(ty)) => {
                let inputs = Self::delimited(node, &ty.inputs, ty.paren_token.span);
                let Some(variadic) = &ty.variadic else { return Some(inputs) };
                let dots = range(variadic).start..range(&variadic.dots).end;
                inputs.with_last(Some(dots), variadic.comma.as_ref().map(range))
            }
            Syntax::Type(Type::Tuple(ty)) => Self::delimited(node, &ty.elems, ty.paren_token.span),
            Syntax::PathArguments(PathArguments::Parenthesized(arguments)) => {
                Self::delimited(node, &arguments.inputs, arguments.paren_token.span)
            }
            Syntax::TypeParamBound(TypeParamBound::PreciseCapture(capture)) => {
                Self::new(node, &capture.params, range(&capture.lt_token).end..range(&capture.gt_token).start)
            }
            Syntax::FieldsNamed(fields) => Self::delimited(node, &fields.named, fields.brace_token.span),
            Syntax::FieldsUnnamed(fields) => Self::delimited(node, &fields.unnamed, fields.paren_token.span),
            Syntax::Item(Item::Enum(item)) => Self::delimited(node, &item.variants, item.brace_token.span),
            Syntax::Signature(signature) => {
                let inputs = Self::delimited(node, &signature.inputs, signature.paren_token.span);
                let Some(variadic) = &signature.variadic else { return Some(inputs) };
                let dots = range(variadic).start..range(&variadic.dots).end;
                inputs.with_last(Some(dots), variadic.comma.as_ref().map(range))
            }
            Syntax::BoundLifetimes(binder) => {
                Self::new(node, &binder.lifetimes, range(&binder.lt_token).end..range(&binder.gt_token).start)
            }
            Syntax::WhereClause(clause) => Self::bare(node, &clause.predicates),
            Syntax::Type(ty) => Self::bare(node, object_bounds(ty)?),
            _ => return None,
        })
    }

    /// The bounds of a declaration or a predicate, and the colon that goes with the last of them where it may.
    pub(crate) fn bounds(node: Node<'_>) -> Option<(Self, Option<Range<usize>>)> {
        let (list, colon) = match node.syntax() {
            Syntax::GenericParam(GenericParam::Lifetime(param)) => {
                (Self::bare(node, &param.bounds), param.colon_token.as_ref())
            }
            Syntax::WherePredicate(WherePredicate::Lifetime(predicate)) => (Self::bare(node, &predicate.bounds), None),
            syntax => {
                let (bounds, colon) = bounds(syntax)?;
                (Self::bare(node, bounds), colon)
            }
        };
        Some((list, colon.map(range)))
    }

    /// The parameters in the angle brackets of `generics`, which `node` declares.
    pub(crate) fn params(node: Node<'_>, generics: &Generics) -> Option<Self> {
        let angles = angles(generics)?;
        Some(Self::new(node, &generics.params, angles.start + 1..angles.end - 1))
    }

    /// Generic arguments in angle brackets, which `node` holds.
    pub(crate) fn arguments(node: Node<'_>, arguments: &AngleBracketedGenericArguments) -> Self {
        Self::new(node, &arguments.args, range(&arguments.lt_token).end..range(&arguments.gt_token).start)
    }

    /// The list between two delimiters.
    pub(crate) fn delimited<T, P: Spanned>(node: Node<'_>, list: &Punctuated<T, P>, delimiters: DelimSpan) -> Self {
        Self::new(node, list, inside(delimiters))
    }
}
