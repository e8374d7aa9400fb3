//! Impls that do not agree with the traits of the file.

use syn::{ImplItem, Item, ItemImpl, ItemTrait, Signature, TraitItem};

use super::found::{LikelyError, LikelyErrors};
use super::known::name;
use crate::names::{Analysis, Definition};
use crate::syntax::Syntax;

pub(super) fn find(names: &Analysis<'_>, errors: &mut LikelyErrors) {
    for node in names.nodes() {
        if let Syntax::Item(Item::Impl(item)) = node.syntax()
            && let Some((path, _)) = &item.trait_
            && let Some(last) = path.segments.last()
            && let [of] = names.definitions().named(&name(&last.ident)).filter_map(in_file).collect::<Vec<_>>()[..]
        {
            agree(of, item, errors);
        }
    }
}

fn in_file<'t>(definition: &Definition<'t>) -> Option<&'t ItemTrait> {
    match definition.node.syntax() {
        Syntax::Item(Item::Trait(item)) => Some(item),
        _ => None,
    }
}

/// The properties that a function shares in a trait and its impls: its number of parameters, whether the first is a
/// receiver, its number of type parameters.
type Shape = (usize, bool, usize);

fn shape(signature: &Signature) -> Shape {
    (signature.inputs.len(), signature.receiver().is_some(), signature.generics.type_params().count())
}

fn agree(of: &ItemTrait, item: &ItemImpl, errors: &mut LikelyErrors) {
    let declared: Option<Vec<_>> = of.items.iter().map(in_trait).collect();
    let given: Option<Vec<_>> = item.items.iter().map(in_impl).collect();
    let (Some(declared), Some(given)) = (declared, given) else { return };
    let of = name(&of.ident);
    for (item, has_default, _) in &declared {
        if !has_default && !given.iter().any(|(given, _)| given == item) {
            errors.find(LikelyError::Impl, format!("{of} without {item}"));
        }
    }
    for (item, shape) in given {
        if !declared.iter().any(|(declared, _, own)| *declared == item && *own == shape) {
            errors.find(LikelyError::Impl, format!("{of} with {item} {shape:?}"));
        }
    }
}

/// The name of an item of a trait, whether it has a default, and the shape of a function; `None` for unknown syntax.
fn in_trait(item: &TraitItem) -> Option<(String, bool, Option<Shape>)> {
    Some(match item {
        TraitItem::Const(item) => (name(&item.ident), item.default.is_some(), None),
        TraitItem::Fn(item) => (name(&item.sig.ident), item.default.is_some(), Some(shape(&item.sig))),
        TraitItem::Type(item) => (name(&item.ident), item.default.is_some(), None),
        _ => return None,
    })
}

/// The name of an item of an impl, and the shape of a function; `None` for unknown syntax.
fn in_impl(item: &ImplItem) -> Option<(String, Option<Shape>)> {
    Some(match item {
        ImplItem::Const(item) => (name(&item.ident), None),
        ImplItem::Fn(item) => (name(&item.sig.ident), Some(shape(&item.sig))),
        ImplItem::Type(item) => (name(&item.ident), None),
        _ => return None,
    })
}
