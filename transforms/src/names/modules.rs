//! The modules of a file.

use std::collections::HashMap;
use std::ops::Range;

use syn::Item;

use crate::syntax::{Syntax, Tree};
use crate::text::lex::plain;

/// The modules of a file: the file, and those with their items in it.
pub(crate) struct Modules<'t> {
    modules: Vec<Module>,
    named: HashMap<&'t str, Vec<usize>>,
}

struct Module {
    inside: Range<usize>,
    parent: usize,
}

impl<'t> Modules<'t> {
    /// The modules of `tree`, the file itself first.
    pub(crate) fn of(tree: &'t Tree<'_>) -> Self {
        let text = tree.source().text();
        let root = Module { inside: 0..text.len(), parent: 0 };
        let mut modules = Self { modules: vec![root], named: HashMap::new() };
        for node in tree.nodes() {
            let Syntax::Item(Item::Mod(item)) = node.syntax() else { continue };
            let Some((braces, _)) = &item.content else { continue };
            let inside = braces.span.open().byte_range().end..braces.span.close().byte_range().start;
            let parent = modules.at(inside.start);
            let name = plain(&text[item.ident.span().byte_range()]);
            let number = modules.len();
            modules.named.entry(name).or_default().push(number);
            modules.modules.push(Module { inside, parent });
        }
        modules
    }

    pub(crate) fn len(&self) -> usize {
        self.modules.len()
    }

    /// A module and those around it, from the inside out.
    pub(crate) fn around(&self, module: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(module), |&module| (module > 0).then(|| self.modules[module].parent))
    }

    /// The innermost module at `byte`.
    pub(crate) fn at(&self, byte: usize) -> usize {
        let before = self.modules.partition_point(|module| module.inside.start <= byte).saturating_sub(1);
        let around = |module: &usize| self.modules[*module].inside.contains(&byte);
        self.around(before).find(around).unwrap_or(0)
    }

    /// The modules that `segment` can mean in `module`.
    pub(crate) fn named(&self, segment: &str, module: usize) -> Vec<usize> {
        match segment {
            "self" => vec![module],
            "super" => vec![self.modules[module].parent],
            "crate" => vec![0],
            _ => self.named.get(segment).cloned().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    #[test]
    fn modules_are_known_by_their_place() {
        let text = "fn x() {} mod a { fn x() {} mod b { fn x() {} } fn x() {} } mod c { fn x() {} }";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let modules = Modules::of(&tree);
        let at: Vec<usize> = text.match_indices(" x(").map(|(byte, _)| modules.at(byte)).collect();
        assert_eq!(at, [0, 1, 2, 1, 3]);
        let named = |segment, module| modules.named(segment, module);
        assert_eq!(
            (named("b", 0), named("self", 2), named("super", 2), named("crate", 2)),
            (vec![2], vec![2], vec![1], vec![0])
        );
        assert_eq!(named("d", 0), []);
    }
}
