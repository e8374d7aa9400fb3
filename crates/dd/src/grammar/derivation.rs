//! Immutable derivation trees: a change creates a new tree that shares the unchanged parts.
//!
//! A list that is defined by recursion is as deep as it is long, so nothing here recurses.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::random::Random;

/// The symbol of a node of a derivation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// Literal text.
    Terminal(Arc<str>),
    /// The name of a nonterminal, whose children expand it.
    Nonterminal(Arc<str>),
}

impl Symbol {
    /// A terminal symbol.
    pub fn terminal(text: &str) -> Self {
        Self::Terminal(text.into())
    }

    /// A nonterminal symbol.
    pub fn nonterminal(name: &str) -> Self {
        Self::Nonterminal(name.into())
    }
}

/// A derivation tree. Its text is that of its terminals. Cloning, hashing and most comparisons are cheap.
#[derive(Clone, Debug)]
pub struct Derivation(Arc<Node>);

#[derive(Debug)]
struct Node {
    symbol: Symbol,
    children: Vec<Derivation>,
    size: usize,
    height: usize,
    length: usize,
    hash: u64,
}

impl Derivation {
    /// A symbol with its expansion. A terminal has no children.
    pub fn new(symbol: Symbol, children: Vec<Self>) -> Self {
        let size = 1 + children.iter().map(Self::size).sum::<usize>();
        let height = 1 + children.iter().map(Self::height).max().unwrap_or(0);
        let own = if let Symbol::Terminal(text) = &symbol { text.chars().count() } else { 0 };
        let length = own + children.iter().map(Self::length).sum::<usize>();
        let mut hasher = DefaultHasher::new();
        symbol.hash(&mut hasher);
        children.iter().for_each(|child| hasher.write_u64(child.0.hash));
        Self(Arc::new(Node { symbol, children, size, height, length, hash: hasher.finish() }))
    }

    /// A node for a terminal.
    pub fn terminal(text: &str) -> Self {
        Self::new(Symbol::terminal(text), Vec::new())
    }

    /// Its symbol.
    pub fn symbol(&self) -> &Symbol {
        &self.0.symbol
    }

    /// Its expansion.
    pub fn children(&self) -> &[Self] {
        &self.0.children
    }

    /// The number of nodes, terminals included.
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// The number of nodes on the longest path down, both ends included.
    pub fn height(&self) -> usize {
        self.0.height
    }

    /// The number of characters of its text.
    pub fn length(&self) -> usize {
        self.0.length
    }

    /// The text of all terminals.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.walk(&mut |node| {
            if let Symbol::Terminal(part) = node.symbol() {
                text.push_str(part);
            }
        });
        text
    }

    /// Visits all nodes in preorder.
    pub fn walk(&self, visit: &mut impl FnMut(&Self)) {
        let mut waiting = vec![self];
        while let Some(node) = waiting.pop() {
            visit(node);
            waiting.extend(node.children().iter().rev());
        }
    }

    /// The node at this path of child positions.
    ///
    /// # Panics
    /// When no node is at `path`.
    pub fn at(&self, path: &[usize]) -> &Self {
        path.iter().fold(self, |node, &position| &node.children()[position])
    }

    /// A copy with another node at this path.
    ///
    /// # Panics
    /// When no node is at `path`.
    #[must_use]
    pub fn with(&self, path: &[usize], node: Self) -> Self {
        let (mut parents, mut at) = (Vec::with_capacity(path.len()), self);
        for &position in path {
            parents.push(at);
            at = &at.children()[position];
        }
        let steps = parents.into_iter().zip(path).rev();
        steps.fold(node, |node, (parent, &position)| {
            let mut children = parent.children().to_vec();
            children[position] = node;
            Self::new(parent.symbol().clone(), children)
        })
    }

    /// A copy with a random node of `other` in place of one of the same symbol. Every symbol is as likely: most nodes are characters.
    /// None if `other` lacks the symbol.
    #[must_use]
    pub fn crossed(&self, other: &Self, random: &mut Random) -> Option<Self> {
        let mut places: Vec<(&Symbol, Vec<usize>)> = Vec::new();
        let mut waiting = vec![(self, Vec::new())];
        while let Some((node, path)) = waiting.pop() {
            let below = |(position, child)| (child, [&path[..], &[position]].concat());
            waiting.extend(node.children().iter().enumerate().map(below));
            places.push((node.symbol(), path));
        }
        places.retain(|(symbol, _)| matches!(symbol, Symbol::Nonterminal(_)));
        let mut symbols: Vec<&Symbol> = places.iter().map(|(symbol, _)| *symbol).collect();
        let mut seen = HashSet::new();
        symbols.retain(|symbol| seen.insert(*symbol));
        let symbol = *symbols.get(random.index(symbols.len().max(1)))?;
        places.retain(|(other, _)| *other == symbol);
        let (donors, (_, path)) = (other.below(symbol, None), &places[random.index(places.len())]);
        Some(self.with(path, donors.get(random.index(donors.len().max(1)))?.clone()))
    }

    /// The nodes below it with this `symbol`, in preorder: all, or those at the given depth.
    pub fn below(&self, symbol: &Symbol, depth: Option<usize>) -> Vec<Self> {
        let (mut found, mut waiting) = (Vec::new(), vec![(self, 0)]);
        while let Some((node, level)) = waiting.pop() {
            if level > 0 && depth.is_none_or(|depth| depth == level) && node.symbol() == symbol {
                found.push(node.clone());
            }
            if depth.is_none_or(|depth| level < depth) {
                waiting.extend(node.children().iter().rev().map(|child| (child, level + 1)));
            }
        }
        found
    }

    /// The nearest nodes below it with its own symbol: none of them is below another.
    pub fn nearest(&self) -> Vec<Self> {
        let mut found = Vec::new();
        let mut waiting: Vec<&Self> = self.children().iter().rev().collect();
        while let Some(node) = waiting.pop() {
            if node.symbol() == self.symbol() {
                found.push(node.clone());
            } else {
                waiting.extend(node.children().iter().rev());
            }
        }
        found
    }
}

impl PartialEq for Derivation {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = vec![(self, other)];
        while let Some((Self(one), Self(other))) = pairs.pop() {
            if Arc::ptr_eq(one, other) {
                continue;
            }
            let (many, others) = (one.children.len(), other.children.len());
            if one.hash != other.hash || many != others || one.symbol != other.symbol {
                return false;
            }
            pairs.extend(one.children.iter().zip(&other.children));
        }
        true
    }
}

impl Eq for Derivation {}

impl Hash for Derivation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let mut waiting = std::mem::take(&mut self.children);
        while let Some(Derivation(node)) = waiting.pop() {
            if let Some(mut last) = Arc::into_inner(node) {
                waiting.append(&mut last.children);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(children: Vec<Derivation>) -> Derivation {
        Derivation::new(Symbol::nonterminal("n"), children)
    }

    /// `n(n("a"), n(n("b")))`
    fn tree() -> Derivation {
        let [a, b] = ["a", "b"].map(|text| node(vec![Derivation::terminal(text)]));
        node(vec![a, node(vec![b])])
    }

    fn texts(nodes: &[Derivation]) -> Vec<String> {
        nodes.iter().map(Derivation::text).collect()
    }

    #[test]
    fn a_tree_knows_its_size_and_height() {
        assert_eq!((tree().text().as_str(), tree().size(), tree().height()), ("ab", 6, 4));
    }

    #[test]
    fn a_node_is_replaced_and_the_rest_is_shared() {
        let changed = tree().with(&[1, 0], Derivation::terminal("c"));
        assert_eq!((changed.text().as_str(), changed.size(), changed.height()), ("ac", 5, 3));
        assert_eq!(changed.at(&[0]), tree().at(&[0]));
    }

    #[test]
    fn a_list_by_recursion_may_be_long() {
        let long = || (0..100_000).fold(node(Vec::new()), |rest, _| node(vec![Derivation::terminal("a"), rest]));
        let (one, other) = (long(), long());
        assert_eq!((one.text().len(), one.length(), one.height()), (100_000, 100_000, 100_001));
        assert!(one == other && one.nearest().len() == 1);
        assert_eq!(one.below(&Symbol::nonterminal("n"), None).len(), 100_000);
        assert_eq!(one.with(&[1; 100_000], Derivation::terminal("b")).length(), 100_001);
    }

    #[test]
    fn nodes_are_found_at_any_depth_or_at_one() {
        let symbol = Symbol::nonterminal("n");
        assert_eq!(texts(&tree().below(&symbol, None)), ["a", "b", "b"]);
        assert_eq!(texts(&tree().below(&symbol, Some(0))), [""; 0]);
        assert_eq!(texts(&tree().below(&symbol, Some(1))), ["a", "b"]);
        assert_eq!(texts(&tree().below(&symbol, Some(2))), ["b"]);
        assert_eq!(tree().nearest().iter().map(Derivation::size).collect::<Vec<_>>(), [2, 3]);
    }
}
