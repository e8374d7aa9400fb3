//! Generic parameters that go together with their arguments.

use std::ops::Range;

use syn::{AngleBracketedGenericArguments, GenericArgument, GenericParam, Generics, Item, PathArguments};

use crate::names::references::{Reference, arguments};
use crate::syntax::generics::{angles, parameter_name, whole_arguments, whole_where};
use crate::syntax::{List, Node, Occurrence, Syntax, range};
use crate::text::Edit;

pub(crate) fn occurs(node: Node<'_>, name: &str, range: Range<usize>) -> bool {
    node.tree().uses(name, range, 0..0).next().is_some()
}

/// The edits that delete the parameters `names` from `generics`, and the predicates about them unless these stay.
pub(crate) fn without_params(
    node: Node<'_>,
    generics: &Generics,
    names: &[String],
    keeps_predicates: bool,
) -> Vec<Edit> {
    let params = generics.params.iter().enumerate();
    let doomed = params.filter(|(_, param)| names.contains(&parameter_name(param))).map(|(index, _)| index);
    let Some(list) = List::params(node, generics) else { return Vec::new() };
    let mut edits = list.without_all(&doomed.collect::<Vec<_>>(), angles(generics));
    if let (Some(clause), Some(whole), false) = (&generics.where_clause, whole_where(generics), keeps_predicates) {
        let list = List::bare(node, &clause.predicates);
        let speaks = |index: &usize| names.iter().any(|name| occurs(node, name, list.elements[*index].clone()));
        let doomed: Vec<usize> = (0..list.len()).filter(speaks).collect();
        edits.extend(list.without_all(&doomed, Some(whole)));
    }
    edits
}

/// The edits that delete the parameters that do not occur in the bytes `kept`, and the predicates about them.
pub(crate) fn without_params_but(node: Node<'_>, generics: &Generics, kept: Range<usize>) -> Vec<Edit> {
    let names = generics.params.iter().map(parameter_name);
    let names: Vec<String> = names.filter(|name| !occurs(node, name, kept.clone())).collect();
    without_params(node, generics, &names, false)
}

/// The argument for the parameter at `index`, and its place: lifetimes are counted apart from types and constants.
pub(crate) fn argument_for<'a>(
    generics: &Generics,
    index: usize,
    arguments: &'a AngleBracketedGenericArguments,
) -> Option<(usize, &'a GenericArgument)> {
    let takes_lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
    let is_lifetime = takes_lifetime(&generics.params[index]);
    let position = generics.params.iter().take(index).filter(|param| takes_lifetime(param) == is_lifetime).count();
    let of_kind = |argument: &GenericArgument| match argument {
        GenericArgument::Lifetime(_) => is_lifetime,
        GenericArgument::Type(_) | GenericArgument::Const(_) => !is_lifetime,
        _ => false,
    };
    arguments.args.iter().enumerate().filter(|(_, argument)| of_kind(argument)).nth(position)
}

/// The edits that delete the arguments of the parameters `names` of `generics` from the path of `occurrence`. If the path
/// is the type of an impl, parameters of the impl that only occurred in these arguments go as well.
pub(crate) fn without_arguments(occurrence: &Occurrence<'_>, generics: &Generics, names: &[String]) -> Vec<Edit> {
    let (Some(node), Some(PathArguments::AngleBracketed(given))) = (occurrence.node, arguments(occurrence)) else {
        return Vec::new();
    };
    let params = generics.params.iter().enumerate().filter(|(_, param)| names.contains(&parameter_name(param)));
    let doomed = params.filter_map(|(index, _)| argument_for(generics, index, given));
    let doomed: Vec<usize> = doomed.map(|(at, _)| at).collect();
    if doomed.is_empty() {
        return Vec::new();
    }
    let list = List::arguments(node, given);
    let gone: Vec<Range<usize>> = doomed.iter().map(|index| list.elements[*index].clone()).collect();
    let mut edits = list.without_all(&doomed, Some(whole_arguments(given)));
    edits.extend(of_impl(occurrence, &gone));
    edits
}

/// The edits that delete those parameters of the impl for the type of `occurrence` that only occur in `gone`.
fn of_impl(occurrence: &Occurrence<'_>, gone: &[Range<usize>]) -> Vec<Edit> {
    let Some(Reference::Type(ty)) = Reference::of(occurrence) else { return Vec::new() };
    let Some(home) = ty.parent() else { return Vec::new() };
    let Syntax::Item(Item::Impl(item)) = home.syntax() else { return Vec::new() };
    let names = item.generics.params.iter().map(parameter_name);
    let is_gone = |name: &String| {
        let mut all = home.tree().uses(name, ty.range(), 0..0);
        let within = all.all(|own| gone.iter().any(|gone| gone.contains(&own.range.start)));
        let was_there = gone.iter().any(|gone| occurs(home, name, gone.clone()));
        let of_trait = item.trait_.as_ref().is_some_and(|(path, _)| occurs(home, name, range(path)));
        within && was_there && !of_trait
    };
    let names: Vec<String> = names.filter(is_gone).collect();
    if names.is_empty() { Vec::new() } else { without_params(home, &item.generics, &names, false) }
}
