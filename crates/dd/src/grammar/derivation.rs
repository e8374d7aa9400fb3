//! Derivation trees as values: to change one is to make another that shares what stays.

use std::rc::Rc;

/// What a node of a derivation stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// Text, as it is.
    Terminal(Rc<str>),
    /// The name of what the children make up.
    Nonterminal(Rc<str>),
}

impl Symbol {
    /// A symbol of text.
    pub fn terminal(text: &str) -> Self {
        Self::Terminal(text.into())
    }

    /// A symbol that stands for others.
    pub fn nonterminal(name: &str) -> Self {
        Self::Nonterminal(name.into())
    }
}

/// A tree of symbols. Its text is that of its terminals. A clone costs nothing.
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
    /// A symbol with what it was expanded to. A terminal has no children.
    #[must_use]
    pub fn new(symbol: Symbol, children: Vec<Self>) -> Self {
        let size = 1 + children.iter().map(Self::size).sum::<usize>();
        let height = 1 + children.iter().map(Self::height).max().unwrap_or(0);
        Self(Rc::new(Node { symbol, children, size, height }))
    }

    /// Text.
    #[must_use]
    pub fn terminal(text: &str) -> Self {
        Self::new(Symbol::terminal(text), Vec::new())
    }

    /// What it stands for.
    #[must_use]
    pub fn symbol(&self) -> &Symbol {
        &self.0.symbol
    }

    /// What it was expanded to.
    #[must_use]
    pub fn children(&self) -> &[Self] {
        &self.0.children
    }

    /// The number of nodes, terminals included.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// The number of nodes on the longest way down, both ends included.
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

    /// Visits all nodes, a parent before its children.
    pub fn walk(&self, visit: &mut impl FnMut(&Self)) {
        visit(self);
        self.children().iter().for_each(|child| child.walk(visit));
    }

    /// The node to which these positions among children lead.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn at(&self, path: &[usize]) -> &Self {
        path.iter().fold(self, |node, &position| &node.children()[position])
    }

    /// The same with another node at this path.
    ///
    /// # Panics
    /// When there is no node.
    #[must_use]
    pub fn with(&self, path: &[usize], node: Self) -> Self {
        let Some((&position, rest)) = path.split_first() else { return node };
        let mut children = self.children().to_vec();
        children[position] = children[position].with(rest, node);
        Self::new(self.symbol().clone(), children)
    }

    /// The nodes below it that stand for `symbol`, a parent before its children: all, or those so many levels down.
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

    /// The nearest nodes below it that stand for the same symbol: none of them stands below another.
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
