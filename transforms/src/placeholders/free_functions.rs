//! Turns functions of an impl into functions of the module, with their calls.

use proc_macro2::extra::DelimSpan;
use syn::{Expr, ImplItem, ItemImpl, ReceiverKind};

use super::lift::{mended_generics, mended_receiver};
use crate::names::{Call, Function};
use crate::syntax::generics::inside;
use crate::syntax::{Node, Occurrence, Syntax, range};
use crate::text::{Edit, covers, edited, outermost};

/// The ways to treat receivers, in the order in which they are tried.
pub(crate) const RECEIVERS: [Receivers; 3] = [Receivers::Needed, Receivers::Borrowed, Receivers::Bare];

/// How receivers are treated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Receivers {
    /// Those that no body needs go with their arguments; the others are borrowed as a method call does.
    Needed,
    /// All stay, and the expression before the dot is borrowed as a method call does.
    Borrowed,
    /// All stay, and the expression before the dot is passed unchanged.
    Bare,
}

/// The edits that delete an impl or trait around the contents of its braces.
pub(crate) fn without_shell(node: Node<'_>, braces: DelimSpan) -> Vec<Edit> {
    vec![Edit::delete(node.range().start..inside(braces).start), Edit::delete(range(&braces.close()))]
}

/// The edits that turn `own`, functions of the impl `item` or of its trait, and their calls into functions of the module;
/// `selves` writes out each `Self`.
pub(crate) fn lifted(item: &ItemImpl, own: &[&Function<'_>], selves: &[Edit], receivers: Receivers) -> Vec<Edit> {
    let idle = if receivers == Receivers::Needed { idle_receivers(own) } else { Vec::new() };
    let mut edits = Vec::new();
    let mut calls = Vec::new();
    for function in own {
        let dropped = idle.contains(&function.name());
        if let Syntax::ImplItem(ImplItem::Fn(item)) = function.node.syntax() {
            edits.extend(item.modifiers.defaultness.iter().map(|word| Edit::delete(range(word))));
        }
        edits.extend(mended_generics(item, function, selves));
        edits.extend(match dropped {
            true => function.parameters().without(0),
            false => mended_receiver(function, selves, range(&*item.self_ty)).into_iter().collect(),
        });
        calls.extend(function.calls().into_iter().map(|call| (*function, call, dropped)));
    }
    edits.extend(selves.iter().cloned());
    // Calls in the object of another call are mended before it.
    calls.sort_by_key(|(_, call, _)| call.node.range().len());
    for (function, call, dropped) in calls {
        if dropped && !call.is_method {
            edits.extend(call.arguments.without(0));
        }
        let mended = mended_call(function, &call, receivers, dropped, &edits);
        edits.extend(mended);
    }
    edits
}

/// The names of the functions among `own` whose receivers are not needed: their bodies mention `self` only to call each
/// other.
fn idle_receivers(own: &[&Function<'_>]) -> Vec<String> {
    let mut idle: Vec<&Function<'_>> = own.iter().filter(|f| f.signature.receiver().is_some()).copied().collect();
    loop {
        let names: Vec<String> = idle.iter().map(|function| function.name()).collect();
        let needs = |function: &Function<'_>| {
            let body = function.parameters().elements[0].end..function.node.range().end;
            let mut uses = function.node.tree().uses("self", body, 0..0);
            uses.any(|occurrence| object_of(&occurrence).is_none_or(|method| !names.contains(&method)))
        };
        idle.retain(|function| !needs(function));
        if idle.len() == names.len() {
            return names;
        }
    }
}

/// The method that is called on the expression at `occurrence`.
fn object_of(occurrence: &Occurrence<'_>) -> Option<String> {
    let expr = occurrence.path_end()?.parent()?;
    match expr.parent()?.syntax() {
        Syntax::Expr(Expr::MethodCall(call)) if range(&*call.receiver) == occurrence.range => {
            Some(call.method.to_string())
        }
        _ => None,
    }
}

/// The edits that make `call` a call of a function of the module, without the expression before the dot if that is
/// `dropped`; `edits` are those of the calls inside it.
fn mended_call(
    function: &Function<'_>,
    call: &Call<'_>,
    receivers: Receivers,
    dropped: bool,
    edits: &[Edit],
) -> Vec<Edit> {
    match call.node.syntax() {
        Syntax::Expr(Expr::Call(expr)) => {
            let Expr::Path(callee) = &*expr.func else { return Vec::new() };
            let Some(last) = callee.path.segments.last() else { return Vec::new() };
            vec![Edit::delete(range(callee).start..range(last).start)]
        }
        Syntax::Expr(Expr::MethodCall(expr)) => {
            let text = call.node.source_text();
            let name = range(&expr.method).start;
            let open = expr.paren_token.span.open().byte_range();
            let object = range(&*expr.receiver);
            if dropped {
                return vec![Edit::delete(object.start..name)];
            }
            let is_place = !matches!(&*expr.receiver, Expr::Reference(_)) && &text[object.clone()] != "self";
            let reference = match function.signature.receiver().map(|receiver| &receiver.kind) {
                _ if receivers == Receivers::Bare || !is_place => "",
                Some(ReceiverKind::Reference(_, _, Some(_))) => "&mut ",
                Some(ReceiverKind::Reference(_, _, None)) => "&",
                _ => "",
            };
            let comma = if expr.args.is_empty() { "" } else { ", " };
            let callee = &text[name..open.end];
            let inside = edits.iter().filter(|edit| covers(&object, &edit.range));
            let object_text = edited(text, object.clone(), &outermost(inside.cloned().collect()));
            vec![Edit::replace(object.start..open.end, format!("{callee}{reference}{object_text}{comma}"))]
        }
        _ => Vec::new(),
    }
}
