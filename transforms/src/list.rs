//! Lists with separators: which bytes an element takes along, so that any of its elements can go.

use std::ops::Range;
use std::rc::Rc;

use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

use crate::edit::{Edit, outermost};
use crate::proposals::Proposals;
use crate::tree::{Node, range};

/// The places of a list's elements and separators. A copy costs nothing.
#[derive(Clone)]
pub(crate) struct List {
    /// The bytes of the elements, without the separators.
    pub(crate) elements: Rc<Vec<Range<usize>>>,
    /// The bytes of the separators: one after each element, but perhaps not after the last.
    separators: Rc<Vec<Range<usize>>>,
    /// Where it begins, behind an opening delimiter.
    start: usize,
}

impl List {
    /// The list in the bytes `inside`, which reach from delimiter to delimiter where there are some.
    ///
    /// What lies between two separators is an element: syn forgets a colon without bounds, so an element's own span can
    /// be too short.
    ///
    /// The tree keeps it: it is asked for once for each of its elements.
    pub(crate) fn new<T, P: Spanned>(node: Node<'_>, list: &Punctuated<T, P>, inside: Range<usize>) -> Self {
        // A list that is all there is of another one has other separators, or none.
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
        Self { elements: Rc::new(elements), separators: Rc::new(separators), start: inside.start }
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

    /// The list with a last element that syn keeps elsewhere: variadic dots, the rest of a struct.
    pub(crate) fn with_last(mut self, element: Option<Range<usize>>, separator: Option<Range<usize>>) -> Self {
        Rc::make_mut(&mut self.elements).extend(element);
        Rc::make_mut(&mut self.separators).extend(separator);
        self
    }

    /// How many elements there are.
    pub(crate) fn len(&self) -> usize {
        self.elements.len()
    }

    /// The separator after the last element.
    pub(crate) fn trailing(&self) -> Option<Range<usize>> {
        self.separators.get(self.len().checked_sub(1)?).cloned()
    }

    /// The end of the last element, or of the separator after it.
    pub(crate) fn end(&self) -> usize {
        self.trailing().as_ref().or(self.elements.last()).map_or(0, |last| last.end)
    }

    /// What writes another element, of a list with commas, after the others.
    pub(crate) fn appended(&self, text: &str) -> Edit {
        let end = self.end().max(self.start);
        let comma = if self.len() == 0 || self.trailing().is_some() { "" } else { ", " };
        Edit::replace(end..end, format!("{comma}{text}"))
    }

    /// What takes the element at `index` away: it and the separator after it, for the last one that before it.
    ///
    /// The separator is an edit of its own, so that of two neighbours that both go it goes once.
    pub(crate) fn without(&self, index: usize) -> Vec<Edit> {
        let separator = self.separators.get(index).or_else(|| self.separators.get(index.checked_sub(1)?));
        [Some(&self.elements[index]), separator].into_iter().flatten().cloned().map(Edit::delete).collect()
    }

    /// Like [`List::without`], with the separator before it: no subset without the first leaves a separator at the end.
    pub(crate) fn without_backwards(&self, index: usize) -> Vec<Edit> {
        let separator = self.separators.get(index.saturating_sub(1));
        [Some(&self.elements[index]), separator].into_iter().flatten().cloned().map(Edit::delete).collect()
    }

    /// Like [`List::without`], with all of `whole` for the only element: its delimiters, what introduces it.
    pub(crate) fn without_or(&self, index: usize, whole: Range<usize>) -> Vec<Edit> {
        if self.len() == 1 { vec![Edit::delete(whole)] } else { self.without(index) }
    }

    /// What takes the elements at `indices` away, all of them with all of `whole`.
    pub(crate) fn without_all(&self, indices: &[usize], whole: Option<Range<usize>>) -> Vec<Edit> {
        match whole {
            Some(whole) if indices.len() == self.len() => vec![Edit::delete(whole)],
            _ => outermost(indices.iter().flat_map(|&index| self.without(index)).collect()),
        }
    }

    /// Proposes to delete each element.
    pub(crate) fn delete_each(&self, out: &mut Proposals<'_>) {
        for (index, element) in self.elements.iter().enumerate() {
            out.edit(element.clone(), self.without(index));
        }
    }

    /// Proposes to delete each element, the only one with all of `whole`.
    pub(crate) fn delete_each_or(&self, whole: Range<usize>, out: &mut Proposals<'_>) {
        for (index, element) in self.elements.iter().enumerate() {
            out.edit(element.clone(), self.without_or(index, whole.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use syn::{Expr, Pat};

    use super::*;
    use crate::source::Source;
    use crate::tree::{Syntax, Tree};

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

    /// Checks what is left of the only list of `text` without the elements at `indices`.
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
