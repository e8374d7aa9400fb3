//! Names that mean nothing.

use syn::{Expr, Item, Member, Path, UseTree};

use super::found::{LikelyError, LikelyErrors};
use super::known::{KnownNames, is_parameter, name, owner};
use crate::syntax::generics::{in_attribute_or_visibility, qself};
use crate::syntax::surroundings::signature;
use crate::syntax::tree::{Node, Syntax};
use crate::text::format;

pub(super) fn check(node: Node<'_>, known: &KnownNames, errors: &mut LikelyErrors) {
    match node.syntax() {
        Syntax::Path(syntax) if syntax.leading_colon.is_none() && !in_attribute_or_visibility(node) => {
            path(node, syntax, known, errors);
        }
        Syntax::Item(Item::Use(item)) if item.leading_colon.is_none() => import(&item.tree, known, errors),
        Syntax::Expr(Expr::Field(expr)) => field(&expr.member, known, errors),
        Syntax::FieldValue(value) => field(&value.member, known, errors),
        Syntax::FieldPat(pat) => field(&pat.member, known, errors),
        Syntax::Expr(Expr::MethodCall(expr)) if !known.members.contains(&name(&expr.method)) => {
            errors.miss(LikelyError::Method, name(&expr.method), "");
        }
        Syntax::Macro(_) => captured(node, known, errors),
        Syntax::Lifetime(lifetime) => {
            let is_label = matches!(node.parent().map(Node::syntax), Some(Syntax::Label(_) | Syntax::Expr(_)));
            let lifetime = lifetime.to_string();
            if !is_label && !known.lifetimes.contains(&lifetime) && !is_parameter(node, &lifetime) {
                errors.miss(LikelyError::Lifetime, lifetime, place(node));
            }
        }
        _ => {}
    }
}

/// How the function around `node` is called.
fn place(node: Node<'_>) -> String {
    owner(node).and_then(signature).map(|signature| name(&signature.ident)).unwrap_or_default()
}

fn is_keyword(name: &str) -> bool {
    matches!(name, "self" | "Self" | "super" | "crate")
}

fn path(node: Node<'_>, path: &Path, known: &KnownNames, errors: &mut LikelyErrors) {
    let (Some(parent), mut names) = (node.parent(), path.segments.iter().map(|segment| name(&segment.ident))) else {
        return;
    };
    let Some(first) = names.next().filter(|_| qself(parent.syntax()).is_none_or(|qself| qself.position > 0)) else {
        return;
    };
    let is_known = match parent.syntax() {
        Syntax::Macro(_) if path.segments.len() == 1 => known.macros.contains(&first),
        Syntax::Expr(_) if path.segments.len() == 1 => known.is_value(node, &first),
        _ => known.items.contains(&first) || is_parameter(node, &first),
    };
    if !is_known && !is_keyword(&first) {
        // What follows belongs to something else.
        return errors.miss(LikelyError::Name, first, place(node));
    }
    for member in names.filter(|name| !known.members.contains(name) && !known.items.contains(name)) {
        errors.miss(LikelyError::Member, member, "");
    }
}

/// The path of an import, as far as it leads through what the file defines.
fn import(tree: &UseTree, known: &KnownNames, errors: &mut LikelyErrors) {
    let (ident, inner) = match tree {
        UseTree::Path(tree) => (name(&tree.ident), Some(&*tree.tree)),
        UseTree::Name(tree) => (name(&tree.ident), None),
        UseTree::Rename(tree) => (name(&tree.ident), None),
        UseTree::Group(group) => return group.items.iter().for_each(|tree| import(tree, known, errors)),
        UseTree::Glob(_) => return,
    };
    // An import alone makes its name known.
    let is_known = [&known.items, &known.macros, &known.members].iter().any(|names| names.contains(&ident));
    if !is_known && !is_keyword(&ident) {
        errors.miss(LikelyError::Name, ident, "use");
    } else if let Some(inner) = inner {
        import(inner, known, errors);
    }
}

fn field(member: &Member, known: &KnownNames, errors: &mut LikelyErrors) {
    if let Member::Named(ident) = member
        && !known.members.contains(&name(ident))
    {
        errors.miss(LikelyError::Field, name(ident), "");
    }
}

/// The variables that format strings in a macro call name.
fn captured(call: Node<'_>, known: &KnownNames, errors: &mut LikelyErrors) {
    let (source, range) = (call.tree().source(), call.range());
    let first = source.tokens().partition_point(|token| token.range.start < range.start);
    let tokens = source.tokens()[first..].iter().take_while(|token| token.range.start < range.end);
    for literal in tokens.map(|token| call.text_at(token.range.clone())).filter(|token| token.ends_with(['"', '#'])) {
        let names = format::placeholders(literal).into_iter().flat_map(|placeholder| placeholder.names);
        for name in names.map(|name| &literal[name]).filter(|name| !known.is_value(call, name)) {
            errors.miss(LikelyError::Name, name, place(call));
        }
    }
}
