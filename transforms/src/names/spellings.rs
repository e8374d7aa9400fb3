//! Where the names of a file occur: by their text, and as finely as tokens tell what they mean.

use std::collections::BTreeMap;
use std::ops::Range;

use super::own_names::OwnNames;
use crate::syntax::generics::is_primitive;
use crate::syntax::regions::Regions;
use crate::syntax::tree::{Syntax, Tree};
use crate::text::format;
use crate::text::lex::plain;
use crate::text::lex::{Kind, Token};

/// What an occurrence of a name can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    /// Anything.
    Any,
    /// A field or a method: it follows a point, or a colon follows it in a struct.
    Member,
    /// A macro that is called.
    Macro,
}

/// Where a name occurs.
#[derive(Debug)]
pub(crate) struct Spelling {
    /// The bytes of the name.
    pub(crate) range: Range<usize>,
    /// What it can mean there.
    pub(crate) role: Sense,
}

/// The names of a file.
pub(crate) struct Spellings<'s> {
    /// What is defined, and what comes from outside.
    pub(crate) definitions: OwnNames<'s>,
    /// Where every name of the file occurs, in source order; attributes are left out.
    pub(crate) occurrences: BTreeMap<&'s str, Vec<Spelling>>,
}

impl<'s> Spellings<'s> {
    /// Reads the names of `tree`. Linear in the size of the file but for sorting.
    pub(crate) fn of(tree: &'s Tree<'_>) -> Self {
        let mut names = Spellings { definitions: OwnNames::of(tree), occurrences: BTreeMap::new() };
        names.read(tree);
        names
    }

    /// Where `name` occurs and means something that the file defines.
    pub(crate) fn own_occurrences(&self, name: &str) -> impl Iterator<Item = &Spelling> {
        let (member, called) = (self.definitions.members.contains(name), self.definitions.macros.contains(name));
        self.occurrences.get(name).into_iter().flatten().filter(move |occurrence| match occurrence.role {
            Sense::Any => true,
            Sense::Member => member,
            Sense::Macro => called,
        })
    }

    /// How often `name` occurs in `range`.
    pub(crate) fn count(&self, name: &str, range: &Range<usize>) -> usize {
        let Some(occurrences) = self.occurrences.get(name) else { return 0 };
        let before = |byte: usize| occurrences.partition_point(|occurrence| occurrence.range.start < byte);
        before(range.end) - before(range.start)
    }

    fn read(&mut self, tree: &'s Tree<'_>) {
        let source = tree.source();
        let source_text = source.text();
        let tokens: Vec<&Token> = source.tokens().iter().filter(|token| token.kind == Kind::Code).collect();
        let text = |index: usize| tokens.get(index).map_or("", |token| &source_text[token.range.clone()]);
        let before = |index: usize, steps: usize| index.checked_sub(steps).map_or("", text);
        let attributes = Regions::of(tree, |node| matches!(node.syntax(), Syntax::Attribute(_)));
        let calls = Regions::of(tree, |node| matches!(node.syntax(), Syntax::Macro(_)));
        for (index, token) in tokens.iter().enumerate() {
            let start = token.range.start;
            let in_attribute = attributes.contain(start);
            let formats = calls.contain(start) || in_attribute;
            if formats && is_string(text(index)) {
                for name in format::placeholders(text(index)).into_iter().flat_map(|placeholder| placeholder.names) {
                    let range = start + name.start..start + name.end;
                    let occurrences = self.occurrences.entry(&source_text[range.clone()]).or_default();
                    occurrences.push(Spelling { range, role: Sense::Any });
                }
            }
            // Those of attributes and specifiers of fragments among the tokens of a macro are names of the compiler.
            let is_specifier = before(index, 1) == ":" && before(index, 3) == "$";
            let is_attribute =
                before(index, 1) == "[" && matches!((before(index, 2), before(index, 3)), ("#", _) | ("!", "#"));
            if in_attribute || is_attribute || is_specifier || !is_name(text(index)) {
                continue;
            }
            let role = match () {
                () if before(index, 1) == "." || self.definitions.fields.contains(&start) => Sense::Member,
                () if text(index + 1) == "!" && matches!(text(index + 2), "(" | "[" | "{") => Sense::Macro,
                () => Sense::Any,
            };
            if before(index, 1) == "::" && is_outside(index, &self.definitions, &before) {
                self.definitions.foreign.insert(plain(text(index)).to_owned());
            }
            let occurrences = self.occurrences.entry(plain(text(index))).or_default();
            occurrences.push(Spelling { range: token.range.clone(), role });
        }
    }
}

/// Whether the path that leads to the token at `index` begins outside the file.
fn is_outside<'t>(index: usize, definitions: &OwnNames<'_>, before: &impl Fn(usize, usize) -> &'t str) -> bool {
    let mut steps = 0;
    while before(index, steps + 1) == "::" && is_name(before(index, steps + 2)) {
        steps += 2;
    }
    let root = before(index, steps);
    match before(index, steps + 1) {
        // `<T as Trait>::name` may be anybody's.
        "::" => before(index, steps + 2) != ">",
        // A function or constant of a trait of the file may be meant.
        _ if is_primitive(root) => {
            let name = plain(before(index, 0));
            steps != 2 || !definitions.members.contains(name) && !definitions.constants.contains(name)
        }
        _ => !definitions.is_own_root(root),
    }
}

fn is_string(token: &str) -> bool {
    token.starts_with(['"', 'r', 'b', 'c']) && token.ends_with(['"', '#'])
}

/// Whether a token is an identifier, a keyword or a lifetime.
fn is_name(token: &str) -> bool {
    let name = plain(token.strip_prefix('\'').unwrap_or(token));
    name.starts_with(|c: char| c == '_' || c.is_alphabetic() || !c.is_ascii())
        && name.chars().all(|c| c == '_' || c.is_alphanumeric() || !c.is_ascii())
}
