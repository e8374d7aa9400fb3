//! Names that are not defined.

use syn::{Expr, Item, Member, Path, UseTree};

use super::found::{LikelyError, LikelyErrors};
use super::known::{is_bound_lifetime, is_parameter, is_value, name, owner};
use crate::names::Analysis;
use crate::names::definitions::Kind;
use crate::syntax::generics::{in_attribute_or_visibility, is_primitive, qself};
use crate::syntax::surroundings::signature;
use crate::syntax::{Node, Syntax};

pub(super) fn check(node: Node<'_>, names: &Analysis<'_>, errors: &mut LikelyErrors) {
    match node.syntax() {
        Syntax::Path(syntax) if syntax.leading_colon.is_none() && !in_attribute_or_visibility(node) => {
            path(node, syntax, names, errors);
        }
        Syntax::Item(Item::Use(item)) if item.leading_colon.is_none() => import(&item.tree, names, errors),
        Syntax::Expr(Expr::Field(expr)) => field(&expr.member, names, errors),
        Syntax::FieldValue(value) => field(&value.member, names, errors),
        Syntax::FieldPat(pat) => field(&pat.member, names, errors),
        Syntax::Expr(Expr::MethodCall(expr)) if !names.definitions().define(&name(&expr.method), Kind::is_member) => {
            errors.miss(LikelyError::Method, name(&expr.method), "");
        }
        Syntax::Macro(_) => captured(node, names, errors),
        Syntax::Lifetime(lifetime) => {
            let is_label = matches!(node.parent().map(Node::syntax), Some(Syntax::Label(_) | Syntax::Expr(_)));
            let lifetime = lifetime.to_string();
            if !is_label && !is_bound_lifetime(names, &lifetime) && !is_parameter(node, &lifetime) {
                errors.miss(LikelyError::Lifetime, lifetime, place(node));
            }
        }
        _ => {}
    }
}

/// The name of the function around `node`.
fn place(node: Node<'_>) -> String {
    owner(node).and_then(signature).map(|signature| name(&signature.ident)).unwrap_or_default()
}

fn is_keyword(name: &str) -> bool {
    matches!(name, "self" | "Self" | "super" | "crate")
}

fn path(node: Node<'_>, path: &Path, names: &Analysis<'_>, errors: &mut LikelyErrors) {
    let (Some(parent), mut segments) = (node.parent(), path.segments.iter().map(|segment| name(&segment.ident))) else {
        return;
    };
    let Some(first) = segments.next().filter(|_| qself(parent.syntax()).is_none_or(|qself| qself.position > 0)) else {
        return;
    };
    let defines = |name: &str, is_one: fn(Kind) -> bool| names.definitions().define(name, is_one);
    let is_known = match parent.syntax() {
        Syntax::Macro(_) if path.segments.len() == 1 => defines(&first, Kind::is_macro),
        Syntax::Expr(_) if path.segments.len() == 1 => is_value(names, node, &first),
        _ => defines(&first, Kind::begins_paths) || is_parameter(node, &first),
    };
    if !is_known && !is_keyword(&first) && !is_primitive(&first) {
        // The following segments belong to something else.
        return errors.miss(LikelyError::Name, first, place(node));
    }
    for member in segments.filter(|name| !defines(name, |kind| kind.is_member() || kind.begins_paths())) {
        errors.miss(LikelyError::Member, member, "");
    }
}

/// The path of an import, as far as it leads through what the file defines.
fn import(tree: &UseTree, names: &Analysis<'_>, errors: &mut LikelyErrors) {
    let (ident, inner) = match tree {
        UseTree::Path(tree) => (name(&tree.ident), Some(&*tree.tree)),
        UseTree::Name(tree) => (name(&tree.ident), None),
        UseTree::Rename(tree) => (name(&tree.ident), None),
        UseTree::Group(group) => return group.items.iter().for_each(|tree| import(tree, names, errors)),
        UseTree::Glob(_) => return,
    };
    // An import alone makes its name known.
    let is_one = |kind: Kind| kind.begins_paths() || kind.is_macro() || kind.is_member();
    let is_known = names.definitions().define(&ident, is_one);
    if !is_known && !is_keyword(&ident) {
        errors.miss(LikelyError::Name, ident, "use");
    } else if let Some(inner) = inner {
        import(inner, names, errors);
    }
}

fn field(member: &Member, names: &Analysis<'_>, errors: &mut LikelyErrors) {
    if let Member::Named(ident) = member
        && !names.definitions().define(&name(ident), Kind::is_member)
    {
        errors.miss(LikelyError::Field, name(ident), "");
    }
}

/// The variables that format strings in a macro call name.
fn captured(call: Node<'_>, names: &Analysis<'_>, errors: &mut LikelyErrors) {
    for name in names.captured().within(call.range()).filter(|name| !is_value(names, call, name)) {
        errors.miss(LikelyError::Name, name, place(call));
    }
}
