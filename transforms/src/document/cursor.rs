//! A cursor over the code tokens of a document.

use std::ops::Range;

use crate::text::lex::{self, Kind};

/// A place among the code tokens of a text.
pub(super) struct Cursor<'t> {
    text: &'t str,
    tokens: Vec<Range<usize>>,
    next: usize,
}

impl<'t> Cursor<'t> {
    /// Before the first token of `text`.
    pub(super) fn new(text: &'t str) -> Self {
        let code = lex::tokens(text).into_iter().filter(|token| token.kind == Kind::Code);
        Self { text, tokens: code.map(|token| token.range).collect(), next: 0 }
    }

    /// The text of the token `ahead` tokens after the next.
    pub(super) fn peek(&self, ahead: usize) -> &'t str {
        self.tokens.get(self.next + ahead).map_or("", |range| &self.text[range.clone()])
    }

    /// The bytes of the next token; after the last, the end of the text.
    pub(super) fn range(&self) -> Range<usize> {
        self.tokens.get(self.next).cloned().unwrap_or(self.text.len()..self.text.len())
    }

    /// The end of the token before.
    pub(super) fn behind(&self) -> usize {
        self.next.checked_sub(1).map_or(0, |before| self.tokens[before].end)
    }

    /// Whether there is no token left.
    pub(super) fn is_at_end(&self) -> bool {
        self.next >= self.tokens.len()
    }

    pub(super) fn skip(&mut self) {
        self.next += 1;
    }

    /// Passes these tokens, if they are the next ones.
    pub(super) fn accept(&mut self, words: &[&str]) -> bool {
        let is_next = words.iter().enumerate().all(|(ahead, word)| self.peek(ahead) == *word);
        self.next += if is_next { words.len() } else { 0 };
        is_next
    }

    /// Passes a group whose opening delimiter is the next token; `None` if it is not closed.
    pub(super) fn group(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        while !self.is_at_end() {
            match self.peek(0) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            self.skip();
            if depth == 0 {
                return Some(());
            }
        }
        None
    }

    /// Passes string literals with commas between them, up to the delimiter `close`; `None` if something else is there.
    pub(super) fn literals(&mut self, close: &str) -> Option<Vec<(Range<usize>, Vec<u8>)>> {
        let mut found = Vec::new();
        while !self.accept(&[close]) {
            found.push((self.range(), bytes(self.peek(0))?));
            self.skip();
            if !self.accept(&[","]) && self.peek(0) != close {
                return None;
            }
        }
        Some(found)
    }
}

/// The value of a string literal or byte string literal.
fn bytes(literal: &str) -> Option<Vec<u8>> {
    match syn::parse_str::<syn::Lit>(literal).ok()? {
        syn::Lit::Str(text) => Some(text.value().into_bytes()),
        syn::Lit::ByteStr(bytes) => Some(bytes.value()),
        _ => None,
    }
}
