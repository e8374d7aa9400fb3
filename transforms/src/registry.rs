//! All families, category by category: in this order they are listed and explained.

use crate::families::{
    data, expressions, functions, generics, items, macros, names, patterns, program, statements, text, traits, types,
};
use crate::rule::Transform;
use crate::rule::pass::PassName;
use crate::rule::transform::{Category, Family};

/// The categories of the table: of each its folder, the syntax that its transforms change, and its families.
macro_rules! categories {
    ($($folder:ident, $about:literal: $($family:ident),+;)*) => {
        &[$(&Category { name: stringify!($folder), about: $about, families: &[$(&$folder::$family::FAMILY),+] }),*]
    };
}

/// Every category. A transform that is not reachable from here does not exist.
pub static CATEGORIES: &[&Category] = categories! {
    program, "Files, data and arguments, and levels of nested syntax":
        files, crates, arguments, nesting;

    items, "Items, modules, imports and attributes":
        whole_items, modules, uses, import_paths, nested_items, merges, modifiers, attrs, versions, item_forms;

    functions, "Functions: their parameters, bodies, calls and results":
        parameters, methods, inlining, call_values, returns, bodies, function_forms;

    traits, "Traits and their impls":
        single_impls, trait_functions, std_traits, supertraits, associated_types, trait_homes;

    generics, "Generics: parameters, bounds, lifetimes":
        instantiations, bounds, short_forms, lifetimes, generic_lists;

    data, "Structs, enums, tuples and what declarations list":
        declaration_lists, fields, slots, tuples, variants, newtypes;

    statements, "Statements, blocks and control flow":
        stmts, control, labels;

    expressions, "Expressions":
        boolean, lists, optional, separators, calls, hoist, values, alternates, literals;

    types, "Types":
        type_parts, typed_values, types_everywhere, type_lists, optional_types, references;

    patterns, "Patterns":
        pattern_parts;

    names, "Names and what stands in their place":
        shortening, aliases, sinking, pointees, bindings, qualifiers, substitutions;

    macros, "Macro calls and the rules of macros":
        call_arguments, macro_rules, macro_protocols, macro_items, expansions, derives;

    text, "Tokens, comments and text that does not parse, and edits that are told":
        lines, tokens, characters, comments, token_trees, token_windows, suggestions, observations, coverage;
};

/// Every family.
pub fn families() -> impl Iterator<Item = &'static Family> {
    CATEGORIES.iter().flat_map(|category| category.families.iter().copied())
}

/// Every transform, family by family.
pub fn transforms() -> impl Iterator<Item = &'static Transform> {
    families().flat_map(|family| family.transforms.iter().copied())
}

/// The transforms that `name` stands for: one by its own name, or all of a family.
pub fn named(name: &str) -> Vec<&'static Transform> {
    families()
        .flat_map(|family| family.transforms.iter().map(move |transform| (family, *transform)))
        .filter(|(family, transform)| family.name == name || transform.name == name)
        .map(|(_, transform)| transform)
        .collect()
}

impl PassName {
    /// Those of `all` that it tries, in this order.
    pub fn choose(self, all: impl IntoIterator<Item = &'static Transform>) -> Vec<&'static Transform> {
        let mut tried: Vec<&Transform> = all.into_iter().filter(|transform| transform.passes.contains(&self)).collect();
        tried.sort_by_key(|transform| transform.rank);
        tried
    }

    /// The transforms of the registry that it tries, in this order.
    pub fn transforms(self) -> Vec<&'static Transform> {
        self.choose(transforms())
    }

    /// The names of what it tries: families, or transforms of those that it does not try all of.
    pub fn tries(self) -> Vec<&'static str> {
        let tried = self.transforms();
        let mut names: Vec<&str> = Vec::new();
        for transform in &tried {
            let whole = families().find(|family| {
                family.transforms.contains(transform) && family.transforms.iter().all(|other| tried.contains(other))
            });
            let name = whole.map_or(transform.name, |family| family.name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}
