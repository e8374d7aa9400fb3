//! The syntax around an occurrence of a name, as far as replacing it needs to know.

use syn::{Expr, Item, Pat, PathArguments};

use crate::syntax::generics::{is_sum_text, qself, token_at, token_before};
use crate::syntax::{Filler, Node, Occurrence, Place, Syntax, range};
use crate::text::Edit;

/// The smallest syntax that has to be replaced with an occurrence of a name.
#[derive(Clone, Copy)]
pub(crate) enum Reference<'t> {
    /// A type: `a::name<T>`, or `name::a`.
    Type(Node<'t>),
    /// An expression: `name`, `name(..)`, `name { .. }`.
    Value(Node<'t>),
    /// An expression of something in it, and the name of that: `name::a`, `name::a(..)`, `name::a { .. }`.
    Member(Node<'t>, &'t str),
    /// A pattern: `name`, `name(..)`, `name::a { .. }`.
    Pattern(Node<'t>),
    /// A bound, a trait in `dyn` and `impl`.
    Bound(Node<'t>),
    /// An impl of a trait of this name.
    Impl(Node<'t>),
    /// A leaf of an import, or a path that leads to leaves.
    Import(Node<'t>),
    /// Another path: the trait of `<T as name>::a`, a macro, a visibility.
    Path,
    /// A token among others that syn did not parse, or in an attribute.
    Token,
}

impl<'t> Reference<'t> {
    /// The reference that `occurrence` is part of; `None` for a definition, a field, a method.
    pub(crate) fn of(occurrence: &Occurrence<'t>) -> Option<Self> {
        let Some(node) = occurrence.node else { return Some(Self::Token) };
        let parent = node.parent()?;
        match parent.syntax() {
            Syntax::UseTree(_) => return Some(Self::Import(parent)),
            Syntax::Pat(Pat::Ident(pat)) => {
                let plain = pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none();
                return (plain && !is_shorthand(parent)).then_some(Self::Pattern(parent));
            }
            _ => {}
        }
        let (path, syntax, index) = occurrence.path()?;
        let owner = path.parent()?;
        let after =
            syntax.segments.iter().nth(index + 1).map(|segment| path.text_at(segment.ident.span().byte_range()));
        let position = qself(owner.syntax()).map(|qself| qself.position);
        if position.is_some_and(|position| index < position) {
            return Some(Self::Path);
        }
        Some(match owner.syntax() {
            Syntax::Type(_) => Self::Type(owner),
            Syntax::Pat(_) => Self::Pattern(owner),
            Syntax::TypeParamBound(_) => Self::Bound(owner),
            Syntax::Item(Item::Impl(_)) => Self::Impl(owner),
            Syntax::Expr(Expr::Path(_) | Expr::Struct(_)) => match after {
                Some(member) => Self::Member(called(owner), member),
                None => Self::Value(occurrence.call().unwrap_or(owner)),
            },
            _ => Self::Path,
        })
    }
}

/// Whether `node` is the value or pattern of a field of its own name, which is a variable.
pub(crate) fn is_shorthand(node: Node<'_>) -> bool {
    node.parent().is_some_and(|field| match field.syntax() {
        Syntax::FieldPat(field) => field.colon_token.is_none(),
        Syntax::FieldValue(field) => field.colon_token.is_none(),
        _ => false,
    })
}

/// The impl whose type `ty` is.
pub(crate) fn of_self_type<'t>(ty: Node<'t>) -> Option<Node<'t>> {
    let home = ty.parent()?;
    let Syntax::Item(Item::Impl(item)) = home.syntax() else { return None };
    matches!(ty.syntax(), Syntax::Type(ty) if std::ptr::eq(ty, &*item.self_ty)).then_some(home)
}

/// The call of `callee`, or else itself.
fn called<'t>(callee: Node<'t>) -> Node<'t> {
    let call = callee.parent().filter(|call| {
        matches!(call.syntax(), Syntax::Expr(Expr::Call(_))) && call.range().start == callee.range().start
    });
    call.unwrap_or(callee)
}

/// The edit that replaces the expression `node` with `text`; `None` if it cannot stand there: metavariables only have a
/// meaning in their macro.
pub(crate) fn fill(node: Node<'_>, filler: Filler<'_>, text: &str) -> Option<Edit> {
    if text.contains('$') {
        return None;
    }
    Place::of(node)?.filled(filler, text)
}

/// The edit that replaces a variable's name with the value `text`; `None` if the name is not an expression. Among tokens
/// that syn did not parse, a literal fits where a name does.
pub(crate) fn fill_name(occurrence: &Occurrence<'_>, filler: Filler<'_>, text: &str, is_literal: bool) -> Option<Edit> {
    match Reference::of(occurrence)? {
        Reference::Token if is_literal => return Some(Edit::replace(occurrence.range.clone(), text)),
        Reference::Value(_) => {}
        _ => return None,
    }
    let path = occurrence.path_end()?;
    let expr = path.parent()?;
    match is_shorthand(expr) {
        true => Some(Edit::replace(occurrence.range.clone(), format!("{}: {text}", path.text()))),
        false => fill(expr, filler, text),
    }
}

/// The edit that puts a short value, or `loop {}`, in the place of the expression `node`.
pub(crate) fn fill_value(node: Node<'_>, value: &str) -> Option<Edit> {
    let filler = if value.ends_with('}') { Filler::BlockLike } else { Filler::Atom };
    fill(node, filler, value)
}

/// The edit that puts a type in the place of a path up to the segment that `occurrence` is; none where no type can stand.
pub(crate) fn retype(occurrence: &Occurrence<'_>, text: &str) -> Option<Edit> {
    let (path, syntax, index) = occurrence.path()?;
    let owner = path.parent()?;
    // The segment belongs to the trait after `as`.
    if qself(owner.syntax()).is_some_and(|qself| index < qself.position) {
        return None;
    }
    // The argument for a type may be a value.
    let is_value = text.starts_with(|c: char| c.is_ascii_digit() || "{-\"'".contains(c));
    let segment = syntax.segments.iter().nth(index).filter(|_| !text.contains('$') && !is_value)?;
    let is_last = index + 1 == syntax.segments.len();
    let text = match owner.syntax() {
        Syntax::Type(_) if is_last && is_sum_text(text) => format!("({text})"),
        Syntax::Type(_) if is_last => text.to_owned(),
        Syntax::Type(_) | Syntax::Expr(Expr::Path(_)) if !is_last && !is_path(text) => format!("<{text}>"),
        Syntax::Type(_) | Syntax::Expr(Expr::Path(_)) if !is_last => text.to_owned(),
        // Where a value is made or taken apart, the arguments are inferred.
        Syntax::Expr(Expr::Struct(_)) | Syntax::Pat(_) => {
            let name = if text.ends_with('>') { text.split('<').next()?.trim() } else { text };
            is_path(name).then(|| name.to_owned())?
        }
        _ => return None,
    };
    Some(Edit::replace(owner.range().start..range(segment).end, text))
}

/// The edit that replaces a parameter of `owner` with the type, value or lifetime `text`; `None` if it is not a parameter.
pub(crate) fn put_argument(owner: Node<'_>, occurrence: &Occurrence<'_>, text: &str) -> Option<Edit> {
    let replaced = |text: String| Some(Edit::replace(occurrence.range.clone(), text));
    let is_plain = is_path(text) || text.starts_with(|c: char| c.is_ascii_digit() || c == '\'');
    match occurrence.node.map(Node::syntax) {
        None if token_before(owner, occurrence.range.start) == "::" => return None,
        None if token_at(owner, occurrence.range.end) == "::" && !is_plain => return replaced(format!("<{text}>")),
        None | Some(Syntax::Lifetime(_)) => return replaced(text.to_owned()),
        _ => {}
    }
    let (path, syntax, 0) = occurrence.path()? else { return None };
    let is_last = syntax.segments.len() == 1;
    let owner = path.parent()?;
    match owner.syntax() {
        // A value is an argument, and no other type.
        Syntax::Type(_) if is_plain && !is_path(text) => {
            let is_argument = matches!(owner.parent()?.syntax(), Syntax::GenericArgument(_));
            is_argument.then(|| replaced(text.to_owned()))?
        }
        _ if is_plain => replaced(text.to_owned()),
        Syntax::Type(_) if is_last && is_sum_text(text) => replaced(format!("({text})")),
        Syntax::Type(_) | Syntax::Expr(Expr::Path(_)) if !is_last => replaced(format!("<{text}>")),
        Syntax::Type(_) => replaced(text.to_owned()),
        _ => None,
    }
}

pub(crate) fn arguments<'t>(occurrence: &Occurrence<'t>) -> Option<&'t PathArguments> {
    let (_, path, index) = occurrence.path()?;
    Some(&path.segments.iter().nth(index)?.arguments)
}

/// Whether `text` is a path without arguments.
fn is_path(text: &str) -> bool {
    // `_` is not a name.
    text != "_"
        && text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | ':'))
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::Source;
    use crate::syntax::tree::Tree;

    /// Checks the references that the occurrences of `a` in `text` are part of.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let show = |occurrence: Occurrence<'_>| {
            let (kind, node) = match Reference::of(&occurrence)? {
                Reference::Type(node) => ("type", node),
                Reference::Value(node) => ("value", node),
                Reference::Member(node, _) => ("member", node),
                Reference::Pattern(node) => ("pattern", node),
                Reference::Bound(node) => ("bound", node),
                Reference::Impl(node) => ("impl", node),
                Reference::Import(node) => ("import", node),
                Reference::Path => return Some("path".to_owned()),
                Reference::Token => return Some("token".to_owned()),
            };
            Some(format!("{kind} {}", node.text()))
        };
        let found: Vec<String> = tree.occurrences("a").filter_map(show).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn types_reach_over_the_whole_path() {
        check("fn f(x: &m::a<u8>, y: a::B) -> Vec<a> {}", &["type m::a<u8>", "type a::B", "type a"]);
        check("impl a for a {} fn f<T: a>() {}", &["impl impl a for a {}", "type a", "bound a"]);
    }

    #[test]
    fn values_reach_over_their_call() {
        check("const B: C = (a, m::a(1), a { b: 1 });", &["value a", "value m::a(1)", "value a { b: 1 }"]);
        check("const B: C = g(a::b, a::c(1).d);", &["member a::b", "member a::c(1)"]);
        check(
            "fn f() { match x { a => {} m::a(_) => {} a::B { .. } => {} } }",
            &["pattern a", "pattern m::a(_)", "pattern a::B { .. }"],
        );
    }

    #[test]
    fn other_mentions_are_told_apart() {
        check("use a; use b::{a as c, a::D}; m!(=> a);", &["import a", "import a as c", "import a::D", "token"]);
        check("const B: C = <u8 as a>::c(a!());", &["path", "path"]);
    }

    #[test]
    fn definitions_and_members_are_no_mentions() {
        check("struct a { a: u8 } fn a() { x.a; x.a(); S { a: 1 }; let S { a } = y; let ref a = z; }", &[]);
    }
}
