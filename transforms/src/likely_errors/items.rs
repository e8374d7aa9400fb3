//! Functions without their value, types that do not use a parameter, references without a lifetime, names that are taken.

use std::collections::HashMap;
use std::ops::Range;

use syn::{Expr, FnArg, GenericParam, Item, ReturnType, Signature, Stmt, Type};

use super::found::{LikelyError, LikelyErrors};
use super::known::name;
use crate::names::definitions::Kind;
use crate::names::generic_params::occurs;
use crate::names::{Analysis, Definition};
use crate::placeholders::expectation::{Expectation, expectation};
use crate::placeholders::values::{self, is_unit};
use crate::syntax::generics::{is_primitive, parameter_name};
use crate::syntax::surroundings::signature;
use crate::syntax::{Node, Syntax, range};

/// Macros, and functions of the standard library, that do not return.
const DIVERGING: [&str; 8] =
    ["panic", "unreachable", "todo", "unimplemented", "exit", "abort", "panic_any", "unreachable_unchecked"];

pub(super) fn find(names: &Analysis<'_>, errors: &mut LikelyErrors) {
    let mut taken = HashMap::new();
    names.definitions().all.iter().for_each(|definition| defines(definition, &mut taken, errors));
    for node in names.nodes() {
        match node.syntax() {
            Syntax::Block(block) => value(node, &block.stmts, errors),
            Syntax::Signature(signature) => output(signature, errors),
            Syntax::Item(item) => uses_parameters(node, item, errors),
            Syntax::Field(field) if is_bare_reference(&field.ty) => errors.find(LikelyError::Elided, node.text()),
            _ => {}
        }
    }
}

/// A block whose end is reached and has no value, although one is expected: the body of a function, a branch.
fn value(block: Node<'_>, stmts: &[Stmt], errors: &mut LikelyErrors) {
    let Some(outer) = block.parent() else { return };
    let is_expected = match (signature(outer), outer.syntax()) {
        (Some(signature), _) => values::output(signature).is_some(),
        (None, Syntax::Expr(Expr::Block(_) | Expr::If(_) | Expr::Unsafe(_))) => match expectation(outer) {
            Expectation::Type(ty) => !is_unit(ty),
            Expectation::Open | Expectation::Number | Expectation::Divisor | Expectation::Condition => true,
            _ => false,
        },
        _ => false,
    };
    let has_value = || match stmts.last() {
        Some(Stmt::Expr(Expr::ForLoop(_) | Expr::While(_), None)) => false,
        Some(Stmt::Expr(Expr::If(expr), None)) => expr.else_branch.is_some(),
        Some(Stmt::Expr(_, None)) => true,
        Some(Stmt::Macro(stmt)) => stmt.semi_token.is_none(),
        _ => false,
    };
    if is_expected && !has_value() && !stmts.iter().any(may_end) {
        let function = std::iter::once(outer).chain(outer.ancestors()).find_map(signature);
        let function = function.map(|signature| name(&signature.ident)).unwrap_or_default();
        let block = if signature(outer).is_some() { "" } else { " in a block" };
        errors.find(LikelyError::Value, format!("{function}{block}"));
    }
}

/// Whether the code after a statement may be unreachable.
fn may_end(stmt: &Stmt) -> bool {
    let diverges = |path: &syn::Path| path.segments.last().is_some_and(|last| DIVERGING.contains(&&*name(&last.ident)));
    match stmt {
        Stmt::Macro(stmt) => diverges(&stmt.mac.path),
        Stmt::Expr(expr, _) => match expr {
            Expr::Macro(expr) => diverges(&expr.mac.path),
            Expr::Call(expr) => matches!(&*expr.func, Expr::Path(callee) if diverges(&callee.path)),
            Expr::Block(_) | Expr::Unsafe(_) | Expr::Match(_) | Expr::Loop(_) => true,
            Expr::Break(_) | Expr::Continue(_) | Expr::Return(_) => true,
            Expr::If(expr) => expr.else_branch.is_some(),
            _ => false,
        },
        _ => false,
    }
}

/// A returned reference where no parameter has a lifetime for it.
fn output(signature: &Signature, errors: &mut LikelyErrors) {
    let lends = signature.inputs.iter().any(|input| match input {
        FnArg::Receiver(_) => true,
        FnArg::Typed(input) => !owns(&input.ty),
    });
    if !lends && matches!(&signature.output, ReturnType::Type(_, ty) if is_bare_reference(ty)) {
        errors.find(LikelyError::Elided, name(&signature.ident));
    }
}

/// Whether a type has no lifetime, not even one that is not written.
fn owns(ty: &Type) -> bool {
    match ty {
        Type::Path(ty) => ty.path.get_ident().is_some_and(|ident| is_primitive(&name(ident))),
        Type::Tuple(ty) => ty.elems.iter().all(owns),
        _ => false,
    }
}

fn is_bare_reference(ty: &Type) -> bool {
    matches!(ty, Type::Reference(ty) if ty.lifetime.is_none())
}

fn uses_parameters(node: Node<'_>, item: &Item, errors: &mut LikelyErrors) {
    let (ident, generics, fields): (_, _, Vec<Range<usize>>) = match item {
        Item::Struct(item) => (&item.ident, &item.generics, vec![range(&item.fields)]),
        Item::Enum(item) => (&item.ident, &item.generics, item.variants.iter().map(range).collect()),
        Item::Union(item) => (&item.ident, &item.generics, vec![range(&item.fields)]),
        _ => return,
    };
    for param in generics.params.iter().filter(|param| !matches!(param, GenericParam::Const(_))) {
        let param = parameter_name(param);
        if !fields.iter().any(|fields| occurs(node, &param, fields.clone())) {
            errors.find(LikelyError::Unused, format!("{param} of {}", name(ident)));
        }
    }
}

/// How many times a name is defined in a module or block, among types or values.
type Taken = HashMap<(Option<usize>, bool, String), usize>;

fn defines(definition: &Definition<'_>, taken: &mut Taken, errors: &mut LikelyErrors) {
    let Definition { node, ident, kind } = definition;
    let is_type = match kind {
        Kind::Constant | Kind::Function => false,
        Kind::Module | Kind::Type => true,
        Kind::Trait => matches!(node.syntax(), Syntax::Item(Item::Trait(_))),
        // A capital means a type here: the actual kind is unknown.
        Kind::Import | Kind::Renamed if *ident != "self" => name(ident).starts_with(char::is_uppercase),
        _ => return,
    };
    let mut items = std::iter::once(*node).chain(node.ancestors());
    let Some(item) = items.find(|node| matches!(node.syntax(), Syntax::Item(_))) else { return };
    let count = taken.entry((item.parent().map(Node::row), is_type, name(ident))).or_default();
    *count += 1;
    if *count > 1 && *ident != "_" {
        errors.find(LikelyError::Twice, format!("{ident} {count}"));
    }
}
