//! Reads the lists that nodes hold: elements, parameters, arguments, bounds.

use std::ops::Range;

use proc_macro2::extra::DelimSpan;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    AngleBracketedGenericArguments, Expr, GenericParam, Generics, Item, Pat, PathArguments, Type, TypeParamBound,
    WherePredicate,
};

use super::generics::{angles, bounds, inside, object_bounds};
use super::list::List;
use super::tree::{Node, Syntax, range};

impl List {
    /// The elements of `node` between its delimiters; predicates, the bounds of `dyn` and `impl`, the cases of an
    /// or-pattern.
    /// Variadic dots and the `..` of a pattern are elements, the base of a struct expression is none.
    pub(crate) fn of(node: Node<'_>) -> Option<Self> {
        Some(match node.syntax() {
            Syntax::Expr(Expr::Array(expr)) => Self::delimited(node, &expr.elems, expr.bracket_token.span),
            Syntax::Expr(Expr::Call(expr)) => Self::delimited(node, &expr.args, expr.paren_token.span),
            Syntax::Expr(Expr::Closure(expr)) => {
                Self::new(node, &expr.inputs, range(&expr.inputs_begin).end..range(&expr.inputs_end).start)
            }
            Syntax::Expr(Expr::MethodCall(expr)) => Self::delimited(node, &expr.args, expr.paren_token.span),
            Syntax::Expr(Expr::Struct(expr)) => Self::delimited(node, &expr.fields, expr.brace_token.span),
            Syntax::Expr(Expr::Tuple(expr)) => Self::delimited(node, &expr.elems, expr.paren_token.span),
            Syntax::Pat(Pat::Or(pat)) => Self::bare(node, &pat.cases),
            Syntax::Pat(Pat::Slice(pat)) => Self::delimited(node, &pat.elems, pat.bracket_token.span),
            Syntax::Pat(Pat::Struct(pat)) => {
                let fields = Self::delimited(node, &pat.fields, pat.brace_token.span);
                fields.with_last(pat.rest.as_ref().map(range), None)
            }
            Syntax::Pat(Pat::Tuple(pat)) => Self::delimited(node, &pat.elems, pat.paren_token.span),
            Syntax::Pat(Pat::TupleStruct(pat)) => Self::delimited(node, &pat.elems, pat.paren_token.span),
            Syntax::Type(Type::FnPtr(ty)) => {
                let inputs = Self::delimited(node, &ty.inputs, ty.paren_token.span);
                let Some(variadic) = &ty.variadic else { return Some(inputs) };
                let dots = range(variadic).start..range(&variadic.dots).end;
                inputs.with_last(Some(dots), variadic.comma.as_ref().map(range))
            }
            Syntax::Type(Type::Tuple(ty)) => Self::delimited(node, &ty.elems, ty.paren_token.span),
            Syntax::PathArguments(PathArguments::Parenthesized(arguments)) => {
                Self::delimited(node, &arguments.inputs, arguments.paren_token.span)
            }
            Syntax::TypeParamBound(TypeParamBound::PreciseCapture(capture)) => {
                Self::new(node, &capture.params, range(&capture.lt_token).end..range(&capture.gt_token).start)
            }
            Syntax::FieldsNamed(fields) => Self::delimited(node, &fields.named, fields.brace_token.span),
            Syntax::FieldsUnnamed(fields) => Self::delimited(node, &fields.unnamed, fields.paren_token.span),
            Syntax::Item(Item::Enum(item)) => Self::delimited(node, &item.variants, item.brace_token.span),
            Syntax::Signature(signature) => {
                let inputs = Self::delimited(node, &signature.inputs, signature.paren_token.span);
                let Some(variadic) = &signature.variadic else { return Some(inputs) };
                let dots = range(variadic).start..range(&variadic.dots).end;
                inputs.with_last(Some(dots), variadic.comma.as_ref().map(range))
            }
            Syntax::BoundLifetimes(binder) => {
                Self::new(node, &binder.lifetimes, range(&binder.lt_token).end..range(&binder.gt_token).start)
            }
            Syntax::WhereClause(clause) => Self::bare(node, &clause.predicates),
            Syntax::Type(ty) => Self::bare(node, object_bounds(ty)?),
            _ => return None,
        })
    }

    /// The bounds of a declaration or a predicate, and the colon that goes with the last of them where it may.
    pub(crate) fn bounds(node: Node<'_>) -> Option<(Self, Option<Range<usize>>)> {
        let (list, colon) = match node.syntax() {
            Syntax::GenericParam(GenericParam::Lifetime(param)) => {
                (Self::bare(node, &param.bounds), param.colon_token.as_ref())
            }
            Syntax::WherePredicate(WherePredicate::Lifetime(predicate)) => (Self::bare(node, &predicate.bounds), None),
            syntax => {
                let (bounds, colon) = bounds(syntax)?;
                (Self::bare(node, bounds), colon)
            }
        };
        Some((list, colon.map(range)))
    }

    /// The parameters in the angle brackets of `generics`, which `node` declares.
    pub(crate) fn params(node: Node<'_>, generics: &Generics) -> Option<Self> {
        let angles = angles(generics)?;
        Some(Self::new(node, &generics.params, angles.start + 1..angles.end - 1))
    }

    /// Generic arguments in angle brackets, which `node` holds.
    pub(crate) fn arguments(node: Node<'_>, arguments: &AngleBracketedGenericArguments) -> Self {
        Self::new(node, &arguments.args, range(&arguments.lt_token).end..range(&arguments.gt_token).start)
    }

    /// The list between two delimiters.
    pub(crate) fn delimited<T, P: Spanned>(node: Node<'_>, list: &Punctuated<T, P>, delimiters: DelimSpan) -> Self {
        Self::new(node, list, inside(delimiters))
    }

    /// The list in the bytes `inside`, which reach from delimiter to delimiter where there are some.
    ///
    /// An element is everything between two separators: syn forgets a colon without bounds, so an element's own span can
    /// be too short.
    ///
    /// The tree caches it, as it is read once for each of its elements.
    pub(crate) fn new<T, P: Spanned>(node: Node<'_>, list: &Punctuated<T, P>, inside: Range<usize>) -> Self {
        // A list that fills another one has other separators, or none.
        let key = (inside.start, inside.end, list.len(), list.trailing_punct());
        node.tree().list(key, || Self::read(node, list, inside))
    }

    fn read<T, P: Spanned>(node: Node<'_>, list: &Punctuated<T, P>, inside: Range<usize>) -> Self {
        let mut start = inside.start;
        let (mut elements, mut separators) = (Vec::new(), Vec::new());
        for pair in list.pairs() {
            let separator = pair.punct().map(|punct| range(*punct));
            let end = separator.as_ref().map_or(inside.end, |separator| separator.start);
            elements.push(node.tree().source().trim(start..end));
            if let Some(separator) = separator {
                start = separator.end;
                separators.push(separator);
            }
        }
        Self::of_places(elements, separators)
    }

    /// The list of which all bytes are those of `list` itself, as for bounds.
    pub(crate) fn bare<T: quote::ToTokens, P: quote::ToTokens>(node: Node<'_>, list: &Punctuated<T, P>) -> Self {
        // The span of all of it would be that of all of its tokens.
        let (Some(first), Some(last)) = (list.first(), list.pairs().next_back()) else {
            return Self::new(node, list, 0..0);
        };
        let end = last.punct().map_or_else(|| range(last.value()).end, |punct| range(*punct).end);
        Self::new(node, list, range(first).start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;
    use crate::syntax::tree::Tree;
    use crate::text::edit::Edit;

    fn list(node: Node<'_>) -> Option<List> {
        match node.syntax() {
            Syntax::Expr(Expr::Array(array)) => {
                let brackets = array.bracket_token.span;
                let inside = brackets.open().byte_range().end..brackets.close().byte_range().start;
                Some(List::new(node, &array.elems, inside))
            }
            Syntax::Pat(Pat::Or(pat)) => Some(List::bare(node, &pat.cases)),
            _ => None,
        }
    }

    /// Checks the rest of the only list of `text` without the elements at `indices`.
    #[track_caller]
    fn check(text: &str, indices: &[usize], edits: fn(&List, usize) -> Vec<Edit>, expected: &str) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let list = tree.nodes().find_map(list).expect("there is a list");
        let mut edits: Vec<Edit> = indices.iter().flat_map(|&index| edits(&list, index)).collect();
        edits.sort_by_key(|edit| edit.range.start);
        edits.dedup();
        let mut left = text.to_owned();
        for edit in edits.iter().rev() {
            left.replace_range(edit.range.clone(), &edit.text);
        }
        left.retain(|c| c != ' ');
        assert_eq!(left, expected.replace(' ', ""));
    }

    #[test]
    fn any_subset_of_the_elements_can_go() {
        check("const A: B = [a, b, c];", &[0], List::without, "const A: B = [b, c];");
        check("const A: B = [a, b, c];", &[1], List::without, "const A: B = [a, c];");
        check("const A: B = [a, b, c];", &[2], List::without, "const A: B = [a, b];");
        check("const A: B = [a, b, c];", &[1, 2], List::without, "const A: B = [a,];");
        check("const A: B = [a, b, c];", &[0, 1, 2], List::without, "const A: B = [];");
        check("const A: B = [a, b,];", &[1], List::without, "const A: B = [a,];");
    }

    #[test]
    fn backwards_a_list_never_ends_with_a_separator() {
        check(
            "fn f() { match a { A | B | C => d } }",
            &[1, 2],
            List::without_backwards,
            "fn f() { match a { A => d } }",
        );
        check("fn f() { match a { A | B => d } }", &[0], List::without_backwards, "fn f() { match a { B => d } }");
    }

    #[test]
    fn comments_are_no_part_of_an_element() {
        check("const A: B = [/* a */ b /* c */, d];", &[0], List::without, "const A: B = [/* a */ /* c */ d];");
    }
}
