//! A table of the places of the words of a text.

use std::collections::HashMap;
use std::ops::Range;

/// The places of each identifier and lifetime, also inside macro calls and attributes.
pub(crate) struct Index {
    pub(super) names: HashMap<String, Vec<WordPlace>>,
}

/// The place of a name.
pub(super) struct WordPlace {
    pub(super) range: Range<usize>,
    /// The row of its node, where syn parsed it.
    pub(super) row: Option<usize>,
}
