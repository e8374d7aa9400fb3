//! What became of a change that was proposed.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A change that was proposed, and what became of it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Attempt {
    /// Its place as `file:line:column`.
    pub place: String,
    /// The transform, or the pass if it has none.
    pub transform: String,
    /// What goes.
    pub before: String,
    /// What comes in its place.
    pub after: String,
    /// All bytes that go.
    #[serde(skip)]
    pub bytes: Vec<Range<usize>>,
    /// Why it was not taken; none if it was.
    pub rejection: Option<Rejection>,
}

/// Who refused a change, and why.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Rejection {
    /// `oracle`, `cache` (the oracle, before), `journal`, `screening`, `trial`, `switches`, `meaning`, or the name of a filter.
    pub by: String,
    /// The reason in words; empty where there is always the same.
    pub reason: String,
    /// The number of the check that decided, if one did.
    pub check: Option<usize>,
    /// How many other changes were refused with it: of all such sets the smallest one counts.
    pub others: usize,
}
