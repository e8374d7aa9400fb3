//! Reads the lists of a tree.

use std::ops::Range;
use std::rc::Rc;

use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

use super::list::List;
use super::tree::{Node, range};

impl List {
    /// The list in the bytes `inside`, which reach from delimiter to delimiter where there are some.
    ///
    /// An element is everything between two separators: syn forgets a colon without bounds, so an element's own span can
    /// be too short.
    ///
    /// The tree caches it, as it is read once for each of its elements.
    pub(crate) fn new<T, P: Spanned>(node: Node<'_>, list: &Punctuated<T, P>, inside: Range<usize>) -> Self {
        // A list that fills another one has other separators, or none.
        let key = (inside.start, inside.end, list.len(), list.trailing_punct());
        node.tree().list(key, || Self::read(node, list, inside))
    }

    fn read<T, P: Spanned>(node: Node<'_>, list: &Punctuated<T, P>, inside: Range<usize>) -> Self {
        let mut start = inside.start;
        let (mut elements, mut separators) = (Vec::new(), Vec::new());
        for pair in list.pairs() {
            let separator = pair.punct().map(|punct| range(*punct));
            let end = separator.as_ref().map_or(inside.end, |separator| separator.start);
            elements.push(node.tree().source().trim(start..end));
            if let Some(separator) = separator {
                start = separator.end;
                separators.push(separator);
            }
        }
        Self { elements: Rc::new(elements), separators: Rc::new(separators) }
    }

    /// The list of which all bytes are those of `list` itself, as for bounds.
    pub(crate) fn bare<T: quote::ToTokens, P: quote::ToTokens>(node: Node<'_>, list: &Punctuated<T, P>) -> Self {
        // The span of all of it would be that of all of its tokens.
        let (Some(first), Some(last)) = (list.first(), list.pairs().next_back()) else {
            return Self::new(node, list, 0..0);
        };
        let end = last.punct().map_or_else(|| range(last.value()).end, |punct| range(*punct).end);
        Self::new(node, list, range(first).start..end)
    }
}

#[cfg(test)]
mod tests {
    use syn::{Expr, Pat};

    use super::*;
    use crate::syntax::source::Source;
    use crate::syntax::tree::{Syntax, Tree};
    use crate::text::edit::Edit;

    fn list(node: Node<'_>) -> Option<List> {
        match node.syntax() {
            Syntax::Expr(Expr::Array(array)) => {
                let brackets = array.bracket_token.span;
                let inside = brackets.open().byte_range().end..brackets.close().byte_range().start;
                Some(List::new(node, &array.elems, inside))
            }
            Syntax::Pat(Pat::Or(pat)) => Some(List::bare(node, &pat.cases)),
            _ => None,
        }
    }

    /// Checks the rest of the only list of `text` without the elements at `indices`.
    #[track_caller]
    fn check(text: &str, indices: &[usize], edits: fn(&List, usize) -> Vec<Edit>, expected: &str) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let list = tree.nodes().find_map(list).expect("there is a list");
        let mut edits: Vec<Edit> = indices.iter().flat_map(|&index| edits(&list, index)).collect();
        edits.sort_by_key(|edit| edit.range.start);
        edits.dedup();
        let mut left = text.to_owned();
        for edit in edits.iter().rev() {
            left.replace_range(edit.range.clone(), &edit.text);
        }
        left.retain(|c| c != ' ');
        assert_eq!(left, expected.replace(' ', ""));
    }

    #[test]
    fn any_subset_of_the_elements_can_go() {
        check("const A: B = [a, b, c];", &[0], List::without, "const A: B = [b, c];");
        check("const A: B = [a, b, c];", &[1], List::without, "const A: B = [a, c];");
        check("const A: B = [a, b, c];", &[2], List::without, "const A: B = [a, b];");
        check("const A: B = [a, b, c];", &[1, 2], List::without, "const A: B = [a,];");
        check("const A: B = [a, b, c];", &[0, 1, 2], List::without, "const A: B = [];");
        check("const A: B = [a, b,];", &[1], List::without, "const A: B = [a,];");
    }

    #[test]
    fn backwards_a_list_never_ends_with_a_separator() {
        check(
            "fn f() { match a { A | B | C => d } }",
            &[1, 2],
            List::without_backwards,
            "fn f() { match a { A => d } }",
        );
        check("fn f() { match a { A | B => d } }", &[0], List::without_backwards, "fn f() { match a { B => d } }");
    }

    #[test]
    fn comments_are_no_part_of_an_element() {
        check("const A: B = [/* a */ b /* c */, d];", &[0], List::without, "const A: B = [/* a */ /* c */ d];");
    }
}
