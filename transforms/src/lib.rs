//! The transforms of mcve: Rust source in, reductions out.
//!
//! A [`Source`] is a text with its syntax tree, a [`Tree`] the table of its nodes, an [`Analysis`] the meaning of its
//! names. A [`Transform`] looks at these and proposes [`Reduction`]s: sets of [`Edit`]s to the text. [`apply`] makes the
//! new text. Nothing here reads files, runs programs, knows the time or can fail.

mod advice;
mod document;
pub mod families;
mod halt;
mod likely_errors;
mod macros;
mod names;
mod placeholders;
mod registry;
mod rule;
mod syntax;
#[cfg(test)]
mod testing;
mod text;

pub use advice::batch::{Batch, CHOICE};
pub use advice::canonical;
pub use advice::carved::{WrongCall, wrong_calls};
pub use advice::carving::Carving;
pub use advice::coverage::{Coverage, Covered, Reached};
pub use advice::decisions::Decisions;
pub use advice::ended::Ended;
pub use advice::general::{Choice as PartChoice, Part, parts};
pub use advice::mutants::schema::Schema;
pub use advice::mutants::{MUTANT, MUTATION, Mutable, Mutants, active_mutants, function};
pub use advice::naming::{Naming, renames};
pub use advice::observed::{FILE, Probes};
pub use advice::remnants::{Remnant, remnants};
pub use advice::seen::{Name, Seen, byte_of};
pub use advice::unused::{follow_hints, lints};
pub use document::{Document, List, ListKind, ModulePlace, Piece, RustFile};
pub use halt::{Halt, Halted, until};
pub use likely_errors::found::{LikelyError, LikelyErrors};
pub use names::analysis::Analysis;
pub use names::definitions::item_name;
pub use names::dependencies::Dependencies;
pub use names::failing::FailingSite;
pub use names::mending::{Complaint, Mending};
pub use names::related_items::related_items;
pub use placeholders::divergence::Divergence;
pub use registry::{CATEGORIES, families, named, transforms};
pub use rule::enumerate::{enumerate, enumerate_hinted, enumerate_trials};
pub use rule::pass::PassName;
pub use rule::proposals::Proposals;
pub use rule::reduction::{Reduction, apply, apply_traced, at_level, blanked};
pub use rule::transform::{Category, Family, Hint, Rule, Transform};
pub use syntax::attributes::{is_entry, marks_test};
pub use syntax::construct::Construct;
pub use syntax::inventory::Inventory;
pub use syntax::nesting::STACK;
pub use syntax::regions::Regions;
pub use syntax::source::{Source, Understanding};
pub use syntax::tree::{Node, Syntax, Tree, range};
pub use syntax::versions::merged;
pub use text::edit::{Edit, covers};
pub use text::lex::{Kind, Measure, Token, prefix, tokens};
pub use text::pieces;
pub use text::splice::{Segment, edited};
