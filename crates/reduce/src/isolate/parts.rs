//! The parts of a sentence that can be left out: items of lists, and what can be written shorter.

use std::ops::Range;

use mcve_dd::grammar::derivation::{Derivation, Symbol};
use mcve_dd::grammar::productions::Grammar;
use mcve_dd::keep_list::KeepList;
use mcve_transforms::Edit;

/// A sentence with its parts. A part that is left out is no item of its list any more, or is the shortest text of its symbol.
pub(super) struct Parts {
    /// In preorder.
    nodes: Vec<Node>,
    /// The nodes that are parts, in preorder.
    parts: Vec<usize>,
    /// The nearest part around each part.
    around: Vec<Option<usize>>,
}

struct Node {
    range: Range<usize>,
    children: Vec<usize>,
    /// Its index among the parts, if it is one.
    part: Option<usize>,
    /// What it is where it is left out.
    shortest: String,
    list: Option<List>,
}

struct List {
    /// From one item to the next, among the children.
    step: usize,
    may_be_empty: bool,
}

/// A node that is to be visited.
struct Waiting<'t> {
    tree: &'t Derivation,
    parent: Option<usize>,
    /// Whether it is an item of a list.
    is_item: bool,
    /// The part around it.
    outer: Option<usize>,
}

impl Parts {
    pub(super) fn of(tree: &Derivation, grammar: &Grammar) -> Self {
        let mut nodes: Vec<Node> = Vec::new();
        let (mut parts, mut around, mut at) = (Vec::new(), Vec::new(), 0);
        let mut waiting = vec![Waiting { tree, parent: None, is_item: false, outer: None }];
        // The nodes around the current one, each with how many of its children are still to come.
        let mut open: Vec<(usize, usize)> = Vec::new();
        while let Some(Waiting { tree, parent, is_item, outer }) = waiting.pop() {
            let index = nodes.len();
            if let Some(parent) = parent {
                nodes[parent].children.push(index);
            }
            let shortest = grammar.shortest(tree.symbol()).filter(|shortest| shortest.length() < tree.length());
            let is_part = is_item || shortest.is_some() && matches!(tree.symbol(), Symbol::Nonterminal(_));
            let part = is_part.then_some(parts.len());
            if is_part {
                parts.push(index);
                around.push(outer);
            }
            let outer = part.or(outer);
            let list = grammar
                .repetition(tree.symbol())
                .map(|list| List { step: 1 + usize::from(list.separator.is_some()), may_be_empty: list.may_be_empty });
            let step = list.as_ref().map(|list| list.step);
            let children = tree.children().iter().enumerate().rev();
            waiting.extend(children.map(|(position, child)| {
                let is_item = step.is_some_and(|step| position.is_multiple_of(step));
                Waiting { tree: child, parent: Some(index), is_item, outer }
            }));
            if let Symbol::Terminal(text) = tree.symbol() {
                at += text.len();
            }
            let shortest = shortest.map(|shortest| shortest.text()).unwrap_or_default();
            nodes.push(Node { range: at..at, children: Vec::new(), part, shortest, list });
            if let Symbol::Terminal(text) = tree.symbol() {
                nodes[index].range.start = at - text.len();
            }
            open.push((index, tree.children().len()));
            while let Some((node, left)) = open.last_mut() {
                if *left > 0 {
                    *left -= 1;
                    break;
                }
                nodes[*node].range.end = at;
                open.pop();
            }
        }
        Self { nodes, parts, around }
    }

    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// These parts with all those around them.
    pub(super) fn closed(&self, kept: &KeepList) -> KeepList {
        let mut is_kept = vec![false; self.parts.len()];
        for &part in kept.kept() {
            let mut next = Some(part);
            while let Some(part) = next.filter(|&part| !std::mem::replace(&mut is_kept[part], true)) {
                next = self.around[part];
            }
        }
        KeepList::of(self.parts.len(), (0..is_kept.len()).filter(|&part| is_kept[part]).collect())
    }

    /// The edits that leave out all parts but the `kept` ones, which are [`closed`](Self::closed), in order.
    pub(super) fn edits(&self, kept: &KeepList) -> Vec<Edit> {
        let (mut edits, mut waiting) = (Vec::new(), vec![0]);
        let is_kept = |index: usize| self.nodes[index].part.is_none_or(|part| has(kept, part));
        while let Some(index) = waiting.pop() {
            let node = &self.nodes[index];
            let replaced = Edit { range: node.range.clone(), text: node.shortest.clone() };
            if !is_kept(index) {
                edits.push(replaced);
                continue;
            }
            let Some(list) = &node.list else {
                waiting.extend(node.children.iter().rev());
                continue;
            };
            let items = || (0..node.children.len()).step_by(list.step);
            let Some(first) = items().find(|&position| is_kept(node.children[position])) else {
                match list.may_be_empty {
                    true => edits.extend((!node.range.is_empty()).then(|| Edit::delete(node.range.clone()))),
                    false => edits.push(replaced),
                }
                continue;
            };
            for position in items() {
                let child = node.children[position];
                // All items but the first that is kept have the separator before them.
                let begin = node.children[position.saturating_sub(list.step - 1)];
                let begin = self.nodes[begin].range.start;
                if !is_kept(child) {
                    edits.push(Edit::delete(begin..self.nodes[child].range.end));
                } else if position == first && begin < self.nodes[child].range.start {
                    edits.push(Edit::delete(begin..self.nodes[child].range.start));
                }
            }
            waiting.extend(items().rev().map(|position| node.children[position]).filter(|&child| is_kept(child)));
            let separators =
                node.children.iter().enumerate().filter(|(position, _)| !position.is_multiple_of(list.step));
            // A separator is a part like others where the item behind it stays.
            waiting.extend(
                separators
                    .filter(|(position, _)| {
                        let item = position - position % list.step + list.step;
                        item > first && node.children.get(item).is_some_and(|&item| is_kept(item))
                    })
                    .map(|(_, &separator)| separator),
            );
        }
        edits.sort_by_key(|edit| edit.range.start);
        edits
    }
}

fn has(kept: &KeepList, part: usize) -> bool {
    kept.kept().binary_search(&part).is_ok()
}
