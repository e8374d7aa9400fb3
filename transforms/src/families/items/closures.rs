//! Definitions together with everything that refers to them, so that no candidate is spent on a dangling name.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use syn::UseTree;

use crate::names::definitions::is_of_trait;
use crate::names::items::{Item, Open};
use crate::names::{Analysis, without_leaf};
use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Syntax, Tree, tree};
use crate::text::{Edit, outermost};

family! {
    "closures", "Deletes definitions with everything that refers to them.", in Closures;

    /// Delete an item with everything that refers to it.
    ///
    /// What refers to it is told by name, so it may be more than what really does. The union of such sets is such a set
    /// again, which makes them good elements for delta debugging: Kalhauge and Palsberg, *Binary Reduction of
    /// Dependency Graphs* (2019).
    DELETE_CLOSURE = "delete-closure", Rule::Tree(delete_closure),
        "struct S;\n\
         impl S { fn f() {} }\n\
         fn g(s: S) {}\n\
         fn main() {}"
        => "fn main() {}";
}

/// The largest closure that is proposed: what nearly everything refers to is hardly ever free to go.
const LARGEST: usize = 400;

/// An item, or a leaf of an import, as one of the closures' elements.
struct Unit<'t> {
    range: Range<usize>,
    edits: Vec<Edit>,
    /// The unit around it.
    parent: Option<usize>,
    /// The names that are gone with it.
    names: BTreeSet<&'t str>,
    /// Where a mention of its names is one of it: in its module for an import, else anywhere.
    scope: Range<usize>,
    /// Whether it is an item of a trait or of a trait's impl: these go together.
    of_trait: bool,
}

fn delete_closure(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let units = Units::of(analysis);
    let referring: Vec<BTreeSet<usize>> = (0..units.units.len()).map(|unit| units.referring(unit)).collect();
    let mut known: Vec<Option<Closure>> = vec![None; units.units.len()];
    for (index, unit) in units.units.iter().enumerate() {
        let found = closure(index, &referring, &known);
        let Some(closure) = known[index].insert(found) else { continue };
        // Alone it is what `delete-item` and its kin propose.
        if closure.len() > 1 {
            let edits = closure.iter().flat_map(|&index| units.units[index].edits.iter().cloned());
            out.edit(unit.range.clone(), outermost(edits.collect()));
        }
    }
}

/// All items, associated items and leaves of imports, in source order; what holds others comes before them.
struct Units<'t> {
    units: Vec<Unit<'t>>,
    tree: &'t Tree<'t>,
    /// The identifiers that are the names of units.
    definitions: HashMap<usize, usize>,
}

impl<'t> Units<'t> {
    fn of(names: &Analysis<'t>) -> Self {
        let items: Vec<&Item<'t>> = names.items().all.iter().filter(|item| is_unit(item)).collect();
        let ranges: Vec<Range<usize>> = items.iter().map(|item| item.node.range()).collect();
        let mut units: Vec<Unit<'t>> = Vec::with_capacity(items.len());
        let (mut definitions, mut open) = (HashMap::new(), Open::default());
        for (index, Item { node, idents, scope }) in items.into_iter().enumerate() {
            let own = || idents.iter().map(|ident| node.text_at(tree::range(*ident)));
            definitions.extend(idents.iter().map(|ident| (tree::range(*ident).start, index)));
            let parent = open.around(&ranges, ranges[index].start);
            for &outer in &open.0 {
                // A module does not show what it imports for itself.
                if scope.as_ref().is_none_or(|module| module.start < ranges[outer].start) {
                    units[outer].names.extend(own());
                }
            }
            open.0.push(index);
            let edits = match node.syntax() {
                Syntax::UseTree(_) => without_leaf(*node),
                _ => vec![Edit::delete(node.range())],
            };
            let scope = scope.clone().unwrap_or(0..usize::MAX);
            let of_trait = is_of_trait(*node);
            units.push(Unit { range: node.range(), edits, parent, names: own().collect(), scope, of_trait });
        }
        Self { units, tree: names.tree(), definitions }
    }

    /// The innermost unit at `byte`.
    fn at(&self, byte: usize) -> Option<usize> {
        let before = self.units.partition_point(|unit| unit.range.start <= byte).checked_sub(1);
        std::iter::successors(before, |&unit| self.units[unit].parent)
            .find(|&unit| self.units[unit].range.contains(&byte))
    }

    /// The units that mention a name of `unit` outside of it.
    fn referring(&self, unit: usize) -> BTreeSet<usize> {
        let unit = &self.units[unit];
        let mentions =
            unit.names.iter().flat_map(|name| self.tree.occurrences(name)).map(|mention| mention.range.start);
        let outside = mentions.filter(|byte| unit.scope.contains(byte) && !unit.range.contains(byte));
        // Another definition of the same name is a mention only where both belong to a trait.
        let means =
            |byte: &usize| self.definitions.get(byte).is_none_or(|&other| unit.of_trait && self.units[other].of_trait);
        let mut found = BTreeSet::new();
        for unit in outside.filter(means).filter_map(|byte| self.at(byte)) {
            found.insert(unit);
            // More of them are too many, however many there are.
            if found.len() > LARGEST {
                break;
            }
        }
        found
    }
}

/// Whether an item can go with others: an import only by its leaves, what is in another item only by a name.
fn is_unit(item: &Item<'_>) -> bool {
    match item.node.syntax() {
        Syntax::UseTree(tree) => matches!(tree, UseTree::Name(_) | UseTree::Rename(_)),
        Syntax::Item(_) => true,
        _ => !item.idents.is_empty(),
    }
}

/// The units that go with a unit, in order; `None` if they are too many.
type Closure = Option<Vec<usize>>;

/// All that is gone with a unit, where `known` are the closures of others: what refers to each other has one closure, and
/// to follow every reference again for each of its units would take a time that is cubic in their number.
fn closure(unit: usize, referring: &[BTreeSet<usize>], known: &[Option<Closure>]) -> Closure {
    let mut closure = BTreeSet::from([unit]);
    let mut followed: HashSet<usize> = HashSet::new();
    let mut work = vec![unit];
    while let Some(unit) = work.pop() {
        if !followed.insert(unit) {
            continue;
        }
        if let Some(all) = &known[unit] {
            let all = all.as_ref()?;
            closure.extend(all);
            followed.extend(all);
        } else if referring[unit].len() <= LARGEST {
            work.extend(referring[unit].iter().filter(|&&other| closure.insert(other)));
        } else {
            return None;
        }
        if closure.len() > LARGEST {
            return None;
        }
    }
    Some(closure.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn what_refers_to_a_type_goes_with_it() {
        check(&DELETE_CLOSURE, "struct S; impl S { fn f() {} } fn g(s: S) {} fn main() {}", &["fn main() {}"]);
    }

    #[test]
    fn what_refers_to_that_goes_as_well() {
        check(
            &DELETE_CLOSURE,
            "struct A; struct B(A); fn f(b: B) {} fn main() {}",
            &["fn main() {}", "struct A; fn main() {}"],
        );
    }

    #[test]
    fn an_import_goes_with_its_uses_in_its_module_only() {
        check(
            &DELETE_CLOSURE,
            "mod m { use a::{X, Y}; fn f(x: X) {} } fn g(x: X) {}",
            &["mod m { } fn g(x: X) {}", "mod m { use a::{Y}; } fn g(x: X) {}"],
        );
    }

    #[test]
    fn a_module_goes_with_the_uses_of_what_it_holds() {
        check(
            &DELETE_CLOSURE,
            "mod m { pub struct S; } fn f(s: m::S) {} struct T;",
            &["struct T;", "mod m { } struct T;"],
        );
    }

    #[test]
    fn items_of_a_trait_go_with_those_of_its_impls() {
        check(
            &DELETE_CLOSURE,
            "trait T { fn f(); fn g(); } impl T for u8 { fn f() {} fn g() {} } impl S { fn f() {} }",
            &[
                "impl S { fn f() {} }",
                "trait T { fn g(); } impl T for u8 { fn g() {} } impl S { fn f() {} }",
                "trait T { fn f(); } impl T for u8 { fn f() {} } impl S { fn f() {} }",
                "trait T { fn g(); } impl T for u8 { fn g() {} } impl S { fn f() {} }",
                "trait T { fn f(); } impl T for u8 { fn f() {} } impl S { fn f() {} }",
            ],
        );
    }

    #[test]
    fn what_nothing_refers_to_is_no_closure() {
        check(&DELETE_CLOSURE, "fn f() {} struct S; mod m { fn g() {} }", &[]);
        check(&DELETE_CLOSURE, "impl A { fn new() {} } impl B { fn new() {} }", &[]);
        check(&DELETE_CLOSURE, "fn f() { f() }", &[]);
        check(&DELETE_CLOSURE, "", &[]);
    }
}
