//! The families of transforms: a file each, listed in the registry.

pub mod declaration_lists;
pub mod function_modifiers;
pub mod generic_lists;
pub mod items;
pub mod labels;
pub mod lists;
pub mod modifiers;
pub mod optional;
pub mod optional_declarations;
pub mod optional_generics;
pub mod optional_types;
pub mod pattern_lists;
pub mod qualifiers;
pub mod separators;
pub mod type_lists;
