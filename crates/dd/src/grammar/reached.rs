//! Which nodes of a graph lead to which.

/// For each node, whether a path of one or more of the edges in `leads` ends at each other.
pub(super) fn reached(leads: &[Vec<usize>]) -> Vec<Vec<bool>> {
    let from = |node: &Vec<usize>| {
        let (mut reached, mut waiting) = (vec![false; leads.len()], node.clone());
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                waiting.extend(&leads[node]);
            }
        }
        reached
    };
    leads.iter().map(from).collect()
}
