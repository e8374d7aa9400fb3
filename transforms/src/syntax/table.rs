//! Fills the table of nodes of a source: a walk over all that was parsed.

use std::ops::Range;

use proc_macro2::TokenStream;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::extent::extent;
use super::fragment::{self, Fragment, StreamPlace};
use super::kind::{Syntax, kinds, range};
use super::source::Source;
use crate::halt;

pub(super) struct Entry<'s> {
    pub(super) syntax: Syntax<'s>,
    pub(super) range: Range<usize>,
    pub(super) parent: Option<usize>,
    /// One past the last descendant: the descendants of row `i` are the rows `i + 1..end`.
    pub(super) end: usize,
}

/// The table of `source`. Linear in the text but for expressions nested in each other, whose tokens are walked once a level.
pub(super) fn table(source: &Source) -> Vec<Entry<'_>> {
    let mut builder = Builder { source, entries: Vec::new(), open: Vec::new(), streams: Vec::new(), last_end: 0 };
    if let Some(file) = source.file() {
        builder.visit_file(file);
    }
    builder.entries
}

/// Generates the visitor that fills the table.
macro_rules! visitor {
    ($($variant:ident($type:ident) = $visit:ident;)*) => {
        impl<'s> Visit<'s> for Builder<'s> {
            $(
                fn $visit(&mut self, node: &'s syn::$type) {
                    let index = self.open(Syntax::$variant(node));
                    visit::$visit(self, node);
                    self.close(index, node);
                }
            )*

            fn visit_meta(&mut self, node: &'s syn::Meta) {
                // The attribute that syn makes of a doc comment is not in the text.
                if !self.source.text()[range(node.path())].starts_with('/') {
                    visit::visit_meta(self, node);
                }
            }

            fn visit_token_stream(&mut self, tokens: &'s TokenStream) {
                self.token_stream(tokens);
            }
        }
    };
}
kinds!(visitor);

/// Visits all of a file and writes a row for each node.
struct Builder<'s> {
    source: &'s Source,
    entries: Vec<Entry<'s>>,
    open: Vec<usize>,
    /// The places of the token streams at work: a verbatim node can be all there is of the stream around it.
    streams: Vec<StreamPlace>,
    /// Where the node closed last ends.
    last_end: usize,
}

impl<'s> Builder<'s> {
    fn open(&mut self, syntax: Syntax<'s>) -> usize {
        halt::step();
        let index = self.entries.len();
        self.entries.push(Entry { syntax, range: 0..0, parent: self.open.last().copied(), end: 0 });
        self.open.push(index);
        index
    }

    fn close(&mut self, index: usize, node: &impl Spanned) {
        let first = self.entries.get(index + 1).map(|entry| entry.range.start);
        let extent = extent(self.entries[index].syntax, first, self.last_end);
        self.close_at(index, extent.unwrap_or_else(|| range(node)));
    }

    fn close_at(&mut self, index: usize, range: Range<usize>) {
        self.open.pop();
        if range.is_empty() && !matches!(self.entries[index].syntax, Syntax::File(_)) {
            self.remove(index);
            return;
        }
        self.last_end = range.end;
        self.entries[index].range = range;
        self.entries[index].end = self.entries.len();
    }

    /// Takes a row without tokens out. It can have descendants: a where clause belongs to generics that are not written.
    fn remove(&mut self, index: usize) {
        let parent = self.entries.remove(index).parent;
        for entry in &mut self.entries[index..] {
            entry.end -= 1;
            entry.parent =
                entry.parent.and_then(|row| if row == index { parent } else { Some(row - usize::from(row > index)) });
        }
    }

    fn token_stream(&mut self, tokens: &'s TokenStream) {
        // The arguments of attributes belong to the attribute.
        if self.open.last().is_some_and(|&index| matches!(self.entries[index].syntax, Syntax::Attribute(_))) {
            return;
        }
        // A type that syn does not know may read like a value.
        let is_type = self.open.last().is_some_and(|&index| matches!(self.entries[index].syntax, Syntax::Type(_)));
        if let Some(place) = fragment::place(tokens) {
            if is_type {
                let index = self.open(Syntax::Tokens(tokens));
                self.close(index, tokens);
            } else if self.streams.contains(&place) {
                self.bare(tokens);
            } else {
                self.fragment(place);
            }
        }
    }

    /// Adds the fragment that was parsed from the token stream at `place`.
    fn fragment(&mut self, place: StreamPlace) {
        let Some(fragment) = self.source.fragment(place) else { return };
        self.streams.push(place);
        match fragment {
            Fragment::Tokens(tokens) => self.bare(tokens),
            known => known.accept(self),
        }
        self.streams.pop();
    }

    /// Adds tokens that could not be parsed, and the fragments of the groups among them.
    fn bare(&mut self, tokens: &'s TokenStream) {
        let index = self.open(Syntax::Tokens(tokens));
        for group in fragment::groups(tokens) {
            // The tokens that stand for a doc comment are all in one place.
            if let Some(place) = fragment::place(&group.stream()).filter(|place| !self.streams.contains(place)) {
                self.fragment(place);
            }
        }
        self.close(index, tokens);
    }
}
