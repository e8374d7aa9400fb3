//! The transforms of mcve: Rust source in, reductions out.
//!
//! A [`Source`] is a text with its syntax tree, a [`Tree`] the table of its nodes. A [`Transform`] looks at the nodes and
//! proposes [`Reduction`]s: sets of [`Edit`]s to the text. [`apply`] makes the new text. Nothing here reads files,
//! runs programs, knows the time or can fail.

mod accesses;
mod definitions;
mod dependencies;
mod divergence;
mod edit;
mod expansion;
mod expectation;
mod extent;
pub mod families;
mod flaws;
mod form;
mod format;
mod fragment;
mod functions;
mod halt;
mod hint;
mod index;
mod instantiation;
mod lex;
mod lifting;
mod list;
mod literal;
mod lockstep;
mod matcher;
mod meanings;
mod measure;
mod mentions;
mod names;
mod nesting;
mod nonterminal;
mod own_values;
mod params;
mod parts;
mod pieces;
mod placement;
mod probes;
mod proposals;
mod protocol;
mod record;
mod recount;
mod recovery;
mod registry;
mod relatives;
mod roles;
mod rules;
mod scopes;
mod shape;
mod source;
mod splice;
mod substitute;
mod surroundings;
#[cfg(test)]
mod testing;
mod transcriber;
mod transform;
mod tree;
mod units;
mod values;
mod variants;
mod zipping;

pub use dependencies::Dependencies;
pub use edit::{Edit, Reduction, apply};
pub use flaws::{Flaw, Flaws};
pub use halt::{Halt, Halted, until};
pub use hint::{Hint, heed, lints};
pub use lex::{Kind, Token, prefix, tokens};
pub use measure::Measure;
pub use nesting::STACK;
pub use probes::{FILE, Probes};
pub use proposals::{Proposals, enumerate, enumerate_told, enumerate_trials};
pub use registry::{FAMILIES, named, transforms};
pub use relatives::relatives;
pub use source::{Source, Understanding};
pub use transform::{Family, Rule, Transform};
pub use tree::{Node, Syntax, Tree, range};
