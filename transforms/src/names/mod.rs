//! The meaning of the names of a file.
//! What others import most has a short path here.

pub(crate) mod accesses;
pub(crate) mod analysis;
pub(crate) mod captured;
pub(crate) mod definitions;
pub(crate) mod dependencies;
pub(crate) mod failing;
pub(crate) mod fields;
pub(crate) mod functions;
pub(crate) mod generic_params;
pub(crate) mod imports;
pub(crate) mod items;
pub(crate) mod mending;
pub(crate) mod mentions;
pub(crate) mod modules;
pub(crate) mod own_names;
pub(crate) mod references;
pub(crate) mod related_items;
pub(crate) mod slice;
pub(crate) mod variables;
pub(crate) mod variants;

pub(crate) use analysis::Analysis;
pub(crate) use definitions::Definition;
pub(crate) use functions::{Call, Function, Home};
pub(crate) use imports::without_leaf;
pub(crate) use references::Reference;
pub(crate) use variables::Variable;
