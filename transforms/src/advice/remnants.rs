//! What may come from the source of a program when all names are neutral: other names, words in texts, numbers, comments.

use std::collections::HashMap;
use std::ops::Range;

use super::naming::{Naming, Roles, neutral_names};
use crate::document::Document;
use crate::families::names::shortening::is_reserved;
use crate::families::text::comments::is_header;
use crate::names::Analysis;
use crate::syntax::occurrences::is_name;
use crate::text::Edit;
use crate::text::lex::{Kind, plain, prefix};
use crate::text::literal::{neutral_number, neutral_word, string_words};

/// The word that a name gets that mcve does not know, before its number.
const NEUTRAL: [&str; 3] = ["'name", "Name", "name"];

/// Words of Rust that say nothing, besides keywords and primitive types.
const WELL_KNOWN: &str = "_ '_ 'static std core alloc derive cfg test allow deny feature repr inline fmt ops print println \
    format panic assert assert_eq vec write Option Some None Result Ok Err Vec Box String Clone Copy Debug Default PartialEq \
    Eq Send Sync Sized Drop Fn FnMut FnOnce From Into Iterator Item Output clone drop from into iter len new unwrap expr ident";

/// A word, number or comment that may come from the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remnant {
    /// As it is written.
    pub text: String,
    /// What it is, in words.
    pub kind: &'static str,
    /// Whether it is a name, and not a part of a text, a number or a comment.
    pub is_name: bool,
    /// What can stand in its place.
    pub other: String,
    /// The edits that put it there everywhere.
    pub edits: Vec<Edit>,
}

/// All that may come from the source, each once, in the order of the text. Names that `naming` gives do not.
pub fn remnants(analysis: &Analysis<'_>, naming: Naming) -> Vec<Remnant> {
    let (source, neutral, roles) = (analysis.tree().source(), neutral_names(analysis, naming), Roles::of(analysis));
    let text = source.text();
    let (mut found, mut known): (Vec<Remnant>, HashMap<(bool, &str), usize>) = (Vec::new(), HashMap::new());
    let mut add = |kind: &'static str, at: Range<usize>, other: Option<String>| {
        let is_name = other.is_none();
        let word = if is_name { plain(&text[at.clone()]) } else { &text[at.clone()] };
        let index = *known.entry((is_name, word)).or_insert(found.len());
        if index == found.len() {
            let form = [word.starts_with('\''), word.starts_with(char::is_uppercase), true].iter().position(|is| *is);
            let form = NEUTRAL[form.unwrap_or_default()];
            let other = other.unwrap_or_else(|| format!("{form}{}", index + 1));
            found.push(Remnant { text: word.to_owned(), kind, is_name, other, edits: Vec::new() });
        }
        let edit = Edit::replace(at, &*found[index].other);
        found[index].edits.push(edit);
    };
    let is_number = |rest: &str| rest.parse::<usize>().is_ok();
    let is_given = |word: &str| NEUTRAL.iter().any(|form| word.strip_prefix(form).is_some_and(is_number));
    let is_well_known = |word: &str| WELL_KNOWN.split(' ').any(|own| own == word) || is_reserved(word);
    let says_nothing = |word: &str| is_well_known(word) || neutral.contains(word) || is_given(word);
    (prefix(text) > 0).then(|| add("comment", 0..prefix(text), Some(String::new())));
    for token in source.tokens() {
        let (word, at) = (&text[token.range.clone()], token.range.clone());
        if token.kind == Kind::Comment && is_header(word) {
            add("header", at, Some(word.to_owned()));
        } else if token.kind != Kind::Code {
            add("comment", at, Some(String::new()));
        } else if word.starts_with(|first: char| first.is_ascii_digit()) {
            neutral_number(word).into_iter().for_each(|other| add("number", at.clone(), Some(other)));
        } else if is_name(plain(word)) {
            let is_mark = Document::SIGN.strip_suffix("::") == Some(word) || text[..at.start].ends_with(Document::SIGN);
            let own = analysis.definitions().named(plain(word)).next();
            if !is_mark && !says_nothing(if is_reserved(plain(word)) { word } else { plain(word) }) {
                add(own.map_or("name", |own| roles.at(own.range().start).kind), at, None);
            }
        } else {
            let parts = string_words(word).into_iter().filter(|part| !says_nothing(&word[part.clone()]));
            let parts = parts.filter_map(|part| Some((neutral_word(&word[part.clone()])?, part)));
            parts.for_each(|(other, part)| add("text", at.start + part.start..at.start + part.end, Some(other)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Tree;
    use crate::syntax::source::Source;

    const SCRUB: Naming = Naming { scrub: true, readable: false };

    /// Checks what may come from the source, each with the first text that can stand in its place.
    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str, &str)]) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let found = remnants(&Analysis::of(&tree), SCRUB);
        let found: Vec<_> = found.iter().map(|it| (it.kind, &*it.text, &*it.other)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn names_that_are_not_neutral_may_come_from_the_source() {
        check("fn f(x: u8) -> Slice<Self> { x.copied() }", &[("name", "Slice", "Name1"), ("name", "copied", "name2")]);
        check("struct Bill; #[pay(Bill)] fn f() {}", &[("type", "Bill", "Name1"), ("name", "pay", "name2")]);
        check("fn f<'a>(x: &'static u8, y: name3) -> &'_ r#type {}", &[("name", "type", "name1")]);
    }

    #[test]
    fn so_may_texts_numbers_and_comments() {
        check(
            "//@ edition: 2024\nconst N: &str = \"acme a, {} aaaa \\n\\u{e9}ACME2\"; // why\n",
            &[
                ("header", "//@ edition: 2024", "//@ edition: 2024"),
                ("text", "acme", "aaaa"),
                ("text", "ACME2", "AAAA0"),
                ("comment", "// why", ""),
            ],
        );
        check(
            "const N: f64 = 1234_u64 + 0xff + 12.5f32 + 3 + 1000;",
            &[
                ("number", "1234_u64", "1u64"),
                ("number", "0xff", "1"),
                ("number", "12.5f32", "1.0f32"),
                ("number", "1000", "1"),
            ],
        );
    }

    #[test]
    fn each_is_there_once_with_all_its_places() {
        let source = Source::parse("const N: u8 = b\"log\"[log(log)];");
        let tree = Tree::new(&source);
        let found = remnants(&Analysis::of(&tree), SCRUB);
        assert_eq!(found.iter().map(|it| it.edits.len()).collect::<Vec<_>>(), [1, 2]);
    }
}
