//! A small cache: the replica recomputes what the search will need, and the search what the replica had.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use crate::locked::lock;

/// The latest values by their keys. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Recent<K, V> {
    entries: Arc<Mutex<VecDeque<(K, V)>>>,
    /// The largest weight of all values together.
    most: usize,
    weight: fn(&V) -> usize,
}

impl<K: Eq, V: Clone> Recent<K, V> {
    /// An empty cache for values whose weights add up to at most `most`.
    pub(super) fn new(most: usize, weight: fn(&V) -> usize) -> Self {
        Self { entries: Arc::default(), most, weight }
    }

    /// The value of `key`, from `compute` unless it is known.
    pub(super) fn get_or(&self, key: K, compute: impl FnOnce() -> V) -> V {
        let Ok(value) = self.try_get_or::<Infallible>(key, || Ok(compute()));
        value
    }

    /// The value of `key`, from `compute` unless it is known. A failure is not kept.
    pub(super) fn try_get_or<E>(&self, key: K, compute: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        if let Some((_, value)) = lock(&self.entries).iter().find(|(of, _)| *of == key) {
            return Ok(value.clone());
        }
        // Meanwhile others may use it, and compute the same.
        let value = compute()?;
        let mut entries = lock(&self.entries);
        entries.push_front((key, value.clone()));
        let mut weight = 0;
        let kept = entries.iter().take_while(|(_, value)| {
            weight += (self.weight)(value);
            weight <= self.most
        });
        let kept = kept.count();
        entries.truncate(kept);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of `keys` whose values had to be computed.
    fn computed(recent: &Recent<usize, String>, keys: &[usize]) -> Vec<usize> {
        let mut computed = Vec::new();
        for &key in keys {
            let value = recent.get_or(key, || {
                computed.push(key);
                "x".repeat(key)
            });
            assert_eq!(value.len(), key);
        }
        computed
    }

    #[test]
    fn what_was_computed_of_late_is_not_computed_again() {
        let recent = Recent::new(10, String::len);
        assert_eq!(computed(&recent, &[1, 2, 1, 3, 2, 1]), [1, 2, 3]);
        assert_eq!(computed(&recent.clone(), &[1, 2, 3]), [0; 0]);
    }

    #[test]
    fn no_more_is_kept_than_may_be_and_the_oldest_goes_first() {
        let recent = Recent::new(10, String::len);
        assert_eq!(computed(&recent, &[4, 5, 6, 5]), [4, 5, 6, 5]);
        assert_eq!(
            computed(&recent, &[11, 11, 0]),
            [11, 11, 0],
            "what is too large alone is not kept, nor what is older"
        );
    }
}
