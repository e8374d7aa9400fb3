//! Chains of nested syntax: each part of a kind, and the deepest nest of parts of the same kind that it holds.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use crate::text::covers;

/// Each of `parts` that holds others of its kind, with the nearest of these that holds the most levels, the first one of several:
/// positions in `parts`. Those around others come first, and none cross.
///
/// Linear in the number of parts.
pub(crate) fn links<K: Copy + Eq + Hash>(parts: &[(Range<usize>, K)]) -> Vec<(usize, usize)> {
    let mut around: HashMap<K, Vec<usize>> = HashMap::new();
    let mut parents = Vec::with_capacity(parts.len());
    for (index, (range, kind)) in parts.iter().enumerate() {
        let around = around.entry(*kind).or_default();
        while around.pop_if(|outer| !covers(&parts[*outer].0, range)).is_some() {}
        parents.push(around.last().copied());
        around.push(index);
    }
    let mut levels = vec![0; parts.len()];
    let mut deepest = vec![None; parts.len()];
    for (index, parent) in parents.into_iter().enumerate().rev() {
        levels[index] += 1;
        if let Some(parent) = parent.filter(|&parent| levels[index] >= levels[parent]) {
            (levels[parent], deepest[parent]) = (levels[index], Some(index));
        }
    }
    deepest.into_iter().enumerate().filter_map(|(outer, inner)| Some((outer, inner?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the links of the brackets in `text`, by the positions of their first characters.
    #[track_caller]
    fn check(text: &str, expected: &[(usize, usize)]) {
        let (mut open, mut parts) = (Vec::new(), Vec::new());
        for (at, c) in text.char_indices() {
            match c {
                '(' | '[' => open.push(at),
                _ => parts.extend(open.pop().map(|start| (start..at + 1, &text[start..=start]))),
            }
        }
        parts.sort_by_key(|(range, _)| range.start);
        let found = links(&parts).into_iter().map(|(outer, inner)| (parts[outer].0.start, parts[inner].0.start));
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_part_is_linked_to_the_deepest_in_it() {
        check("((()))", &[(0, 1), (1, 2)]);
        check("(()(())())", &[(0, 3), (3, 4)]);
        check("(()())", &[(0, 1)]);
    }

    #[test]
    fn other_kinds_between_are_no_levels() {
        check("([([])])", &[(0, 2), (1, 3)]);
        check("([])()", &[]);
    }
}
