//! Derivations of Rust programs: syntax nodes by kind, and the text between them.

use mcve_transforms::{Node, Tree};

use super::derivation::{Derivation, Symbol};

/// The derivation of a program. A symbol is a kind of node, such as any expression, so that one can stand in the place of another. An
/// element of a list takes the comma behind it along, as a symbol of its own, so that it can go.
///
/// The text is that of the program from its first node to its last. None for a program of which nothing could be parsed.
#[must_use]
pub fn derivation(tree: &Tree<'_>) -> Option<Derivation> {
    tree.nodes().next().map(node)
}

fn node(node: Node<'_>) -> Derivation {
    let mut children = Vec::new();
    let mut position = node.range().start;
    let mut texts = node.children().peekable();
    while let Some(child) = texts.next() {
        let range = child.range();
        // What is not behind the node before is part of its text.
        if range.start < position {
            continue;
        }
        push_text(&mut children, node.text_at(position..range.start));
        position = range.end;
        let end = texts.peek().map_or(node.range().end, |next| next.range().start);
        let derived = self::node(child);
        let between = if position < end { node.text_at(position..end) } else { "" };
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
    push_text(&mut children, node.text_at(position.min(node.range().end)..node.range().end));
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
        let text = "#[a]\nfn f<'a, T: A + B>(x: &'a u8, y: [u8; 2],) -> u8 { m!(x, { y }); // z\n g(x)[1] }";
        let source = Source::parse(text);
        let tree = derivation(&Tree::new(&source)).expect("it parses");
        assert_eq!(tree.text(), text);
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
