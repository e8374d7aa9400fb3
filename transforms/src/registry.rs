//! The one table of all families, in the order in which they are listed and explained.

use crate::families;
use crate::transform::{Family, Transform};

/// Every family there is. A transform that is not reachable from here does not exist.
pub static FAMILIES: &[&Family] = &[
    &families::items::FAMILY,
    &families::closures::FAMILY,
    &families::dependent_impls::FAMILY,
    &families::parameters::FAMILY,
    &families::told_parameters::FAMILY,
    &families::methods::FAMILY,
    &families::single_impls::FAMILY,
    &families::inlining::FAMILY,
    &families::retyping::FAMILY,
    &families::instantiations::FAMILY,
    &families::trait_functions::FAMILY,
    &families::modules::FAMILY,
    &families::substitutions::FAMILY,
    &families::std_traits::FAMILY,
    &families::unifications::FAMILY,
    &families::supertraits::FAMILY,
    &families::conditions::FAMILY,
    &families::import_paths::FAMILY,
    &families::aliases::FAMILY,
    &families::associated_types::FAMILY,
    &families::associated_constants::FAMILY,
    &families::fields::FAMILY,
    &families::slots::FAMILY,
    &families::tuples::FAMILY,
    &families::variants::FAMILY,
    &families::asyncs::FAMILY,
    &families::returns::FAMILY,
    &families::trait_objects::FAMILY,
    &families::merges::FAMILY,
    &families::nested_items::FAMILY,
    &families::call_values::FAMILY,
    &families::let_parameters::FAMILY,
    &families::mains::FAMILY,
    &families::newtypes::FAMILY,
    &families::bindings::FAMILY,
    &families::bodies::FAMILY,
    &families::stmts::FAMILY,
    &families::blocks::FAMILY,
    &families::control::FAMILY,
    &families::loops::FAMILY,
    &families::boolean::FAMILY,
    &families::lists::FAMILY,
    &families::pattern_lists::FAMILY,
    &families::type_lists::FAMILY,
    &families::declaration_lists::FAMILY,
    &families::generic_lists::FAMILY,
    &families::uses::FAMILY,
    &families::optional::FAMILY,
    &families::optional_declarations::FAMILY,
    &families::optional_generics::FAMILY,
    &families::optional_types::FAMILY,
    &families::separators::FAMILY,
    &families::qualifiers::FAMILY,
    &families::modifiers::FAMILY,
    &families::function_modifiers::FAMILY,
    &families::labels::FAMILY,
    &families::generics::FAMILY,
    &families::hoist::FAMILY,
    &families::calls::FAMILY,
    &families::types::FAMILY,
    &families::types_everywhere::FAMILY,
    &families::patterns::FAMILY,
    &families::alternates::FAMILY,
    &families::item_forms::FAMILY,
    &families::values::FAMILY,
    &families::attrs::FAMILY,
    &families::expansions::FAMILY,
    &families::derives::FAMILY,
    &families::macro_rules::FAMILY,
    &families::macros::FAMILY,
    &families::token_trees::FAMILY,
    &families::token_windows::FAMILY,
    &families::comments::FAMILY,
    &families::lines::FAMILY,
    &families::tokens::FAMILY,
    &families::characters::FAMILY,
    &families::literals::FAMILY,
    &families::names::FAMILY,
    &families::attr_lists::FAMILY,
    &families::bounds::FAMILY,
    &families::predicates::FAMILY,
    &families::impl_generics::FAMILY,
    &families::lifetimes::FAMILY,
    &families::macro_items::FAMILY,
    &families::macro_lists::FAMILY,
    &families::macro_protocols::FAMILY,
    &families::macro_repetitions::FAMILY,
    &families::pattern_rests::FAMILY,
    &families::suggestions::FAMILY,
    &families::transplants::FAMILY,
    &families::statement_windows::FAMILY,
    &families::unrolling::FAMILY,
];

/// Every transform, family by family.
pub fn transforms() -> impl Iterator<Item = &'static Transform> {
    FAMILIES.iter().flat_map(|family| family.transforms.iter().copied())
}

/// The transforms that `name` stands for: one by its own name, or all of a family.
pub fn named(name: &str) -> Vec<&'static Transform> {
    FAMILIES
        .iter()
        .flat_map(|family| family.transforms.iter().map(move |transform| (family, *transform)))
        .filter(|(family, transform)| family.name == name || transform.name == name)
        .map(|(_, transform)| transform)
        .collect()
}
