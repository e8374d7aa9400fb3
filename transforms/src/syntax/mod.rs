//! One source with its syntax tree: parsing, the places of nodes, and the syntax that is allowed there.
//! What others import most has a short path here.

pub(crate) mod attributes;
pub(crate) mod borrows;
pub(crate) mod chains;
pub(crate) mod construct;
pub(crate) mod extent;
pub(crate) mod fragment;
pub(crate) mod generics;
pub(crate) mod inventory;
pub(crate) mod kind;
pub(crate) mod list;
pub(crate) mod nesting;
pub(crate) mod node_lists;
pub(crate) mod occurrences;
pub(crate) mod placement;
pub(crate) mod precedence;
pub(crate) mod recovery;
pub(crate) mod regions;
pub(crate) mod source;
pub(crate) mod surroundings;
pub(crate) mod table;
pub(crate) mod token_groups;
pub(crate) mod tree;
pub(crate) mod types;
pub(crate) mod versions;

pub(crate) use list::List;
pub(crate) use occurrences::Occurrence;
pub(crate) use placement::{Filler, FillerPart, Place};
pub(crate) use precedence::Precedence;
pub(crate) use regions::Regions;
pub(crate) use source::{Source, Understanding};
pub(crate) use surroundings::child;
pub(crate) use tree::{Node, Syntax, Tree, range};
