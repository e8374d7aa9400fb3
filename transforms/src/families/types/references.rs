//! References in the place of types that hold one other type: the shortest way to nest types.

use proc_macro2::TokenStream;
use syn::{GenericArgument, Item, PathArguments, Type};

use crate::macros::rules::{matcher_and_transcriber, rules_of};
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::extent::type_range;
use crate::syntax::generics::object_bounds;
use crate::syntax::token_groups::{Shape, TokenGroup, segments, token_groups};
use crate::syntax::tree::{Node, Syntax};
use crate::syntax::types::begins_arguments;
use crate::text::edit::Edit;

family! {
    "references", "Nests types as references.", in References;

    /// Replace a type with one argument by a reference or pointer to that.
    ///
    /// ```text
    /// fn f<T>() { f::<Vec<T>>() }
    /// =>
    /// fn f<T>() { f::<&T>() }
    /// ```
    ///
    /// Unlike with the argument alone, the depth stays. Where lifetimes have to be written it is a pointer.
    TYPE_TO_REFERENCE = "type-to-reference", Rule::Node(type_to_reference);

    /// Make references of all types with arguments among the tokens of a macro call or of what a rule makes.
    ///
    /// ```text
    /// m!({ impl A<B = Vec< } { >> });
    /// =>
    /// m!({ & & } { });
    /// ```
    ///
    /// What opens an argument list becomes `&`, and what closes it goes, also if they are passed apart from each other.
    TOKENS_TO_REFERENCES = "tokens-to-references", Rule::Node(tokens_to_references), in MacroProtocols;
}

fn type_to_reference(node: Node<'_>, out: &mut Proposals<'_>) {
    let Some(argument) = only_argument(node) else { return };
    if begins_arguments(node) || is_inherent(node) {
        return;
    }
    let kept = type_range(argument);
    if object_bounds(argument).is_some_and(|bounds| bounds.len() > 1 || bounds.trailing_punct()) {
        return;
    }
    if is_elided(node) {
        out.keep_between(node.range(), "&", kept.clone(), "");
    }
    out.keep_between(node.range(), "*const ", kept, "");
}

/// The type that is the only generic argument of a type.
fn only_argument<'t>(node: Node<'t>) -> Option<&'t Type> {
    let Syntax::Type(Type::Path(ty)) = node.syntax() else { return None };
    let last = ty.path.segments.last().filter(|_| ty.qself.is_none())?;
    let mut arguments = ty.path.segments.iter().filter(|segment| !segment.arguments.is_none());
    let (Some(_), None, PathArguments::AngleBracketed(own)) = (arguments.next(), arguments.next(), &last.arguments)
    else {
        return None;
    };
    match own.args.first()? {
        GenericArgument::Type(argument) if own.args.len() == 1 => Some(argument),
        _ => None,
    }
}

/// Whether a type is the one of an impl without trait, which is of this file.
fn is_inherent(node: Node<'_>) -> bool {
    let parent = node.parent().map(Node::syntax);
    matches!(parent, Some(Syntax::Item(Item::Impl(item))) if item.trait_.is_none())
}

/// Whether the lifetime of a reference may be left out.
fn is_elided(node: Node<'_>) -> bool {
    for ancestor in node.ancestors() {
        match ancestor.syntax() {
            Syntax::Expr(_) | Syntax::Local(_) | Syntax::Signature(_) | Syntax::Item(Item::Impl(_)) => return true,
            Syntax::Item(_) | Syntax::WherePredicate(_) | Syntax::TraitItem(_) | Syntax::ImplItem(_) => return false,
            _ => {}
        }
    }
    false
}

fn tokens_to_references(node: Node<'_>, out: &mut Proposals<'_>) {
    let text = node.source_text();
    if let Syntax::Macro(mac) = node.syntax()
        && let Some(rules) = rules_of(text, mac)
    {
        for rule in segments(text, &rules, ";") {
            if let Some((_, transcriber)) = matcher_and_transcriber(text, &rule) {
                propose(text, &transcriber.stream, out);
            }
        }
        return;
    }
    let is_call = node
        .parent()
        .is_some_and(|parent| matches!(parent.syntax(), Syntax::Macro(mac) if !mac.path.is_ident("macro_rules")));
    if let (Syntax::Tokens(tokens), true) = (node.syntax(), is_call) {
        propose(text, tokens, out);
    }
}

fn propose(text: &str, tokens: &TokenStream, out: &mut Proposals<'_>) {
    let mut found = Found::default();
    found.read(text, tokens);
    if let (Some(first), true) = (found.edits.first(), found.opened && found.closed) {
        out.edit(first.range.clone(), found.edits);
    }
}

/// What opens and closes argument lists.
#[derive(Default)]
struct Found {
    edits: Vec<Edit>,
    /// Of each `<` that is not closed yet, whether it goes.
    open: Vec<bool>,
    opened: bool,
    closed: bool,
}

impl Found {
    fn read(&mut self, text: &str, tokens: &TokenStream) {
        let all = token_groups(text, tokens);
        let mut next = 0;
        while let Some(piece) = all.get(next) {
            if let Some(last) = opening(text, &all, next) {
                self.edits.push(Edit::replace(piece.range.start..all[last].range.end, "&"));
                self.open.push(true);
                self.opened = true;
                next = last;
            } else if is(text, Some(piece), "<") {
                self.open.push(false);
            } else if is(text, Some(piece), ">") && self.open.pop() != Some(false) {
                self.edits.push(Edit::delete(piece.range.clone()));
                self.closed = true;
            }
            if let Shape::Group(contents) | Shape::Repetition(contents) = &all[next].shape {
                self.read(text, &contents.stream);
            }
            next += 1;
        }
    }
}

fn is(text: &str, piece: Option<&TokenGroup>, token: &str) -> bool {
    piece.is_some_and(|piece| &text[piece.range.clone()] == token)
}

/// Words before a name that has generic parameters, not arguments.
const DECLARES: [&str; 6] = ["fn", "struct", "enum", "union", "trait", "type"];

/// Words that no type is named.
const KEYWORDS: [&str; 6] = ["impl", "dyn", "for", "as", "where", "fn"];

/// The last of the pieces from `first` on that open a list of generic arguments: `impl a::B<C =`.
fn opening(text: &str, all: &[TokenGroup], first: usize) -> Option<usize> {
    let own = |index: usize| all.get(index).map(|piece| &text[piece.range.clone()]);
    let is_name = |index: usize| {
        all.get(index).is_some_and(|piece| matches!(piece.shape, Shape::Ident))
            && own(index).is_some_and(|word| !KEYWORDS.contains(&word))
    };
    let declares = |index: usize| own(index).is_some_and(|word| DECLARES.contains(&word));
    if first.checked_sub(1).is_some_and(declares) {
        return None;
    }
    let mut at = first + usize::from(matches!(own(first), Some("impl" | "dyn")));
    while is_name(at) && own(at + 1) == Some("::") {
        at += 2;
    }
    if !is_name(at) || own(at + 1) != Some("<") || own(at + 2).is_some_and(|next| next.starts_with('\'')) {
        return None;
    }
    Some(if is_name(at + 2) && own(at + 3) == Some("=") { at + 3 } else { at + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn types_with_one_argument_become_references() {
        check(
            &TYPE_TO_REFERENCE,
            "fn f<T>(a: b::C<T>) { f::<D<E<T>>>(g) }",
            &[
                "fn f<T>(a: &T) { f::<D<E<T>>>(g) }",
                "fn f<T>(a: *const T) { f::<D<E<T>>>(g) }",
                "fn f<T>(a: b::C<T>) { f::<&E<T>>(g) }",
                "fn f<T>(a: b::C<T>) { f::<*const E<T>>(g) }",
                "fn f<T>(a: b::C<T>) { f::<D<&T>>(g) }",
                "fn f<T>(a: b::C<T>) { f::<D<*const T>>(g) }",
            ],
        );
        check(&TYPE_TO_REFERENCE, "impl<T> A for B<T> {}", &["impl<T> A for &T {}", "impl<T> A for *const T {}"]);
    }

    #[test]
    fn pointers_need_no_lifetime() {
        check(&TYPE_TO_REFERENCE, "struct S(Vec<&'static u8>);", &["struct S(*const &'static u8);"]);
        check(
            &TYPE_TO_REFERENCE,
            "impl A for B { type C = D<E>; } trait T where F<Self>: A { type G; }",
            &[
                "impl A for B { type C = *const E; } trait T where F<Self>: A { type G; }",
                "impl A for B { type C = D<E>; } trait T where *const Self: A { type G; }",
            ],
        );
    }

    #[test]
    fn types_with_other_arguments_stay() {
        check(&TYPE_TO_REFERENCE, "fn f(a: A, b: B<C, D>, c: E<'a>, d: F<1>, e: G<'a, H>, g: I<J = K>) {}", &[]);
        check(
            &TYPE_TO_REFERENCE,
            "type A = <B<C> as D>::E<F>; type G = H<I>::J; type K = L<dyn M + N>;",
            &["type A = <*const C as D>::E<F>; type G = H<I>::J; type K = L<dyn M + N>;"],
        );
    }

    #[test]
    fn types_stay_where_no_reference_can_stand() {
        check(&TYPE_TO_REFERENCE, "impl A<B> {} impl C<D> for E {} trait F: G<H> {}", &[]);
        check(&TYPE_TO_REFERENCE, "fn f() { a as B<C> < d; Vec::<u8>::new(); S::<u8> {}; }", &[]);
    }

    #[test]
    fn tokens_become_references() {
        check(&TOKENS_TO_REFERENCES, "m!(=> a::A<B<u8>>, C < D >);", &["m!(=> & &u8, &D);"]);
        check(
            &TOKENS_TO_REFERENCES,
            "macro_rules! m { ($a:ty) => { Box<[Vec<$a>]> -> u8 }; (b < c) => { dyn D<E = > } }",
            &[
                "macro_rules! m { ($a:ty) => { &[&$a] -> u8 }; (b < c) => { dyn D<E = > } }",
                "macro_rules! m { ($a:ty) => { Box<[Vec<$a>]> -> u8 }; (b < c) => { & } }",
            ],
        );
    }

    #[test]
    fn what_is_closed_elsewhere_goes_too() {
        check(&TOKENS_TO_REFERENCES, "m!({ A < u8 < } +++ [>]);", &["m!({ & & } +++ []);"]);
    }

    #[test]
    fn other_angles_stay() {
        check(&TOKENS_TO_REFERENCES, "m!(=> fn f<T>() {}); n!(=> impl<T> A for for<'a> B<'a>);", &[]);
        check(&TOKENS_TO_REFERENCES, "m!(=> a < 1); n!(=> <A>::b >= c); o!(=> D::<E>, 1 < 2 > 3);", &[]);
        check(&TOKENS_TO_REFERENCES, "m!(<A<B>>::c); fn f() -> A<B> { n!(d as E<F>) }", &[]);
    }
}
