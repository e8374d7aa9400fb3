//! Imports that give way to paths.

use syn::{Item, UseTree, Visibility};

use crate::names::references::is_shorthand;
use crate::names::{Reference, without_leaf};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::token_before;
use crate::syntax::{Node, Occurrence, Syntax, range};
use crate::text::{Edit, outermost};

family! {
    "import-paths", "Puts paths in the place of what is imported.", in Coupled at 22;

    /// Replace an imported name by its path where it is used.
    INLINE_IMPORT = "inline-import", Rule::Node(inline_import),
        "use std::ops::Add;\n\
         fn f<T: Add<u8>>() {}"
        => "fn f<T: std::ops::Add<u8>>() {}";
}

/// A name that an import brings.
struct Leaf<'t> {
    node: Node<'t>,
    name: &'t str,
    path: String,
}

fn inline_import(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Item(Item::Use(item)) = node.syntax() else { return };
    if !matches!(item.vis, Visibility::Inherited) {
        return;
    }
    let is_glob = |node: &Node<'_>| matches!(node.syntax(), Syntax::UseTree(UseTree::Glob(_)));
    let has_glob = node.descendants().any(|inner| is_glob(&inner));
    let leaves: Vec<Leaf<'_>> = node.descendants().filter_map(|inner| leaf(node, inner)).collect();
    let inlined: Vec<Vec<Edit>> = leaves.iter().map(|leaf| inlined(node, leaf)).collect();
    // What is never named is there for its methods.
    if !has_glob && leaves.len() > 1 && inlined.iter().all(|edits| !edits.is_empty()) {
        let mut edits = inlined.concat();
        edits.push(Edit::delete(node.range()));
        out.edit(node.range(), outermost(edits));
    }
    for (leaf, mut edits) in leaves.iter().zip(inlined) {
        if !edits.is_empty() {
            edits.extend(without_leaf(leaf.node));
            out.edit(leaf.node.range(), outermost(edits));
        }
    }
}

fn leaf<'t>(item: Node<'t>, node: Node<'t>) -> Option<Leaf<'t>> {
    let (ident, name) = match node.syntax() {
        Syntax::UseTree(UseTree::Name(tree)) => (&tree.ident, &tree.ident),
        Syntax::UseTree(UseTree::Rename(tree)) => (&tree.ident, &tree.rename),
        _ => return None,
    };
    let above = node.ancestors().take_while(|node| matches!(node.syntax(), Syntax::UseTree(_)));
    let segments = above.filter_map(|node| match node.syntax() {
        Syntax::UseTree(UseTree::Path(tree)) => Some(node.text_at(range(&tree.ident))),
        _ => None,
    });
    let mut segments: Vec<&str> = segments.collect();
    segments.reverse();
    // `a::{self}` is `a`.
    let is_self = ident == "self" && !segments.is_empty();
    let name = if is_self && name == "self" { segments.last().copied()? } else { node.text_at(range(name)) };
    if !is_self {
        segments.push(node.text_at(range(ident)));
    }
    let colons = matches!(item.syntax(), Syntax::Item(Item::Use(item)) if item.leading_colon.is_some());
    let path = format!("{}{}", if colons { "::" } else { "" }, segments.join("::"));
    (name != "_" && path != name).then_some(Leaf { node, name, path })
}

/// The edits that put the path of `leaf` where its name stands.
fn inlined(item: Node<'_>, leaf: &Leaf<'_>) -> Vec<Edit> {
    let is_home = |node: &Node<'_>| matches!(node.syntax(), Syntax::Block(_) | Syntax::Item(Item::Mod(_)));
    let home = item.ancestors().find(is_home).map_or(0..item.source_text().len(), Node::range);
    // Metavariables only have a meaning in their macro.
    let is_macro = |node: &Node<'_>| matches!(node.syntax(), Syntax::Macro(_));
    let filled = leaf.path.contains('$').then(|| item.ancestors().find(is_macro)).flatten();
    let home = filled.map(Node::range).filter(|filled| filled.len() < home.len()).unwrap_or(home);
    let module = item.module().map(Node::range);
    let is_near = |occurrence: &Occurrence<'_>| {
        occurrence.node.is_none_or(|node| node.module().map(Node::range) == module)
            && !item.range().contains(&occurrence.range.start)
    };
    let uses = item.tree().uses(leaf.name, home, 0..0).filter(is_near).filter(|occurrence| is_root(item, occurrence));
    uses.map(|occurrence| Edit::replace(occurrence.range, &*leaf.path)).collect()
}

/// Whether a path begins with this occurrence.
fn is_root(item: Node<'_>, occurrence: &Occurrence<'_>) -> bool {
    match Reference::of(occurrence) {
        None => false,
        Some(Reference::Import(leaf)) => {
            let begins = leaf.parent().is_some_and(|parent| matches!(parent.syntax(), Syntax::Item(_)));
            begins && matches!(leaf.syntax(), Syntax::UseTree(UseTree::Path(_)))
        }
        Some(Reference::Value(node)) if is_shorthand(node) => false,
        Some(_) => !matches!(token_before(item, occurrence.range.start), "::" | "." | "$"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_name_becomes_its_path() {
        check(&INLINE_IMPORT, "use a::B; fn f(x: B<u8>) {}", &["fn f(x: a::B<u8>) {}"]);
        check(&INLINE_IMPORT, "use ::a::B as C; fn f() { C::g() }", &["fn f() { ::a::B::g() }"]);
        check(&INLINE_IMPORT, "use a::{self as b}; fn f() { b!(); }", &["fn f() { a!(); }"]);
        check(&INLINE_IMPORT, "use a::b; use b::c; m!(=> b::d, x.b);", &["use a::b::c; m!(=> a::b::d, x.b);"]);
    }

    #[test]
    fn groups_go_whole_or_in_part() {
        check(
            &INLINE_IMPORT,
            "use a::{b::{self, C}, D}; fn f(x: b::X, y: C) {} impl D for u8 {}",
            &[
                "fn f(x: a::b::X, y: a::b::C) {} impl a::D for u8 {}",
                "use a::{b::{C}, D}; fn f(x: a::b::X, y: C) {} impl D for u8 {}",
            ],
        );
    }

    #[test]
    fn an_import_is_known_in_its_block_or_module() {
        check(
            &INLINE_IMPORT,
            "fn f() { use a::B; B } fn g() { B } mod m { use a::C; mod n { fn f(x: C) {} } fn f(x: C) {} }",
            &[
                "fn f() { a::B } fn g() { B } mod m { use a::C; mod n { fn f(x: C) {} } fn f(x: C) {} }",
                "fn f() { use a::B; B } fn g() { B } mod m { mod n { fn f(x: C) {} } fn f(x: a::C) {} }",
            ],
        );
    }

    #[test]
    fn what_a_macro_fills_in_stays_in_it() {
        check(
            &INLINE_IMPORT,
            "macro_rules! a { () => { use $crate::B; fn f(x: B) {} } } fn g(x: B) {}",
            &["macro_rules! a { () => { fn f(x: $crate::B) {} } } fn g(x: B) {}"],
        );
    }

    #[test]
    fn what_would_grow_stays() {
        check(&INLINE_IMPORT, "use a::B; fn f(x: B, y: B, z: B) -> B {}", &[]);
    }

    #[test]
    fn what_is_not_named_or_public_stays() {
        check(&INLINE_IMPORT, "use a::B; fn f() { x.B; a::B }", &[]);
        check(&INLINE_IMPORT, "use a::b; fn f() { S { b } }", &[]);
        check(&INLINE_IMPORT, "pub use a::B; fn f(x: B) {}", &[]);
        check(&INLINE_IMPORT, "use a::*; use b::C as _; use d; fn f(x: C) { d::g() }", &[]);
    }
}
