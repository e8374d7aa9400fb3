//! Modules of the file that give way to the standard library.

use syn::Item;

use crate::names::analysis::Analysis;
use crate::names::own_names::Class;
use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::generics::inside;
use crate::syntax::tree::{Node, Syntax, range};
use crate::text::edit::{Edit, outermost};

family! {
    "std-modules", "Takes the standard library for modules of the file.", in Coupled;

    /// Replace a module that one glob import names by `std`, and one of its names by one of a module of `std`.
    ///
    /// ```text
    /// mod m { pub struct A; }
    /// use m::*;
    /// fn f(a: A) {}
    /// =>
    /// use std::*;
    /// fn f(a: fmt) {}
    /// ```
    ///
    /// It is for failures of name resolution, for which it does not matter what a name stands for.
    MODULE_TO_STD = "module-to-std", Rule::Tree(module_to_std);
}

/// A name that a glob import of `std` brings in, and no prelude.
const NAME: &str = "fmt";

/// How many names of a module are tried.
const NAMES: usize = 4;

fn module_to_std(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    if analysis.occurrences(NAME).next().is_some() {
        return;
    }
    for node in analysis.nodes() {
        let Syntax::Item(Item::Mod(module)) = node.syntax() else { continue };
        let Some((braces, _)) = &module.content else { continue };
        let mut uses = analysis.uses(&module.ident.to_string(), 0..usize::MAX, range(&module.ident));
        let (Some(only), None) = (uses.next(), uses.next()) else { continue };
        let Some(import) = only.node.and_then(Node::parent).filter(|tree| is_glob(*tree)) else { continue };
        let own = node.range();
        if own.contains(&import.range().start) {
            continue;
        }
        let inside = inside(braces.span);
        let definitions = analysis.own_names().all.iter();
        let names = definitions
            .filter(|definition| inside.contains(&definition.range.start) && definition.class != Class::Lifetime);
        for definition in names.take(NAMES) {
            let renamed = analysis.occurrences(definition.name).map(|other| Edit::replace(other.range, NAME));
            let mut edits: Vec<Edit> = renamed.collect();
            edits.extend([Edit::delete(own.clone()), Edit::replace(import.range(), "std::*")]);
            out.edit(own.clone(), outermost(edits));
        }
    }
}

/// Whether `tree` is the glob import of a name.
fn is_glob(tree: Node<'_>) -> bool {
    matches!(tree.syntax(), Syntax::UseTree(_)) && tree.text().split_whitespace().collect::<String>().ends_with("::*")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn each_name_of_the_module_becomes_one_of_std() {
        check(
            &MODULE_TO_STD,
            "mod m { pub struct A; pub fn b() {} } use m::*; mod n { use super::A; fn f() { b() } }",
            &[
                "use std::*; mod n { use super::fmt; fn f() { b() } }",
                "use std::*; mod n { use super::A; fn f() { fmt() } }",
            ],
        );
    }

    #[test]
    fn modules_that_are_named_otherwise_stay() {
        check(&MODULE_TO_STD, "mod m { pub struct A; } use m::A;", &[]);
        check(&MODULE_TO_STD, "mod m { pub struct A; } use m::*; fn f(a: m::A) {}", &[]);
        check(&MODULE_TO_STD, "mod m { pub struct A; use m::*; } mod n; use n::*;", &[]);
        check(&MODULE_TO_STD, "mod m { pub struct A; } use m::*; use std::fmt;", &[]);
    }

    #[test]
    fn a_lifetime_is_no_name_of_a_module() {
        check(&MODULE_TO_STD, "mod m { type A<'a> = &'a u8; } use m::*;", &["use std::*;"]);
    }
}
