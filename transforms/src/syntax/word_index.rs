//! Where the words of a text stand, as a table.

use std::collections::HashMap;
use std::ops::Range;

/// Where each identifier and lifetime stands, the inside of macro calls and attributes included.
pub(crate) struct Index {
    pub(super) names: HashMap<String, Vec<WordPlace>>,
}

/// Where a name stands.
pub(super) struct WordPlace {
    pub(super) range: Range<usize>,
    /// The row of its node, where syn parsed it.
    pub(super) row: Option<usize>,
}
