//! Imports: `use` trees and `extern crate`.

use syn::{Item, UseTree};

use crate::rule::{Proposals, Rule, family};
use crate::syntax::{List, Node, Syntax, range};
use crate::text::Edit;

family! {
    "uses", "Deletes and shortens imports.", in Imports;

    /// Delete an element of a group of imports.
    DELETE_USE_LEAF = "delete-use-leaf", Rule::Node(delete_use_leaf), in Focus, Slices, Items, Imports,
        "use a::{b, c::{d, e}};" => "use a::{b};";

    /// Replace a group of imports by a glob.
    GLOB_USE = "glob-use", Rule::Node(glob_use), "use a::{b, c};" => "use a::*;";

    /// Replace a group of one import by the import.
    UNWRAP_USE_GROUP = "unwrap-use-group", Rule::Node(unwrap_use_group), "use a::{b};" => "use a::b;";

    /// Delete the first or last segment of an imported path.
    SHORTEN_USE_PATH = "shorten-use-path", Rule::Node(shorten_use_path), "use a::b::c;" => "use b::c;";

    /// Replace `extern crate` by `use`.
    USE_EXTERN_CRATE = "use-extern-crate", Rule::Node(use_extern_crate), "extern crate core;" => "use core;";
}

fn delete_use_leaf(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::UseTree(UseTree::Group(group)) = node.syntax() else { return };
    let list = List::delimited(node, &group.items, group.brace_token.span);
    if list.len() > 1 {
        list.delete_each(out);
    }
    list.trailing().into_iter().for_each(|separator| out.delete(separator));
}

fn glob_use(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::UseTree(UseTree::Group(group)) = node.syntax()
        && group.items.iter().any(|item| !matches!(item, UseTree::Glob(_)))
        && matches!(node.parent().map(Node::syntax), Some(Syntax::UseTree(UseTree::Path(_))))
    {
        out.replace(node.range(), "*");
    }
}

fn unwrap_use_group(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::UseTree(UseTree::Group(group)) = node.syntax() else { return };
    let (Some(item), 1) = (group.items.first(), group.items.len()) else { return };
    let of_self = match item {
        UseTree::Name(item) => item.ident == "self",
        UseTree::Rename(item) => item.ident == "self",
        _ => false,
    };
    if !of_self {
        out.keep(node.range(), range(item));
    } else if let Some(parent) = node.parent()
        && let Syntax::UseTree(UseTree::Path(path)) = parent.syntax()
    {
        // `a::{self as b}` is `a as b`.
        let end = match item {
            UseTree::Rename(item) => range(&item.ident).end,
            item => range(item).end,
        };
        let edits =
            vec![Edit::delete(range(&path.colon2_token).start..end), Edit::delete(range(item).end..node.range().end)];
        out.edit(node.range(), edits);
    }
}

fn shorten_use_path(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::UseTree(UseTree::Path(path)) = node.syntax() else { return };
    let colons = range(&path.colon2_token);
    let first = node.range().start..colons.end;
    // A glob of everything there is does not exist, and what is in `std` is nowhere else.
    let inside = node.parent().is_some_and(|parent| matches!(parent.syntax(), Syntax::UseTree(_)));
    let of_library = !inside && ["alloc", "core", "std"].iter().any(|name| path.ident == name);
    if !of_library && (inside || !matches!(*path.tree, UseTree::Glob(_))) {
        out.delete_in(node.range(), first);
    }
    let end = match &*path.tree {
        UseTree::Rename(tree) => range(&tree.ident).end,
        UseTree::Name(_) | UseTree::Glob(_) | UseTree::Group(_) => node.range().end,
        UseTree::Path(_) => return,
    };
    out.delete_in(node.range(), colons.start..end);
}

fn use_extern_crate(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Item(Item::ExternCrate(item)) = node.syntax()
        && item.ident != "self"
    {
        let words = range(&item.extern_token).start..range(&item.crate_token).end;
        out.edit(node.range(), vec![Edit::replace(words, "use")]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn leaves_take_their_comma_along() {
        check(
            &DELETE_USE_LEAF,
            "use a::{b, c as d, *};",
            &["use a::{c as d, *};", "use a::{b, *};", "use a::{b, c as d};"],
        );
        check(
            &DELETE_USE_LEAF,
            "use {a, b::{c, d},};",
            &["use {b::{c, d},};", "use {a,};", "use {a, b::{c, d}};", "use {a, b::{d},};", "use {a, b::{c},};"],
        );
    }

    #[test]
    fn the_only_leaf_stays() {
        check(&DELETE_USE_LEAF, "use a::{b}; use c::d; use {};", &[]);
        check(&DELETE_USE_LEAF, "use a::{b,};", &["use a::{b};"]);
    }

    #[test]
    fn groups_become_globs() {
        check(&GLOB_USE, "use a::{b, c::{d, e}};", &["use a::*;", "use a::{b, c::*};"]);
        check(&GLOB_USE, "use a::{b};", &["use a::*;"]);
    }

    #[test]
    fn what_has_no_path_becomes_no_glob() {
        check(&GLOB_USE, "use {a, b}; use c::d; use e::{*}; use f::{};", &[]);
    }

    #[test]
    fn a_group_of_one_is_unwrapped() {
        check(&UNWRAP_USE_GROUP, "use a::{b::{c,}};", &["use a::b::{c,};", "use a::{b::c};"]);
        check(&UNWRAP_USE_GROUP, "use {a}; use b::{*};", &["use a; use b::{*};", "use {a}; use b::*;"]);
    }

    #[test]
    fn a_group_of_self_is_the_path_before_it() {
        check(&UNWRAP_USE_GROUP, "use a::b::{self};", &["use a::b;"]);
        check(&UNWRAP_USE_GROUP, "use a::{self as b,};", &["use a as b;"]);
    }

    #[test]
    fn larger_groups_are_not_unwrapped() {
        check(&UNWRAP_USE_GROUP, "use a::{b, c}; use {}; use d::e; use {self};", &[]);
    }

    #[test]
    fn paths_lose_a_segment_at_either_end() {
        check(&SHORTEN_USE_PATH, "use a::b::c;", &["use b::c;", "use a::c;", "use a::b;"]);
        check(&SHORTEN_USE_PATH, "use a::b as c;", &["use b as c;", "use a as c;"]);
        check(
            &SHORTEN_USE_PATH,
            "use a::{b, c::*};",
            &["use {b, c::*};", "use a;", "use a::{b, *};", "use a::{b, c};"],
        );
        check(&SHORTEN_USE_PATH, "use a::*;", &["use a;"]);
    }

    #[test]
    fn paths_into_the_standard_library_keep_their_root() {
        check(&SHORTEN_USE_PATH, "use std::a::b;", &["use std::b;", "use std::a;"]);
    }

    #[test]
    fn a_name_is_no_path() {
        check(&SHORTEN_USE_PATH, "use a; use {b, c as d}; fn f() { a::b() }", &[]);
    }

    #[test]
    fn an_external_crate_is_used() {
        check(&USE_EXTERN_CRATE, "#[a] pub extern crate b as c;", &["#[a] pub use b as c;"]);
        check(&USE_EXTERN_CRATE, "extern crate self as a; use b;", &[]);
    }
}
