//! What a search knows of the changes that it has reported.

use std::collections::{HashMap, HashSet};

use super::filters::Filter;
use crate::event::Rejection;
use crate::program::ContentHash;

/// What was reported. Empty where nobody wants to know.
#[derive(Default)]
pub(super) struct Reported {
    /// The number of the check of each candidate that was rejected.
    pub(super) checks: HashMap<ContentHash, usize>,
    /// The looks of the reductions that were refused.
    pub(super) looks: HashSet<u128>,
}

impl Rejection {
    pub(super) fn of_filter(filter: &dyn Filter) -> Self {
        Self { by: filter.name(), reason: filter.reason().into(), check: None, together: 1 }
    }
}
