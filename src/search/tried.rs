//! Reductions that were tried one by one and did not help. Where their site looks the same they are not tried again before
//! the proof: of 700 that were, 16 helped.

use std::collections::HashSet;

use mcve_transforms::Reduction;
use xxhash_rust::xxh3::xxh3_128;

/// The reductions that did not help, by hashes of what they change.
#[derive(Clone, Default)]
pub(super) struct Tried {
    hashes: HashSet<u128>,
}

impl Tried {
    /// Whether a reduction of `text` was tried in vain where it looked the same.
    pub(super) fn knows(&self, text: &str, reduction: &Reduction) -> bool {
        self.hashes.contains(&hash(text, reduction))
    }

    /// Remembers that a reduction of `text` did not help.
    pub(super) fn remember(&mut self, text: &str, reduction: &Reduction) {
        self.hashes.insert(hash(text, reduction));
    }
}

fn hash(text: &str, reduction: &Reduction) -> u128 {
    let site = &reduction.site;
    let mut key = text.as_bytes()[site.clone()].to_vec();
    for part in std::iter::once(reduction.transform.name).chain(reduction.edits.iter().map(|edit| &*edit.text)) {
        key.push(0);
        key.extend(part.as_bytes());
    }
    for edit in &reduction.edits {
        let (start, end) = (edit.range.start.wrapping_sub(site.start), edit.range.end.wrapping_sub(site.start));
        key.extend([start.to_le_bytes(), end.to_le_bytes()].as_flattened());
    }
    xxh3_128(&key)
}

#[cfg(test)]
mod tests {
    use mcve_transforms::{Source, Tree, enumerate, named};

    use super::*;

    #[test]
    fn a_reduction_is_known_until_its_site_changes() {
        let items = |text: &str| enumerate(&Tree::new(&Source::parse(text)), named("delete-item")[0]);
        let (before, other) = ("fn f() { g() } fn a() {}", "fn f() { h() } fn a() {}");
        let mut tried = Tried::default();
        assert!(!tried.knows(before, &items(before)[0]));
        tried.remember(before, &items(before)[0]);
        assert!(tried.knows(before, &items(before)[0]));
        assert!(!tried.knows(before, &items(before)[1]));
        assert!(!tried.knows(other, &items(other)[0]));
    }
}
