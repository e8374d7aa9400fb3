//! How each mention of a name is resolved.
//!
//! A name that stands alone means what its module has, or an import there; one behind a `::` what the module before it has,
//! or else an associated item; one behind a dot an associated item. Where that cannot be said, it may mean everything of its
//! name. The tokens before a name say which it is, as they do so inside of macro calls, too; what syntax it stands in, and
//! what can stand there instead, is [`super::references`].

use std::collections::HashMap;

use super::imports::before_leaf;
use super::modules::Modules;
use crate::halt;
use crate::syntax::surroundings::is_evaluated;
use crate::syntax::{Regions, Syntax, Tree};
use crate::text::lex::{is_word, plain};

/// How a name is mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Via<'t> {
    /// By itself.
    Alone,
    /// As the first segment of an import: by itself, or from the root in the edition of 2015.
    Import,
    /// Behind a dot.
    Dot,
    /// Behind `segment::`.
    Segment(&'t str),
    /// Before a `!`.
    Macro,
    /// In such a way that it may mean anything but a macro: in attributes and in macro calls.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Mention<'t> {
    pub(crate) name: &'t str,
    pub(crate) via: Via<'t>,
    pub(crate) module: usize,
}

/// How each word of `tree` is mentioned, with where it begins, in source order.
pub(crate) fn mentions<'t>(tree: &'t Tree<'_>, modules: &Modules<'_>) -> Vec<(usize, Mention<'t>)> {
    let imported = imported(tree);
    // In attributes, and inside of macros and of calls that may make anything of it, anything can be meant.
    let unknown = Regions::of(tree, |node| match node.syntax() {
        Syntax::Attribute(_) | Syntax::Tokens(_) => true,
        Syntax::Macro(call) => !is_evaluated(call),
        _ => false,
    });
    let code = tree.source().code(0..usize::MAX);
    let words: Vec<(&str, usize)> = code.map(|(word, range)| (plain(word), range.start)).collect();
    let mut mentions = Vec::with_capacity(words.len());
    for (index, &(name, start)) in words.iter().enumerate() {
        halt::step();
        let word = |back: usize| index.checked_sub(back).map_or("", |index| words[index].0);
        let is_macro = words.get(index + 1).is_some_and(|next| next.0 == "!");
        let via = if is_macro {
            Via::Macro
        } else if unknown.contain(start) {
            Via::Unknown
        } else if let Some(prefix) = imported.get(&start) {
            prefix.map_or(Via::Import, Via::Segment)
        } else {
            match (word(1), word(2)) {
                (".", _) => Via::Dot,
                ("::", segment) if segment == ">" || is_word(segment) => Via::Segment(segment),
                ("::", _) => Via::Unknown,
                _ => Via::Alone,
            }
        };
        mentions.push((start, Mention { name, via, module: modules.at(start) }));
    }
    mentions
}

/// For the words of imports, the segment before each, if there is one.
fn imported<'t>(tree: &'t Tree<'_>) -> HashMap<usize, Option<&'t str>> {
    let text = tree.source().text();
    let mut imported = HashMap::new();
    for node in tree.nodes() {
        let Syntax::UseTree(_) = node.syntax() else { continue };
        let before = before_leaf(node).map(|ident| plain(&text[ident.span().byte_range()]));
        imported.insert(node.range().start, before);
    }
    imported
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    /// Checks how the words of `text` that are `x` are mentioned: by what, in which module.
    #[track_caller]
    fn check(text: &str, expected: &[(Via<'_>, usize)]) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let found: Vec<_> =
            mentions(&tree, &Modules::of(&tree)).into_iter().filter(|(_, mention)| mention.name == "x").collect();
        assert_eq!(found.iter().map(|(_, mention)| (mention.via, mention.module)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_stands_before_a_name_says_how_it_is_meant() {
        use Via::{Alone, Dot, Segment};
        check("fn x() { x() }", &[(Alone, 0), (Alone, 0)]);
        check("fn f() { a.x; a.x(); 0..x; a.b.x }", &[(Dot, 0), (Dot, 0), (Alone, 0), (Dot, 0)]);
        check("fn f() { a::x; A::<u8>::x; self::r#x }", &[(Segment("a"), 0), (Segment(">"), 0), (Segment("self"), 0)]);
        check("fn f(a: x) -> Option<x> { x { x: 1 } }", &[(Alone, 0); 4]);
    }

    #[test]
    fn imports_lead_through_what_they_name() {
        use Via::{Alone, Import, Segment};
        check("use a::{x, b::{x, c}}; use x;", &[(Segment("a"), 0), (Segment("b"), 0), (Import, 0)]);
        check("use a::b as x; use x::*;", &[(Alone, 0), (Import, 0)]);
    }

    #[test]
    fn in_macros_and_attributes_anything_is_meant() {
        use Via::{Alone, Macro, Unknown};
        check(
            "#[x] fn f() { m!(x); x!(); assert!(x != 1); ::x(); }",
            &[(Unknown, 0), (Unknown, 0), (Macro, 0), (Alone, 0), (Unknown, 0)],
        );
        check("macro_rules! m { () => { x } } fn f() { x != 1; }", &[(Unknown, 0), (Alone, 0)]);
    }
}
