//! Keeps the items that the user wants to keep, except for their layout.

use std::ops::Range;
use std::path::Path;

use mcve_transforms::{Kind, Node, Source, Syntax, Tree, item_name, marks_test, tokens};
use syn::{Item, Type};

use super::filter::{Filter, Phase};
use super::proposal::Proposal;
use crate::program::Program;

/// Admits what still has certain items, token by token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    items: Vec<KeptItem>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeptItem {
    /// As the program has it; none where it may be a part of something else.
    text: Option<String>,
    /// The text token by token.
    words: String,
    /// How often the program has it.
    times: usize,
}

impl KeptItem {
    /// A part of a text, token by token.
    pub(super) fn of_words(text: &str) -> Self {
        let words = words(text);
        let words = words.strip_suffix(", ").map_or(words.clone(), str::to_owned);
        Self { text: None, words, times: 1 }
    }
}

impl Kept {
    /// The items that `name` names in a program: a file, by its path in the program, or an item or method, such as `map::Map::get`, of whose path
    /// the first parts may be left out. Of a file all items stay, but for its tests and the modules that have files of their own.
    ///
    /// # Errors
    /// With the name, where it names nothing.
    pub fn of(program: &Program, name: &str) -> Result<Self, String> {
        let items = if is_file(name) { items_of_file(program, name) } else { items_called(program, name) };
        if items.is_empty() { Err(name.to_owned()) } else { Ok(Self { items }) }
    }

    /// These parts; each as often as it is there.
    pub(super) fn words(parts: Vec<KeptItem>) -> Self {
        let mut items: Vec<KeptItem> = Vec::new();
        for part in parts.into_iter().filter(|part| !part.words.trim().is_empty()) {
            match items.iter_mut().find(|item| item.words == part.words) {
                Some(item) => item.times += 1,
                None => items.push(part),
            }
        }
        Self { items }
    }

    /// Whether nothing has to stay.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub(super) fn are_in(&self, program: &Program) -> bool {
        let is_there = |item: &KeptItem| item.text.as_ref().is_some_and(|text| program.text.contains(text));
        let mut others = self.items.iter().filter(|item| !is_there(item)).peekable();
        if others.peek().is_none() {
            return true;
        }
        let words = words(&program.text);
        others.all(|item| has(&words, item))
    }
}

impl FromIterator<Self> for Kept {
    fn from_iter<I: IntoIterator<Item = Self>>(all: I) -> Self {
        Self { items: all.into_iter().flat_map(|kept| kept.items).collect() }
    }
}

impl Filter for Kept {
    fn name(&self) -> &'static str {
        "kept"
    }

    fn applies(&self, _: Phase) -> bool {
        !self.items.is_empty()
    }

    fn proposes(&self, base: &Program, reduction: &mcve_transforms::Reduction) -> bool {
        self.are_in(&base.reduced_by([reduction]))
    }

    fn admits(&mut self, proposal: &Proposal<'_>) -> bool {
        self.are_in(proposal.program())
    }

    fn fork(&self) -> Box<dyn Filter> {
        Box::new(self.clone())
    }
}

/// Whether tokens have an item as often as they have to.
fn has(mut words: &str, item: &KeptItem) -> bool {
    for _ in 0..item.times {
        let Some(at) = words.find(&item.words) else { return false };
        // The space at its end begins what follows.
        words = &words[at + item.words.len() - 1..];
    }
    true
}

/// The tokens of a text, each between spaces, without comments and last commas.
fn words(text: &str) -> String {
    let code = tokens(text).into_iter().filter(|token| token.kind == Kind::Code);
    let mut words: Vec<&str> = Vec::new();
    for token in code {
        let word = &text[token.range];
        // A last comma belongs to the layout.
        if matches!(word, ")" | "]" | "}" | ">") && words.last() == Some(&",") {
            words.pop();
        }
        words.push(word);
    }
    format!(" {} ", words.join(" "))
}

fn kept_item(text: &str) -> KeptItem {
    KeptItem { text: Some(text.to_owned()), words: words(text), times: 1 }
}

fn is_file(name: &str) -> bool {
    name.ends_with(".rs") || name.contains('/')
}

/// The items of the file at this path.
fn items_of_file(program: &Program, name: &str) -> Vec<KeptItem> {
    let files = program.files();
    let Some((_, file)) = files.iter().find(|(path, _)| path == Path::new(name)) else { return Vec::new() };
    let text = String::from_utf8_lossy(&file.bytes);
    let source = Source::parse(&*text);
    let tree = Tree::new(&source);
    let is_inner = |node: Node<'_>| node.ancestors().any(|outer| matches!(outer.syntax(), Syntax::Item(_)));
    let items = tree.nodes().filter_map(|node| match node.syntax() {
        Syntax::Item(item) if !is_inner(node) && stays(item) => Some(kept_item(&text[node.range()])),
        _ => None,
    });
    items.collect()
}

/// Whether an item of a file stays with it.
fn stays(item: &Item) -> bool {
    match item {
        Item::Mod(item) => item.content.is_some() && !item.attrs.iter().any(marks_test),
        Item::Fn(item) => !item.attrs.iter().any(marks_test),
        _ => true,
    }
}

/// The items and methods whose path ends with these names.
fn items_called(program: &Program, name: &str) -> Vec<KeptItem> {
    let wanted: Vec<&str> = name.split("::").filter(|part| !part.is_empty() && *part != "crate").collect();
    let text = &program.text[..program.lists()];
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for node in tree.nodes() {
        let Some(own) = name_of(node) else { continue };
        let mut path: Vec<String> = node.ancestors().filter_map(name_of).collect();
        path.reverse();
        path.push(own);
        let is_it = wanted.len() <= path.len() && path[path.len() - wanted.len()..].iter().eq(wanted.iter());
        // What it is in comes first, and has it.
        if is_it && !ranges.iter().any(|range| range.contains(&node.range().start)) {
            ranges.push(node.range());
        }
    }
    ranges.into_iter().map(|range| kept_item(&text[range])).collect()
}

/// The name of an item; of an `impl`, that of its type.
fn name_of(node: Node<'_>) -> Option<String> {
    match node.syntax() {
        Syntax::Item(Item::Impl(item)) => match &*item.self_ty {
            Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
            _ => None,
        },
        _ => item_name(node).map(ToString::to_string),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str =
        "mod a { struct S; impl S { fn f(&self) { g() } fn h(&self) {} } } fn g() {} #[cfg(test)] mod tests {}";

    /// Checks what of the program stays by a name.
    #[track_caller]
    fn check(name: &str, expected: &[&str]) {
        let program = Program::new("lib.rs", PROGRAM);
        let kept = Kept::of(&program, name).map(|kept| kept.items);
        let texts = kept.map(|items| items.into_iter().filter_map(|item| item.text).collect::<Vec<_>>());
        assert_eq!(
            texts,
            if expected.is_empty() {
                Err(name.to_owned())
            } else {
                Ok(expected.iter().map(|&text| text.to_owned()).collect())
            }
        );
    }

    #[test]
    fn items_are_found_by_their_path_and_files_by_theirs() {
        check("S::f", &["fn f(&self) { g() }"]);
        check("a::S", &["struct S;", "impl S { fn f(&self) { g() } fn h(&self) {} }"]);
        check("crate::g", &["fn g() {}"]);
        check("b::g", &[]);
        check("lib.rs", &["mod a { struct S; impl S { fn f(&self) { g() } fn h(&self) {} } }", "fn g() {}"]);
        check("src/lib.rs", &[]);
    }

    #[test]
    fn layout_may_change_and_tokens_may_not() {
        let program = Program::new("a.rs", PROGRAM);
        let kept: Kept = ["g", "S::f"].map(|name| Kept::of(&program, name).expect("it is there")).into_iter().collect();
        assert!(kept.are_in(&Program::new("a.rs", "fn g() {\n}\nimpl S { fn f(&self) {\n g() // all\n } }")));
        assert!(!kept.are_in(&Program::new("a.rs", "fn g() {} fn f(&self) {}")));
    }
}
