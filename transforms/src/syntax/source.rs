//! One Rust file: its text and what could be parsed of it, agreeing on byte offsets. The only place that parses.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::str::FromStr;

use proc_macro2::TokenStream;

use crate::syntax::fragment::{self, Fragment, StreamPlace};
use crate::syntax::{nesting, recovery};
use crate::text::lex::{self, Kind, Token};

thread_local! {
    /// How many sources live on this thread: when none does, their spans can be given back.
    static LIVE: Cell<usize> = const { Cell::new(0) };
}

/// How much of a text was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Understanding {
    /// Not even the delimiters match: lines and characters are all there is.
    Text,
    /// Some items did not parse and are kept as token trees.
    Partial,
    /// syn parsed the whole file.
    Full,
}

/// A Rust file: its text, the syn tree over it and the fragments parsed inside macro calls.
///
/// Offsets of syn's spans are offsets into the text: a prefix of the Rust text (byte order mark, shebang, frontmatter) is
/// blanked before parsing, not cut off.
pub struct Source {
    text: String,
    tokens: Vec<Token>,
    /// How many code tokens stand before each token, and how many there are in all: brackets nest, so that counting what
    /// stands between each pair would take a time that is quadratic in the depth.
    code_before: Vec<usize>,
    file: Option<syn::File>,
    fragments: BTreeMap<StreamPlace, Fragment>,
    understanding: Understanding,
}

/// A token and its bytes.
pub(crate) type Word<'s> = (&'s str, Range<usize>);

impl Source {
    /// Parses `text`: whole where syn can, else item by item, else not at all. Never fails. To be called on a thread with
    /// [`STACK`](super::nesting::STACK) bytes of stack, as all that walks over what comes of it.
    pub fn parse(text: impl Into<String>) -> Self {
        let text = text.into();
        renew_spans();
        LIVE.set(LIVE.get() + 1);
        let tokens = lex::tokens(&text);
        let mut code_before = vec![0];
        code_before.extend(tokens.iter().scan(0, |count, token| {
            *count += usize::from(token.kind == Kind::Code);
            Some(*count)
        }));
        let mut source = Self {
            text,
            tokens,
            code_before,
            file: None,
            fragments: BTreeMap::new(),
            understanding: Understanding::Text,
        };
        let Some(stream) = stream(&source.text) else { return source };
        let (file, understanding) = match syn::parse2::<syn::File>(stream.clone()) {
            Ok(file) => (file, Understanding::Full),
            Err(_) => (recovery::recover_file(stream), Understanding::Partial),
        };
        source.fragments = fragment::find(&file);
        source.file = Some(file);
        source.understanding = understanding;
        source
    }

    /// Whether syn parses all of `text`.
    pub fn is_valid(text: &str) -> bool {
        renew_spans();
        stream(text).is_some_and(|stream| syn::parse2::<syn::File>(stream).is_ok())
    }

    /// The text as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The tree, where there is one.
    pub fn file(&self) -> Option<&syn::File> {
        self.file.as_ref()
    }

    /// How much of the text was understood.
    pub fn understanding(&self) -> Understanding {
        self.understanding
    }

    pub(crate) fn fragment(&self, place: StreamPlace) -> Option<&Fragment> {
        self.fragments.get(&place)
    }

    /// All tokens and comments, in order.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The tokens in `range` that are no comments, with their bytes.
    pub(crate) fn code(&self, range: Range<usize>) -> impl Iterator<Item = Word<'_>> {
        let first = self.tokens.partition_point(|token| token.range.start < range.start);
        let tokens = self.tokens[first..].iter().take_while(move |token| token.range.end <= range.end);
        tokens
            .filter(|token| token.kind == Kind::Code)
            .map(|token| (&self.text[token.range.clone()], token.range.clone()))
    }

    /// The brackets in `range` that match, outermost first: the opening and the closing one. By the tokens alone, also where no
    /// syntax is known.
    pub(crate) fn brackets(&self, range: Range<usize>) -> Vec<(Range<usize>, Range<usize>)> {
        let mut open: Vec<Range<usize>> = Vec::new();
        let mut brackets = Vec::new();
        for (word, token) in self.code(range) {
            let opening = match word {
                "(" | "[" | "{" => {
                    open.push(token);
                    continue;
                }
                ")" => "(",
                "]" => "[",
                "}" => "{",
                _ => continue,
            };
            if let Some(start) = open.pop_if(|start| &self.text[start.clone()] == opening) {
                brackets.push((start, token));
            }
        }
        brackets.sort_by_key(|(start, _)| start.start);
        brackets
    }

    /// `range` without the space and comments at its ends; documentation stays. Empty where it holds no token.
    pub fn trim(&self, range: Range<usize>) -> Range<usize> {
        let first = self.tokens.partition_point(|token| token.range.start < range.start);
        let end = self.tokens.partition_point(|token| token.range.start < range.end);
        let mut tokens = self.tokens[first..end.max(first)].iter().filter(|token| token.kind != Kind::Comment);
        let Some(first) = tokens.next() else { return range.start..range.start };
        first.range.start..tokens.next_back().unwrap_or(first).range.end.min(range.end)
    }

    /// How many code tokens begin in `range`.
    pub fn count(&self, range: &Range<usize>) -> usize {
        let first = self.tokens.partition_point(|token| token.range.start < range.start);
        let end = self.tokens.partition_point(|token| token.range.start < range.end);
        self.code_before[end.max(first)] - self.code_before[first]
    }
}

/// Gives the spans of this thread back where no source needs them.
fn renew_spans() {
    if LIVE.get() == 0 {
        proc_macro2::extra::invalidate_current_thread_spans();
    }
}

/// The tokens of `text`; none if it is too deep or its delimiters do not match.
fn stream(text: &str) -> Option<TokenStream> {
    if !nesting::fits(text) {
        return None;
    }
    let prefix = lex::prefix(text);
    TokenStream::from_str(&(" ".repeat(prefix) + &text[prefix..])).ok()
}

impl Drop for Source {
    fn drop(&mut self) {
        LIVE.set(LIVE.get() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_odd_item_leaves_the_others_their_tree() {
        let source = Source::parse("fn a() {} fn b( -> {} struct S;");
        assert_eq!(source.understanding(), Understanding::Text, "the parenthesis is never closed");
        let source = Source::parse("fn a() {} fn 1() { x } struct S;");
        assert_eq!(source.understanding(), Understanding::Partial);
        assert_eq!(source.file().expect("it lexes").items.len(), 3);
    }

    #[test]
    fn tokens_too_many_in_a_group_are_no_reason_to_fail() {
        let source = Source::parse("fn a() {} #[b <T>] struct S; fn c() {}");
        assert_eq!(source.understanding(), Understanding::Partial);
        assert_eq!(source.file().expect("it lexes").items.len(), 3);
        assert_eq!(Source::parse("m! { fn a() {} #[b <T>] struct S; }").understanding(), Understanding::Full);
    }

    #[test]
    fn space_and_comments_are_trimmed_and_documentation_is_not() {
        let text = "( /* a */ /// b\n c, d // e\n)";
        let source = Source::parse(text);
        assert_eq!(&text[source.trim(1..text.len() - 1)], "/// b\n c, d");
        assert_eq!(source.trim(2..9), 2..2);
    }

    #[test]
    fn code_tokens_that_begin_in_a_range_are_counted() {
        let source = Source::parse("fn f(/* a */ b: u8) {} // c");
        let count = |range: Range<usize>| source.count(&range);
        assert_eq!(
            [count(0..27), count(0..0), count(5..12), count(3..5), count(20..27), count(27..27)],
            [9, 0, 0, 2, 2, 0]
        );
    }

    #[test]
    fn a_prefix_does_not_shift_spans() {
        for prefix in ["\u{feff}", "#!/usr/bin/env x\n", "---\nkey = 1\n---\n"] {
            let text = format!("{prefix}fn é() {{}} struct S;");
            let source = Source::parse(text.clone());
            let item = &source.file().expect("it parses").items[1];
            let range = syn::spanned::Spanned::span(item).byte_range();
            assert_eq!(&text[range], "struct S;");
        }
    }
}
