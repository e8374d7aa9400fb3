//! Calls, struct expressions and types with too few or too many arguments.

use std::collections::BTreeSet;

use syn::{Expr, ExprStruct, GenericArgument, Member, Path, PathArguments, Type};

use super::found::{LikelyError, LikelyErrors};
use super::known::{KnownNames, name};
use crate::syntax::tree::{Node, Syntax};

pub(super) fn check(node: Node<'_>, known: &KnownNames, errors: &mut LikelyErrors) {
    match node.syntax() {
        Syntax::Expr(Expr::Call(expr)) => {
            let Expr::Path(callee) = &*expr.func else { return };
            let Some(function) = callee.path.segments.last().map(|segment| name(&segment.ident)) else { return };
            let (given, is_variable) =
                (expr.args.len(), callee.path.segments.len() == 1 && known.is_bound(node, &function));
            if !is_variable && known.parameters.get(&function).is_some_and(|counts| !counts.contains(&given)) {
                errors.find(LikelyError::Arguments, format!("{function} {given}"));
            }
        }
        Syntax::Expr(Expr::MethodCall(expr)) => {
            let (method, given) = (name(&expr.method), expr.args.len());
            if known.methods.get(&method).is_some_and(|counts| !counts.contains(&given)) {
                errors.find(LikelyError::Arguments, format!(".{method} {given}"));
            }
        }
        Syntax::Expr(Expr::Struct(expr)) if expr.dot2_token.is_none() => fields(expr, known, errors),
        Syntax::Type(Type::Path(ty)) if ty.qself.is_none() => arguments(&ty.path, known, errors),
        _ => {}
    }
}

fn fields(expr: &ExprStruct, known: &KnownNames, errors: &mut LikelyErrors) {
    let Some(made) = expr.path.segments.last().map(|segment| name(&segment.ident)) else { return };
    let named = |member: &Member| if let Member::Named(ident) = member { Some(name(ident)) } else { None };
    let given: BTreeSet<String> = expr.fields.iter().filter_map(|field| named(&field.member)).collect();
    if known.fields.get(&made).is_some_and(|structs| !structs.contains(&given)) {
        errors.find(LikelyError::Fields, format!("{made} {}", Vec::from_iter(given).join(" ")));
    }
}

fn arguments(path: &Path, known: &KnownNames, errors: &mut LikelyErrors) {
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
    let fits = |(least, most): &(usize, usize)| (*least..=*most).contains(&given);
    if known.types.get(&ty).is_some_and(|counts| !counts.iter().any(fits)) {
        errors.find(LikelyError::TypeArguments, format!("{ty} {given}"));
    }
}
