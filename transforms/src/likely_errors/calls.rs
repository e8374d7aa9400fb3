//! Calls, struct expressions and types with too few or too many arguments.

use std::collections::BTreeSet;

use syn::Type;
use syn::{Expr, ExprStruct, Fields, GenericArgument, GenericParam, Item, Member, Path, PathArguments};

use super::found::{LikelyError, LikelyErrors};
use super::known::{is_bound, name};
use crate::names::definitions::Kind;
use crate::names::functions::function;
use crate::names::{Analysis, Definition};
use crate::syntax::generics::generics;
use crate::syntax::{Node, Syntax};

pub(super) fn check(node: Node<'_>, names: &Analysis<'_>, errors: &mut LikelyErrors) {
    match node.syntax() {
        Syntax::Expr(Expr::Call(expr)) => {
            let Expr::Path(callee) = &*expr.func else { return };
            let Some(function) = callee.path.segments.last().map(|segment| name(&segment.ident)) else { return };
            let (given, is_variable) =
                (expr.args.len(), callee.path.segments.len() == 1 && is_bound(names, node, &function));
            if !is_variable && differs(names, &function, parameters, |count| *count == given) {
                errors.find(LikelyError::Arguments, format!("{function} {given}"));
            }
        }
        Syntax::Expr(Expr::MethodCall(expr)) => {
            let (method, given) = (name(&expr.method), expr.args.len());
            if differs(names, &method, behind_receiver, |count| *count == given) {
                errors.find(LikelyError::Arguments, format!(".{method} {given}"));
            }
        }
        Syntax::Expr(Expr::Struct(expr)) if expr.dot2_token.is_none() => fields(expr, names, errors),
        Syntax::Type(Type::Path(ty)) if ty.qself.is_none() => arguments(&ty.path, names, errors),
        _ => {}
    }
}

fn fields(expr: &ExprStruct, names: &Analysis<'_>, errors: &mut LikelyErrors) {
    let Some(made) = expr.path.segments.last().map(|segment| name(&segment.ident)) else { return };
    let named = |member: &Member| if let Member::Named(ident) = member { Some(name(ident)) } else { None };
    let given: BTreeSet<String> = expr.fields.iter().filter_map(|field| named(&field.member)).collect();
    if differs(names, &made, declared, |own| *own == given) {
        errors.find(LikelyError::Fields, format!("{made} {}", Vec::from_iter(given).join(" ")));
    }
}

fn arguments(path: &Path, names: &Analysis<'_>, errors: &mut LikelyErrors) {
    let Some(last) = path.segments.last() else { return };
    let given = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => {
            let is_counted =
                |argument: &&GenericArgument| matches!(argument, GenericArgument::Type(_) | GenericArgument::Const(_));
            arguments.args.iter().filter(is_counted).count()
        }
        _ => 0,
    };
    let ty = name(&last.ident);
    if differs(names, &ty, accepted, |(least, most)| (*least..=*most).contains(&given)) {
        errors.find(LikelyError::TypeArguments, format!("{ty} {given}"));
    }
}

/// Whether `read` returns a value for some definitions of `name`, and none of these `fits`.
fn differs<T>(
    names: &Analysis<'_>,
    name: &str,
    read: fn(&Definition<'_>) -> Option<T>,
    fits: impl Fn(&T) -> bool,
) -> bool {
    let mut told = names.definitions().named(name).filter_map(read).peekable();
    told.peek().is_some() && !told.any(|own| fits(&own))
}

fn own_fields<'t>(definition: &Definition<'t>) -> Option<&'t Fields> {
    match definition.node.syntax() {
        Syntax::Item(Item::Struct(item)) => Some(&item.fields),
        Syntax::Variant(variant) => Some(&variant.fields),
        _ => None,
    }
}

/// The number of parameters of a function, struct or variant that can be called.
fn parameters(definition: &Definition<'_>) -> Option<usize> {
    match own_fields(definition) {
        Some(Fields::Unnamed(fields)) => Some(fields.unnamed.len()),
        _ => function(definition.node).map(|function| function.signature.inputs.len()),
    }
}

/// The number of parameters of a method after its receiver.
fn behind_receiver(definition: &Definition<'_>) -> Option<usize> {
    let signature = function(definition.node)?.signature;
    signature.receiver().map(|_| signature.inputs.len() - 1)
}

/// The named fields of a struct or variant.
fn declared(definition: &Definition<'_>) -> Option<BTreeSet<String>> {
    match own_fields(definition)? {
        Fields::Named(fields) => Some(fields.named.iter().filter_map(|field| field.ident.as_ref()).map(name).collect()),
        _ => None,
    }
}

/// The minimum and the maximum number of arguments of a type.
fn accepted(definition: &Definition<'_>) -> Option<(usize, usize)> {
    let generics = generics(definition.node.syntax()).filter(|_| definition.kind == Kind::Type)?;
    let is_needed = |param: &&GenericParam| match param {
        GenericParam::Lifetime(_) => false,
        GenericParam::Type(param) => param.default.is_none(),
        GenericParam::Const(param) => param.default.is_none(),
    };
    let most = generics.params.len() - generics.lifetimes().count();
    Some((generics.params.iter().filter(is_needed).count(), most))
}
