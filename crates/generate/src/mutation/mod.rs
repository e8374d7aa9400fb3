//! Programs out of other programs, for fuzzing a compiler: the transforms of a reduction, read backwards.
//!
//! A reduction deletes elements of lists, replaces a node by one of its own kind inside of it, and replaces nodes by simpler ones.
//! A mutation inserts an element that another program has, puts a node into a node of its kind, and replaces nodes by any of their
//! kind. Others exchange two nodes, delete one, make a type a parameter, and change tokens where syntax does not matter.
//!
//! Sources: Holler, Herzig and Zeller, *Fuzzing with Code Fragments* (2012), for the exchange of nodes of one kind; Zeller et al.,
//! *The Fuzzing Book*, chapter "Greybox Fuzzing", for a population that grows by what shows something new.

mod generalize;
mod names;
mod parts;
mod population;
mod splice;
mod tokens;

pub use population::{Parse, Population};
