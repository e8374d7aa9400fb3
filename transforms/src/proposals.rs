//! Where transforms put their reductions.

use std::ops::Range;

use crate::edit::{Edit, Reduction};
use crate::lex;
use crate::source::Source;
use crate::transform::{Rule, Transform};
use crate::tree::Tree;

/// Collects the reductions of one transform over one source. Proposals that would not make the program smaller are dropped.
pub struct Proposals<'s> {
    source: &'s Source,
    transform: &'static Transform,
    reductions: Vec<Reduction>,
}

/// All reductions that `transform` proposes, in order.
#[must_use]
pub fn enumerate(tree: &Tree<'_>, transform: &'static Transform) -> Vec<Reduction> {
    let source = tree.source();
    let mut out = Proposals { source, transform, reductions: Vec::new() };
    match transform.rule {
        Rule::Node(rule) => tree.nodes().for_each(|node| rule(node, &mut out)),
        Rule::Tree(rule) => rule(tree, &mut out),
        Rule::Text(rule) => rule(source, &mut out),
    }
    out.reductions
}

impl Proposals<'_> {
    /// Proposes to delete `site`.
    pub fn delete(&mut self, site: Range<usize>) {
        self.edit(site.clone(), vec![Edit::delete(site)]);
    }

    /// Proposes to replace `site` by `text`.
    pub fn replace(&mut self, site: Range<usize>, text: impl Into<String>) {
        self.edit(site.clone(), vec![Edit::replace(site, text)]);
    }

    /// Proposes to replace `site` by its part `kept`, so that reductions inside `kept` still compose with it.
    pub fn keep(&mut self, site: Range<usize>, kept: Range<usize>) {
        self.keep_between(site, "", kept, "");
    }

    /// Proposes to replace `site` by its part `kept` with `before` and `after` around it.
    pub fn keep_between(&mut self, site: Range<usize>, before: &str, kept: Range<usize>, after: &str) {
        let edits = vec![Edit::replace(site.start..kept.start, before), Edit::replace(kept.end..site.end, after)];
        self.edit(site, edits);
    }

    /// Proposes a set of edits at `site`; edits that change nothing are left out.
    pub fn edit(&mut self, site: Range<usize>, mut edits: Vec<Edit>) {
        let text = self.source.text();
        edits.retain(|edit| text[edit.range.clone()] != edit.text);
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        debug_assert!(
            edits.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start),
            "edits overlap: {edits:?}"
        );
        let tokens = |edit: &Edit| match lex::is_inside(self.source.tokens(), &edit.range) {
            true => 0,
            false => self.source.count(&edit.range).cast_signed() - lex::count(&edit.text).cast_signed(),
        };
        let bytes = |edit: &Edit| edit.range.len().cast_signed() - edit.text.len().cast_signed();
        let gain: isize = edits.iter().map(tokens).sum();
        let smaller = gain > 0 || gain == 0 && edits.iter().map(bytes).sum::<isize>() > 0;
        if smaller && !self.reductions.iter().rev().take_while(|r| r.site == site).any(|r| r.edits == edits) {
            let rank = self.reductions.iter().rev().take_while(|r| r.site == site).count();
            self.reductions.push(Reduction { transform: self.transform, site, rank, edits, gain });
        }
    }

    /// The text of the source at `range`.
    #[must_use]
    pub fn text(&self, range: Range<usize>) -> &str {
        &self.source.text()[range]
    }
}
