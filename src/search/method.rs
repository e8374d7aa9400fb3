//! What `--strategy` names: how lists of reductions are shrunk, and whether syntax trees are reduced before.

use std::fmt;
use std::str::FromStr;

use crate::dd::algorithm::Algorithm;

/// How a search looks for what can go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Lists of reductions are shrunk by an algorithm.
    Lists(Algorithm),
    /// The same by ddmin, level by level of the syntax in all passes: hierarchical delta debugging.
    Levels,
    /// The first pass reduces the syntax tree, knowing nothing of Rust but the kinds of nodes.
    Trees(TreeAlgorithm),
}

/// An algorithm that reduces trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeAlgorithm {
    /// [`tree_reduction`](crate::dd::tree_reduction::tree_reduction)
    Generalised,
    /// [`GrammarReducer`](crate::dd::grammar_reducer::GrammarReducer), depth by depth.
    Grammar,
}

/// The methods that are no algorithms on lists.
const OTHERS: [(Method, &str); 3] = [
    (Method::Levels, "hdd"),
    (Method::Trees(TreeAlgorithm::Generalised), "gtr"),
    (Method::Trees(TreeAlgorithm::Grammar), "grammar"),
];

impl Method {
    /// All of them, with their names.
    pub fn all() -> impl Iterator<Item = (Self, &'static str)> {
        Algorithm::ALL.into_iter().map(|(algorithm, name)| (Self::Lists(algorithm), name)).chain(OTHERS)
    }

    /// The algorithm that shrinks lists.
    #[must_use]
    pub fn of_lists(self) -> Algorithm {
        match self {
            Self::Lists(algorithm) => algorithm,
            Self::Levels | Self::Trees(_) => Algorithm::default(),
        }
    }
}

impl Default for Method {
    fn default() -> Self {
        Self::Lists(Algorithm::default())
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Self::all().find(|(method, _)| method == self);
        f.write_str(named.expect("all of them have a name").1)
    }
}

/// There is no method of that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown;

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one of ")?;
        f.write_str(&Method::all().map(|(_, name)| name).collect::<Vec<_>>().join(", "))
    }
}

impl std::error::Error for Unknown {}

impl FromStr for Method {
    type Err = Unknown;

    fn from_str(name: &str) -> Result<Self, Unknown> {
        Self::all().find(|(_, other)| *other == name).map(|(method, _)| method).ok_or(Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_one_is_told_by_its_name() {
        for (method, name) in Method::all() {
            assert_eq!((method.to_string().as_str(), name.parse()), (name, Ok(method)));
        }
        assert_eq!("hope".parse::<Method>(), Err(Unknown));
        assert_eq!(Method::default().to_string(), "ddmin");
    }
}
