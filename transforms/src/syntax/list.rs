//! Lists with separators: the bytes to delete with an element, so that any element can be deleted.

use std::ops::Range;
use std::rc::Rc;

use crate::text::{Edit, outermost};

/// The places of a list's elements and separators. A copy costs nothing.
#[derive(Clone)]
pub(crate) struct List {
    /// The bytes of the elements, without the separators.
    pub(crate) elements: Rc<Vec<Range<usize>>>,
    /// The bytes of the separators: one after each element, but perhaps not after the last.
    pub(super) separators: Rc<Vec<Range<usize>>>,
}

impl List {
    pub(crate) fn of_places(elements: Vec<Range<usize>>, separators: Vec<Range<usize>>) -> Self {
        Self { elements: Rc::new(elements), separators: Rc::new(separators) }
    }

    /// The list with a last element that syn keeps elsewhere: variadic dots, the rest of a struct.
    pub(crate) fn with_last(mut self, element: Option<Range<usize>>, separator: Option<Range<usize>>) -> Self {
        Rc::make_mut(&mut self.elements).extend(element);
        Rc::make_mut(&mut self.separators).extend(separator);
        self
    }

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

    /// The edits that delete the element at `index` and the separator after it, or before it for the last one.
    ///
    /// The separator is a separate edit, so that it is deleted once with two neighbours.
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

    /// The indices of the elements that begin where `ranges` do.
    pub(crate) fn indices(&self, ranges: &[Range<usize>]) -> Vec<usize> {
        let begins = |index: &usize| ranges.iter().any(|range| range.start == self.elements[*index].start);
        (0..self.len()).filter(begins).collect()
    }

    /// The edits that delete the elements at `indices`, or `whole` if those are all.
    pub(crate) fn without_all(&self, indices: &[usize], whole: Option<Range<usize>>) -> Vec<Edit> {
        match whole {
            Some(whole) if indices.len() == self.len() => vec![Edit::delete(whole)],
            _ => outermost(indices.iter().flat_map(|&index| self.without(index)).collect()),
        }
    }
}
