//! A struct or variant with fields: where they are declared, and where values of it are made or taken apart.

use std::ops::Range;

use syn::punctuated::Punctuated;
use syn::{Field, Fields, Item, Token};

use crate::names::generic_params;
use crate::names::references::{Reference, of_self_type};
use crate::syntax::generics::{outside, parameter_name};
use crate::syntax::{List, Node, Occurrence, Syntax, range};
use crate::text::Edit;

/// A struct or variant with fields.
pub(crate) struct Record<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) name: &'t str,
    pub(crate) fields: &'t Fields,
}

impl<'t> Record<'t> {
    /// The struct or variant that `node` is, if it has fields.
    pub(crate) fn of(node: Node<'t>) -> Option<Self> {
        let (ident, fields) = match node.syntax() {
            Syntax::Item(Item::Struct(item)) => (&item.ident, &item.fields),
            Syntax::Variant(variant) => (&variant.ident, &variant.fields),
            _ => return None,
        };
        (!fields.is_empty()).then(|| Self { node, name: node.text_at(range(ident)), fields })
    }

    /// The list of the fields and the bytes of its delimiters.
    fn list(&self) -> Option<(List, Range<usize>)> {
        let list =
            |fields: &Punctuated<Field, Token![,]>, span| (List::delimited(self.node, fields, span), outside(span));
        match self.fields {
            Fields::Named(fields) => Some(list(&fields.named, fields.brace_token.span)),
            Fields::Unnamed(fields) => Some(list(&fields.unnamed, fields.paren_token.span)),
            Fields::Unit => None,
        }
    }

    pub(crate) fn is_struct(&self) -> bool {
        matches!(self.node.syntax(), Syntax::Item(_))
    }

    pub(crate) fn is_tuple(&self) -> bool {
        matches!(self.fields, Fields::Unnamed(_))
    }

    /// Where values of it are made or taken apart, by its name or by `Self`.
    pub(crate) fn uses(&self) -> Vec<Occurrence<'t>> {
        let tree = self.node.tree();
        let mut uses: Vec<Occurrence<'t>> = self.node.mentions_elsewhere(self.name).collect();
        if self.is_struct() {
            let homes = uses.iter().filter_map(|occurrence| match Reference::of(occurrence)? {
                Reference::Type(ty) => of_self_type(ty),
                _ => None,
            });
            let selves = homes.flat_map(|home| tree.uses("Self", home.range(), 0..0));
            let selves: Vec<Occurrence<'t>> = selves.collect();
            uses.extend(selves);
        }
        uses
    }

    /// For each field the parameters that no other field speaks of, which would be left unused without it.
    pub(crate) fn params_of_fields(&self) -> Vec<Vec<String>> {
        let mut found = vec![Vec::new(); self.fields.len()];
        let Syntax::Item(Item::Struct(item)) = self.node.syntax() else { return found };
        let types: Vec<Range<usize>> = self.fields.iter().map(|field| range(&field.ty)).collect();
        for name in item.generics.params.iter().map(parameter_name) {
            let uses = self.node.tree().uses(&name, self.node.range(), 0..0);
            let field = |byte: usize| {
                let before = types.partition_point(|ty| ty.start <= byte).checked_sub(1)?;
                types[before].contains(&byte).then_some(before)
            };
            let mut fields = uses.filter_map(|used| field(used.range.start));
            if let Some(first) = fields.next()
                && fields.all(|other| other == first)
            {
                found[first].push(name);
            }
        }
        found
    }

    /// The edits that delete the parameters `names` with their arguments.
    pub(crate) fn without_params(&self, names: &[String], uses: &[Occurrence<'t>]) -> Vec<Edit> {
        let Syntax::Item(Item::Struct(item)) = self.node.syntax() else { return Vec::new() };
        if names.is_empty() {
            return Vec::new();
        }
        let mut edits = generic_params::without_params(self.node, &item.generics, names, false);
        for occurrence in uses {
            edits.extend(generic_params::without_arguments(occurrence, &item.generics, names));
        }
        edits
    }

    /// The edits that delete the declaration of the field at `index`; it is the only one if `last`.
    pub(crate) fn without(&self, index: usize, last: bool) -> Option<Vec<Edit>> {
        let (list, delimiters) = self.list()?;
        Some(match last {
            // `struct S { a: u8 }` becomes `struct S;`.
            true if self.is_struct() && !self.is_tuple() => vec![Edit::replace(delimiters, ";")],
            true => vec![Edit::delete(delimiters)],
            false => list.without(index),
        })
    }
}
