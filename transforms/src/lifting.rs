//! How a function of an impl is written outside of it: its `Self`, its receiver, its generics.

use std::ops::Range;

use syn::{FnArg, GenericParam, ImplItem, ItemImpl, ReceiverKind, TraitItem};

use crate::edit::{Edit, edited};
use crate::functions::Function;
use crate::parts::{angles, parameter_name};
use crate::surroundings::mentions;
use crate::tree::{Node, Syntax, range};

/// What `self` is called when it is a parameter like others.
pub(crate) const RECEIVER: &str = "this";

/// What writes out each `Self` in an impl of the type at `ty`, and calls `self` otherwise.
pub(crate) fn mended_self(node: Node<'_>, ty: Range<usize>) -> Vec<Edit> {
    let text = node.text_at(ty);
    let tree = node.tree();
    let inside = node.range();
    let is_here = |range: &Range<usize>| inside.contains(&range.start);
    let types = tree.occurrences("Self").filter(|occurrence| is_here(&occurrence.range)).map(|occurrence| {
        // In a path, the arguments of the type would need `::`.
        let path = occurrence.path().is_some_and(|(path, _)| occurrence.range.end < path.range().end);
        let is_value = occurrence
            .path()
            .and_then(|(path, _)| path.parent())
            .is_some_and(|parent| matches!(parent.syntax(), Syntax::Expr(_) | Syntax::Pat(_)));
        let plain = if path || is_value { text.split('<').next().unwrap_or(text).trim() } else { text };
        Edit::replace(occurrence.range, plain)
    });
    let values = tree.occurrences("self").filter(|occurrence| is_here(&occurrence.range));
    // That of a receiver is written with its type.
    let values = values.filter(|occurrence| occurrence.path().is_some_and(|(path, _)| path.text() == "self"));
    let mut edits: Vec<Edit> =
        types.chain(values.map(|occurrence| Edit::replace(occurrence.range, RECEIVER))).collect();
    edits.sort_by_key(|edit| edit.range.start);
    edits
}

/// What writes the receiver of `function` as a parameter like others.
pub(crate) fn mended_receiver(function: &Function<'_>, selves: &[Edit], ty: Range<usize>) -> Option<Edit> {
    let Some(FnArg::Receiver(receiver)) = function.signature.inputs.first() else { return None };
    let text = function.node.source_text();
    let mutable = if receiver.mutability.is_some() { "mut " } else { "" };
    let name = format!("{mutable}{RECEIVER}");
    let ty = &text[ty];
    let parameter = match &receiver.kind {
        ReceiverKind::Value => format!("{name}: {ty}"),
        ReceiverKind::Reference(_, lifetime, mutability) => {
            let lifetime = lifetime.as_ref().map(|lifetime| format!("{lifetime} ")).unwrap_or_default();
            let mutability = if mutability.is_some() { "mut " } else { "" };
            format!("{name}: &{lifetime}{mutability}{ty}")
        }
        ReceiverKind::Typed(_, ty) => format!("{name}: {}", edited(text, range(ty), selves)),
        _ => return None,
    };
    Some(Edit::replace(range(receiver), parameter))
}

/// What gives `function` those parameters of its impl that it mentions, with the predicates about them; all predicates to
/// an only function.
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
    // The type that `self` is written out as mentions them all.
    let all = mentions(source, &own, &["Self".to_owned(), "self".to_owned()]);
    let needed = |param: &&GenericParam| {
        all || is_mentioned(param, &own) || predicates.iter().any(|predicate| is_mentioned(param, predicate))
    };
    let params: Vec<&str> = params().filter(needed).map(|param| &text[range(param)]).collect();
    let predicates: Vec<String> = predicates.iter().map(|predicate| edited(text, predicate.clone(), selves)).collect();
    parameters_edit(function, &params).into_iter().chain(predicates_edit(function, &predicates)).collect()
}

/// What puts `params` before the generic parameters of `function`.
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

/// What puts `predicates` before those of `function`.
fn predicates_edit(function: &Function<'_>, predicates: &[String]) -> Option<Edit> {
    if predicates.is_empty() {
        return None;
    }
    let predicates = predicates.join(", ");
    if let Some(clause) = &function.signature.generics.where_clause {
        let comma = if clause.predicates.is_empty() { "" } else { "," };
        return Some(Edit::replace(range(&clause.where_token), format!("where {predicates}{comma}")));
    }
    let block = match function.node.syntax() {
        Syntax::ImplItem(ImplItem::Fn(item)) => &item.block,
        Syntax::TraitItem(TraitItem::Fn(item)) => item.default.as_ref()?,
        _ => return None,
    };
    let open = block.brace_token.span.open().byte_range();
    Some(Edit::replace(open, format!(" where {predicates} {{")))
}
