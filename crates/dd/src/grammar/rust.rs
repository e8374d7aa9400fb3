//! Derivations of Rust programs: syntax nodes by kind, and the text between them.

use std::cmp::Reverse;
use std::iter::Peekable;

use mcve_transforms::{Node, Tree};

use super::derivation::{Derivation, Symbol};

/// The derivation of a program. A symbol is a kind of node, such as any expression, so that one can replace another. An
/// element of a list includes the comma behind it, as a symbol of its own, so that it can be removed.
///
/// The text is that of the program from its first node to its last. None if nothing in the program could be parsed.
pub fn derivation(tree: &Tree<'_>) -> Option<Derivation> {
    let mut nodes: Vec<Node<'_>> = tree.nodes().collect();
    // Sorted by range: the generics of a function contain its where clause, which stands after their siblings.
    nodes.sort_by_key(|node| (node.range().start, Reverse(node.range().end)));
    let mut nodes = nodes.into_iter().peekable();
    let root = nodes.next()?;
    Some(node(root, &mut nodes))
}

/// The derivation of `node`; the nodes inside it come next in `nodes`.
fn node<'t>(node: Node<'t>, nodes: &mut Peekable<impl Iterator<Item = Node<'t>>>) -> Derivation {
    let mut children = Vec::new();
    let (mut position, end) = (node.range().start, node.range().end);
    while let Some(child) = nodes.next_if(|next| next.range().start < end) {
        let range = child.range();
        // A node that is only partly inside is part of the text.
        if range.start < position || range.end > end || range.is_empty() {
            continue;
        }
        push_text(&mut children, node.text_at(position..range.start));
        position = range.end;
        let derived = self::node(child, nodes);
        let next = nodes.peek().map_or(end, |next| next.range().start.clamp(position, end));
        let between = node.text_at(position..next);
        let Some(comma) = between.find(|c: char| !c.is_whitespace()).filter(|&at| between[at..].starts_with(','))
        else {
            children.push(derived);
            continue;
        };
        let behind = &between[..=comma];
        position += behind.len();
        let symbol = Symbol::nonterminal(&format!("{},", child.syntax().kind()));
        children.push(Derivation::new(symbol, vec![derived, Derivation::terminal(behind)]));
    }
    push_text(&mut children, node.text_at(position.min(end)..end));
    Derivation::new(Symbol::nonterminal(node.syntax().kind()), children)
}

fn push_text(children: &mut Vec<Derivation>, text: &str) {
    if !text.is_empty() {
        children.push(Derivation::terminal(text));
    }
}

#[cfg(test)]
mod tests {
    use mcve_transforms::Source;

    use super::*;

    #[test]
    fn the_derivation_has_the_text() {
        for text in [
            "#[a]\nfn f<'a, T: A + B>(x: &'a u8, y: [u8; 2],) -> u8 { m!(x, { y }); // z\n g(x)[1] }",
            "impl<T> A<T> for B where T: C, { fn f<U>(&self, x: U) -> T where U: D, { x } }",
            include_str!("derivation.rs").split_once("\n\n").expect("it has a head").1,
        ] {
            let source = Source::parse(text);
            let tree = derivation(&Tree::new(&source)).expect("it parses");
            assert_eq!(tree.text(), text.trim_end());
        }
    }

    #[test]
    fn an_element_takes_its_comma_along() {
        let source = Source::parse("fn f() { g(a, b) }");
        let tree = derivation(&Tree::new(&source)).expect("it parses");
        let elements = tree.below(&Symbol::nonterminal("Expr,"), None);
        assert_eq!(elements.iter().map(Derivation::text).collect::<Vec<_>>(), ["a,"]);
    }

    #[test]
    fn what_does_not_parse_has_no_derivation() {
        let source = Source::parse("}");
        assert_eq!(derivation(&Tree::new(&source)), None);
    }
}
