//! The edits that replace a type of the file with another: its paths, its values, its impls.

use std::collections::HashSet;
use std::ops::Range;

use syn::{Fields, GenericArgument, Item, PathArguments, Type};

use crate::names::generic_params::without_params_but;
use crate::names::references::{arguments, fill_value, of_self_type};
use crate::names::{Analysis, Definition, Reference, without_leaf};
use crate::syntax::extent::type_range;
use crate::syntax::generics::{is_sum, token_at, token_before};
use crate::syntax::{Node, Occurrence, Syntax, range};
use crate::text::{Edit, outermost};

/// The replacement for a type.
pub(crate) struct Substitute<'t> {
    pub(crate) form: Form<'t>,
    pub(crate) value: String,
}

/// The replacement for the paths of a type.
#[derive(Clone, Copy)]
pub(crate) enum Form<'t> {
    Type(&'t str),
    /// Their type arguments: one between these two texts, several in a tuple.
    Arguments(&'t str, &'t str),
}

impl<'t> Definition<'t> {
    /// The edits that replace this trait with the trait `name`, and delete it with its impls.
    pub(crate) fn trait_replaced(&self, name: &str) -> Vec<Edit> {
        let mut edits = vec![Edit::delete(self.node.range())];
        for occurrence in self.uses() {
            match Reference::of(&occurrence) {
                Some(Reference::Impl(node)) => edits.push(Edit::delete(node.range())),
                Some(Reference::Import(node)) => edits.extend(without_leaf(node)),
                Some(_) => edits.push(Edit::replace(occurrence.range, name)),
                None => {}
            }
        }
        outermost(edits)
    }

    /// The shortest value of the type.
    pub(crate) fn value(&self) -> String {
        match self.node.syntax() {
            Syntax::Item(Item::Struct(item)) if matches!(item.fields, Fields::Unit) => self.name().to_owned(),
            Syntax::Item(Item::Enum(item)) => {
                let unit = item.variants.iter().find(|variant| matches!(variant.fields, Fields::Unit));
                unit.map_or("loop {}".to_owned(), |variant| format!("{}::{}", self.name(), variant.ident))
            }
            _ => "loop {}".to_owned(),
        }
    }
}

pub(crate) struct Impls<'t> {
    traits: HashSet<&'t str>,
    /// The implemented traits, each as its text and that of the type.
    headers: HashSet<(String, String)>,
}

impl<'t> Impls<'t> {
    /// Reads the impls of a file.
    pub(crate) fn of(names: &Analysis<'t>) -> Self {
        let traits = names.traits().map(Definition::name).collect();
        let mut found = Self { traits, headers: HashSet::new() };
        for node in names.nodes() {
            if let Syntax::Item(Item::Impl(item)) = node.syntax()
                && let Some((path, _)) = &item.trait_
            {
                found.headers.insert((compact(node, range(path)), compact(node, range(&*item.self_ty))));
            }
        }
        found
    }

    pub(crate) fn substituted(&self, definition: &Definition<'_>, substitute: &Substitute<'_>) -> Vec<Edit> {
        let mut edits = vec![Edit::delete(definition.node.range())];
        let mut seen = HashSet::new();
        let is_unknown = |occurrence: &Occurrence<'_>| {
            definition.node.tree().unknown().any(|unknown| unknown.contains(&occurrence.range.start))
        };
        for occurrence in definition.uses() {
            match Reference::of(&occurrence) {
                Some(Reference::Type(node)) => match of_self_type(node) {
                    Some(home) => edits.extend(self.implemented(home, &occurrence, substitute, &mut seen)),
                    None => edits.extend(substitute.ty(node, &occurrence)),
                },
                // In syntax that syn does not know, a type that is not a path might not be allowed.
                Some(Reference::Token) if !substitute.is_name() && is_unknown(&occurrence) => {}
                // A later segment of a path is another name.
                Some(Reference::Token) if token_before(definition.node, occurrence.range.start) == "::" => {}
                // Before another segment, a type that is not a path needs angle brackets.
                Some(Reference::Token) if token_at(definition.node, occurrence.range.end) == "::" => {
                    edits.push(match substitute.form {
                        Form::Type(name) if !substitute.is_name() => {
                            Edit::replace(occurrence.range, format!("<{name}>"))
                        }
                        Form::Type(name) => Edit::replace(occurrence.range, name),
                        Form::Arguments(..) => continue,
                    });
                }
                Some(mention) => edits.extend(substitute.at(mention, &occurrence)),
                None => {}
            }
        }
        outermost(edits)
    }

    /// The edits of an impl of the replaced type.
    fn implemented(
        &self,
        node: Node<'_>,
        occurrence: &Occurrence<'_>,
        substitute: &Substitute<'_>,
        seen: &mut HashSet<(String, String)>,
    ) -> Vec<Edit> {
        let whole = vec![Edit::delete(node.range())];
        let Syntax::Item(Item::Impl(item)) = node.syntax() else { return whole };
        let Some((path, _)) = &item.trait_ else { return whole };
        let name = path.segments.last().map(|segment| node.text_at(range(&segment.ident))).unwrap_or_default();
        // A foreign trait can only be implemented for a type of the file.
        let foreign = !self.traits.contains(name);
        let Type::Path(ty) = &*item.self_ty else { return whole };
        let ty = range(ty);
        let becomes = match substitute.form {
            Form::Type(name) => name.to_owned(),
            Form::Arguments(..) => compact(node, ty.clone()),
        };
        let header = (compact(node, range(path)), becomes);
        let is_there = self.headers.contains(&header) && !matches!(substitute.form, Form::Arguments(..));
        if foreign || is_there || !seen.insert(header) {
            return whole;
        }
        let mut edits = match substitute.form {
            Form::Type(name) => {
                let mut edits = without_params_but(node, &item.generics, range(path));
                edits.push(Edit::replace(ty, name));
                edits
            }
            Form::Arguments(open, close) => arguments_of(ty, (open, close), occurrence),
        };
        let inside = item.brace_token.span.join().byte_range();
        for occurrence in node.tree().uses("Self", inside, 0..0) {
            if let Some(mention @ (Reference::Value(_) | Reference::Member(..) | Reference::Pattern(_))) =
                Reference::of(&occurrence)
                && !matches!(mention, Reference::Member(_, member) if is_function(member))
            {
                edits.extend(substitute.at(mention, &occurrence));
            }
        }
        edits
    }
}

/// The text at `range` without blanks.
fn compact(node: Node<'_>, range: Range<usize>) -> String {
    node.text_at(range).split_whitespace().collect()
}

impl Substitute<'_> {
    /// Whether it can stand wherever a name can.
    fn is_name(&self) -> bool {
        match self.form {
            Form::Type(name) => name.starts_with(char::is_alphabetic),
            Form::Arguments(..) => false,
        }
    }

    fn ty(&self, node: Node<'_>, occurrence: &Occurrence<'_>) -> Vec<Edit> {
        match self.form {
            Form::Type(name) => vec![Edit::replace(node.range(), name)],
            Form::Arguments(open, close) => arguments_of(node.range(), (open, close), occurrence),
        }
    }

    /// The edits that replace `mention` with it.
    fn at(&self, mention: Reference<'_>, occurrence: &Occurrence<'_>) -> Vec<Edit> {
        match mention {
            Reference::Type(node) => self.ty(node, occurrence),
            Reference::Member(node, member) if is_function(member) => fill_value(node, "loop {}").into_iter().collect(),
            Reference::Value(node) | Reference::Member(node, _) => fill_value(node, &self.value).into_iter().collect(),
            Reference::Pattern(node) => vec![Edit::replace(node.range(), "_")],
            Reference::Import(node) => without_leaf(node),
            Reference::Token => match self.form {
                Form::Type(name) => vec![Edit::replace(occurrence.range.clone(), name)],
                Form::Arguments(..) => Vec::new(),
            },
            Reference::Bound(_) | Reference::Impl(_) | Reference::Path => Vec::new(),
        }
    }
}

/// The edits that reduce a type to its type arguments, a single one between the texts of `around_one`: `*const T` for
/// `S<'a, T>`, `(T, U)` for `S<T, U>`.
fn arguments_of(ty: Range<usize>, around_one: (&str, &str), occurrence: &Occurrence<'_>) -> Vec<Edit> {
    let given: Vec<&Type> = match arguments(occurrence) {
        Some(PathArguments::AngleBracketed(arguments)) => {
            let types = arguments.args.iter().filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            types.collect()
        }
        _ => Vec::new(),
    };
    let (open, close) = if given.len() == 1 { around_one } else { ("(", ")") };
    // After a star, a sum of bounds needs parentheses.
    let is_sum = matches!(given[..], [ty] if is_sum(ty)) && close.is_empty();
    let (open, close) = if is_sum { (format!("{open}("), ")") } else { (open.to_owned(), close) };
    let given: Vec<Range<usize>> = given.into_iter().map(type_range).collect();
    let Some((first, rest)) = given.split_first() else { return vec![Edit::replace(ty, "()")] };
    let mut edits = vec![Edit::replace(ty.start..first.start, open)];
    let mut position = first.end;
    for argument in rest {
        edits.push(Edit::replace(position..argument.start, ", "));
        position = argument.end;
    }
    edits.push(Edit::replace(position..ty.end, close));
    edits
}

/// Whether a member of a type has the name of a function, not that of a variant or constant.
fn is_function(member: &str) -> bool {
    !member.starts_with(char::is_uppercase)
}
