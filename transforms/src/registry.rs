//! All families, category by category: in this order they are listed and explained.

use crate::families::{
    data, expressions, functions, generics, items, macros, names, patterns, program, statements, text, traits, types,
};
use crate::rule::pass::PassName;
use crate::rule::transform::{Category, Family, Transform};

/// Every category. A transform that is not reachable from here does not exist.
pub static CATEGORIES: &[&Category] = &[
    &program::CATEGORY,
    &items::CATEGORY,
    &functions::CATEGORY,
    &traits::CATEGORY,
    &generics::CATEGORY,
    &data::CATEGORY,
    &statements::CATEGORY,
    &expressions::CATEGORY,
    &types::CATEGORY,
    &patterns::CATEGORY,
    &names::CATEGORY,
    &macros::CATEGORY,
    &text::CATEGORY,
];

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
    #[must_use]
    pub fn choose(self, all: impl IntoIterator<Item = &'static Transform>) -> Vec<&'static Transform> {
        let mut tried: Vec<&Transform> = all.into_iter().filter(|transform| transform.passes.contains(&self)).collect();
        tried.sort_by_key(|transform| transform.rank);
        tried
    }

    /// The transforms of the registry that it tries, in this order.
    #[must_use]
    pub fn transforms(self) -> Vec<&'static Transform> {
        self.choose(transforms())
    }

    /// The names of what it tries: families, or transforms of those that it does not try all of.
    #[must_use]
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
