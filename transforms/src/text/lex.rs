//! Tokens of a text, by rustc's own lexer: what `Measure` counts, and where trivia is. Never fails, whatever the text.

use std::ops::Range;

use ra_ap_rustc_lexer::{FrontmatterAllowed, TokenKind, strip_shebang, tokenize};

/// Operators of more than one character that count as one token.
/// `>>` and `<<` are left out: they may belong to two generic argument lists.
pub(crate) const OPERATORS: [&str; 20] = [
    "...", "..=", "..", "::", "->", "=>", "&&", "||", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "==", "!=", "<=",
    ">=",
];

/// The kind of a [`Token`], as coarsely as the reducer needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier, keyword, literal, lifetime, operator or delimiter: what [`Measure`](crate::Measure) counts.
    Code,
    /// A comment that is no documentation.
    Comment,
    /// A doc comment, `///` or `//!` or in block form.
    Doc,
}

/// A token or comment and where it stands, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// Its bytes in the text.
    pub range: Range<usize>,
}

/// The length of what stands before the Rust text: a byte order mark, a shebang line, a frontmatter.
pub fn prefix(text: &str) -> usize {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let shebang = mark + strip_shebang(&text[mark..]).unwrap_or(0);
    let mut offset = shebang;
    for token in tokenize(&text[shebang..], FrontmatterAllowed::Yes) {
        offset += token.len as usize;
        match token.kind {
            TokenKind::Whitespace => {}
            // One that is not closed is read up to where code seems to begin, which changes with the code.
            TokenKind::Frontmatter { .. } => return if is_closed(&text[shebang..offset]) { offset } else { shebang },
            _ => break,
        }
    }
    shebang
}

/// Whether a frontmatter ends with a line of dashes.
fn is_closed(frontmatter: &str) -> bool {
    frontmatter.trim().lines().next_back().is_some_and(|last| last.starts_with("---"))
        && frontmatter.trim().contains('\n')
}

/// All tokens and comments of `text` after its [`prefix`], in order.
///
/// Linear in the length of the text.
pub fn tokens(text: &str) -> Vec<Token> {
    tokens_from(text, prefix(text))
}

/// All tokens and comments of `text` from the byte `offset` on, which is where one begins.
pub(crate) fn tokens_from(text: &str, mut offset: usize) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for raw in tokenize(&text[offset..], FrontmatterAllowed::No) {
        let range = offset..offset + raw.len as usize;
        offset = range.end;
        let kind =
            match raw.kind {
                TokenKind::Whitespace => continue,
                TokenKind::LineComment { doc_style } | TokenKind::BlockComment { doc_style, .. } => {
                    if doc_style.is_some() { Kind::Doc } else { Kind::Comment }
                }
                _ => Kind::Code,
            };
        if let Some(last) = tokens.last_mut()
            && kind == Kind::Code
            && last.range.end == range.start
            && OPERATORS.contains(&&text[last.range.start..range.end])
        {
            last.range.end = range.end;
        } else {
            tokens.push(Token { kind, range });
        }
    }
    tokens
}

/// The size of a program: tokens first, bytes to tell equals apart. Every accepted step makes it smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Measure {
    /// Code tokens; comments and documentation count nothing.
    pub tokens: usize,
    /// Bytes.
    pub bytes: usize,
}

impl Measure {
    /// Measures a text.
    pub fn of(text: &str) -> Self {
        Self { tokens: count(text), bytes: text.len() }
    }
}

/// The number of code tokens of `text`; comments and documentation count nothing.
pub(crate) fn count(text: &str) -> usize {
    tokens(text).iter().filter(|token| token.kind == Kind::Code).count()
}

/// Whether `range` lies in one of `tokens` that begins before and ends after it.
pub(crate) fn is_inside(tokens: &[Token], range: &Range<usize>) -> bool {
    let after = tokens.partition_point(|token| token.range.start < range.start);
    after.checked_sub(1).is_some_and(|index| range.end < tokens[index].range.end)
}

/// Whether replacing `range` by `text` goes on with a token that begins before it: nothing is to be kept apart then.
pub(crate) fn goes_on(tokens: &[Token], range: &Range<usize>, text: &str) -> bool {
    let is_end = |token: &Token| !text.is_empty() && range.end == token.range.end;
    around(tokens, range.start).is_some_and(|token| range.end < token.range.end || is_end(token))
}

/// The one of `tokens` that begins before the byte `at` and ends after it.
pub(crate) fn around(tokens: &[Token], at: usize) -> Option<&Token> {
    let after = tokens.partition_point(|token| token.range.start < at);
    tokens[..after].last().filter(|token| at < token.range.end)
}

/// An identifier as its name: without `r#`.
pub(crate) fn plain(text: &str) -> &str {
    text.strip_prefix("r#").unwrap_or(text)
}

/// Whether a token is a name or a keyword.
pub(crate) fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first == '_' || first.is_alphabetic())
}

/// `text` with single spaces.
pub(crate) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = tokens(text).into_iter().map(|token| &text[token.range]).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn operators_are_one_token() {
        check("a >= b..=c->d::e", &["a", ">=", "b", "..=", "c", "->", "d", "::", "e"]);
    }

    #[test]
    fn closing_angle_brackets_are_two_tokens() {
        check("A<B<C>>", &["A", "<", "B", "<", "C", ">", ">"]);
    }

    #[test]
    fn comments_are_tokens_that_do_not_count() {
        check("/// doc\nx // c\n/* d */", &["/// doc", "x", "// c", "/* d */"]);
        assert_eq!(count("/// doc\nx // c\n/* d */"), 1);
    }

    #[test]
    fn prefix_is_mark_shebang_and_frontmatter() {
        assert_eq!(prefix("fn f() {}"), 0);
        assert_eq!(prefix("\u{feff}fn f() {}"), 3);
        assert_eq!(prefix("#!/bin/x\nfn f() {}"), 8);
        assert_eq!(prefix("#![no_std]\nfn f() {}"), 0);
        assert_eq!(prefix("---\ncargo\n#![a]\nfn f() {}"), 0);
        assert_eq!(prefix("---\ncargo\n---\nfn f() {}"), "---\ncargo\n---".len());
    }

    #[test]
    fn unterminated_text_is_lexed() {
        assert_eq!(count("fn f() { \"abc"), 6);
    }
}
