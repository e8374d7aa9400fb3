//! Immutable derivation trees: a change creates a new tree that shares the unchanged parts.

use std::rc::Rc;

/// The symbol of a node of a derivation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// Literal text.
    Terminal(Rc<str>),
    /// The name of a nonterminal, whose children expand it.
    Nonterminal(Rc<str>),
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

/// A derivation tree. Its text is that of its terminals. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Derivation(Rc<Node>);

#[derive(Debug, PartialEq, Eq, Hash)]
struct Node {
    symbol: Symbol,
    children: Vec<Derivation>,
    size: usize,
    height: usize,
}

impl Derivation {
    /// A symbol with its expansion. A terminal has no children.
    #[must_use]
    pub fn new(symbol: Symbol, children: Vec<Self>) -> Self {
        let size = 1 + children.iter().map(Self::size).sum::<usize>();
        let height = 1 + children.iter().map(Self::height).max().unwrap_or(0);
        Self(Rc::new(Node { symbol, children, size, height }))
    }

    /// A node for a terminal.
    #[must_use]
    pub fn terminal(text: &str) -> Self {
        Self::new(Symbol::terminal(text), Vec::new())
    }

    /// Its symbol.
    #[must_use]
    pub fn symbol(&self) -> &Symbol {
        &self.0.symbol
    }

    /// Its expansion.
    #[must_use]
    pub fn children(&self) -> &[Self] {
        &self.0.children
    }

    /// The number of nodes, terminals included.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// The number of nodes on the longest path down, both ends included.
    #[must_use]
    pub fn height(&self) -> usize {
        self.0.height
    }

    /// The text of all terminals.
    #[must_use]
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
        visit(self);
        self.children().iter().for_each(|child| child.walk(visit));
    }

    /// The node at this path of child positions.
    ///
    /// # Panics
    /// When no node is at `path`.
    #[must_use]
    pub fn at(&self, path: &[usize]) -> &Self {
        path.iter().fold(self, |node, &position| &node.children()[position])
    }

    /// A copy with another node at this path.
    ///
    /// # Panics
    /// When no node is at `path`.
    #[must_use]
    pub fn with(&self, path: &[usize], node: Self) -> Self {
        let Some((&position, rest)) = path.split_first() else { return node };
        let mut children = self.children().to_vec();
        children[position] = children[position].with(rest, node);
        Self::new(self.symbol().clone(), children)
    }

    /// The nodes below it with this `symbol`, in preorder: all, or those at the given depth.
    #[must_use]
    pub fn below(&self, symbol: &Symbol, depth: Option<usize>) -> Vec<Self> {
        let mut found = Vec::new();
        self.collect(symbol, depth, &mut found);
        found
    }

    fn collect(&self, symbol: &Symbol, depth: Option<usize>, found: &mut Vec<Self>) {
        if depth == Some(0) {
            return;
        }
        let depth = depth.map(|depth| depth - 1);
        for child in self.children() {
            if depth.unwrap_or(0) == 0 && child.symbol() == symbol {
                found.push(child.clone());
            }
            child.collect(symbol, depth, found);
        }
    }

    /// The nearest nodes below it with its own symbol: none of them is below another.
    #[must_use]
    pub fn nearest(&self) -> Vec<Self> {
        fn collect(node: &Derivation, symbol: &Symbol, found: &mut Vec<Derivation>) {
            for child in node.children() {
                if child.symbol() == symbol {
                    found.push(child.clone());
                } else {
                    collect(child, symbol, found);
                }
            }
        }
        let mut found = Vec::new();
        collect(self, self.symbol(), &mut found);
        found
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
    fn nodes_are_found_at_any_depth_or_at_one() {
        let symbol = Symbol::nonterminal("n");
        assert_eq!(texts(&tree().below(&symbol, None)), ["a", "b", "b"]);
        assert_eq!(texts(&tree().below(&symbol, Some(0))), [""; 0]);
        assert_eq!(texts(&tree().below(&symbol, Some(1))), ["a", "b"]);
        assert_eq!(texts(&tree().below(&symbol, Some(2))), ["b"]);
        assert_eq!(tree().nearest().iter().map(Derivation::size).collect::<Vec<_>>(), [2, 3]);
    }
}
