//! Instantiation of generics: replaces the parameters in a text with arguments.

use std::collections::HashMap;
use std::ops::Range;

use syn::{GenericArgument, GenericParam, Generics, PathArguments};

use crate::names::generic_params::{argument_for, occurs};
use crate::syntax::generics::is_sum_text;
use crate::syntax::{Node, range};

/// The argument for each parameter.
#[derive(Default)]
pub(crate) struct Instantiation<'t> {
    texts: HashMap<&'t str, String>,
}

impl<'t> Instantiation<'t> {
    /// The parameters `generics` with the arguments that a path of the same source gives, or else their defaults, or
    /// `_` and `'_` for inference.
    pub(crate) fn of(node: Node<'t>, generics: &Generics, arguments: &PathArguments) -> Self {
        let mut found = Self::default();
        for (index, param) in generics.params.iter().enumerate() {
            let given = match arguments {
                PathArguments::AngleBracketed(arguments) => argument_for(generics, index, arguments),
                _ => None,
            };
            let (name, default) = match param {
                GenericParam::Lifetime(param) => (range(&param.lifetime), None),
                GenericParam::Type(param) => (range(&param.ident), param.default.as_ref().map(|(_, ty)| range(ty))),
                GenericParam::Const(param) => (range(&param.ident), param.default.as_ref().map(|(_, it)| range(it))),
            };
            let text = match (given, default) {
                (Some((_, GenericArgument::Const(expr))), _) => node.text_at(range(expr)).to_owned(),
                (Some((_, argument)), _) => node.text_at(range(argument)).to_owned(),
                // A default may speak of the parameters before it.
                (None, Some(default)) => found.text(node, default),
                (None, None) if matches!(param, GenericParam::Lifetime(_)) => "'_".to_owned(),
                (None, None) => "_".to_owned(),
            };
            found.texts.insert(node.text_at(name), text);
        }
        found
    }

    pub(crate) fn with(mut self, name: &'t str, text: &str) -> Self {
        self.texts.insert(name, text.to_owned());
        self
    }

    /// The text at `range` of the source of `node`, instantiated.
    pub(crate) fn text(&self, node: Node<'_>, range: Range<usize>) -> String {
        let source = node.tree().source();
        let text = source.text();
        let tokens: Vec<_> = source.code(range.clone()).map(|(_, range)| range).collect();
        let word = |index: Option<usize>| index.and_then(|index| tokens.get(index)).map_or("", |at| &text[at.clone()]);
        let mut result = String::new();
        let mut position = range.start;
        for (index, token) in tokens.iter().enumerate() {
            let Some(replacement) = self.texts.get(&text[token.clone()]) else { continue };
            // A name before `=` is an associated item of a trait.
            if matches!(word(index.checked_sub(1)), "::" | ".") || word(Some(index + 1)) == "=" {
                continue;
            }
            result.push_str(&text[position..token.start]);
            let is_name = replacement.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '\''));
            // Behind a star or an ampersand, a sum of bounds needs parentheses.
            let before = word(index.checked_sub(1));
            let is_tight = ["&", "&&", "mut", "const"].contains(&before) || before.starts_with('\'');
            if word(Some(index + 1)) == "::" && !is_name {
                result.extend(["<", replacement, ">"]);
            } else if is_tight && is_sum_text(replacement) {
                result.extend(["(", replacement, ")"]);
            } else {
                result.push_str(replacement);
            }
            position = token.end;
        }
        result + &text[position..range.end]
    }

    /// Whether the text at `range` mentions a parameter.
    pub(crate) fn concerns(&self, node: Node<'_>, range: &Range<usize>) -> bool {
        self.texts.keys().any(|name| occurs(node, name, range.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;
    use crate::syntax::tree::{Syntax, Tree};

    /// Checks what the first item of `text`, a type alias, is where the second one names it.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let mut items = tree.nodes().filter_map(|node| match node.syntax() {
            Syntax::Item(syn::Item::Type(item)) => Some((node, item)),
            _ => None,
        });
        let (Some((node, alias)), Some((_, other))) = (items.next(), items.next()) else { panic!("two aliases") };
        let syn::Type::Path(path) = &*other.ty else { panic!("a path") };
        let arguments = &path.path.segments.last().expect("it has a segment").arguments;
        let found = Instantiation::of(node, &alias.generics, arguments).text(node, range(&*alias.ty));
        assert_eq!(found, expected);
    }

    #[test]
    fn parameters_become_arguments() {
        check(
            "type A<'a, T, const N: usize> = &'a [m::T<T>; N]; type B = A<'b, Vec<u8>, 3>;",
            "&'b [m::T<Vec<u8>>; 3]",
        );
        check("type A<T> = T::Item; type B = A<[u8]>;", "<[u8]>::Item");
    }

    #[test]
    fn defaults_stand_for_what_is_not_given() {
        check("type A<T, U = Vec<T>> = (T, U); type B = A<u8>;", "(u8, Vec<u8>)");
        check("type A<'a, T> = &'a T; type B = A;", "&'_ _");
    }

    #[test]
    fn what_is_no_parameter_stays() {
        check("type A<'a, T> = (&'a T, *mut T); type B = A<'b, dyn C + D>;", "(&'b (dyn C + D), *mut (dyn C + D))");
        check("type A<T> = S<T = T>; type B = A<u16>;", "S<T = u16>");
        check("type A<T> = S<u8, 'static>; type B = A<u16>;", "S<u8, 'static>");
    }
}
