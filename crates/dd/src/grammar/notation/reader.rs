//! Reads a text from left to right: words, escapes, places.

use std::fmt;

use crate::grammar::position::TextPosition;

/// What is wrong with a grammar, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// The place.
    pub place: TextPosition,
    /// What is wrong, in words.
    pub message: String,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for NotationError {}

#[derive(Clone)]
pub(super) struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += char.len_utf8();
        Some(char)
    }

    /// Passes `word` if it is next.
    pub(super) fn takes(&mut self, word: &str) -> bool {
        let is_next = self.rest().starts_with(word);
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    /// Passes all characters that are `of` a kind.
    pub(super) fn take_while(&mut self, of: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|char| !of(char)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// What was read since `start`, which was a [`mark`](Self::mark).
    pub(super) fn since(&self, start: usize) -> &'t str {
        &self.text[start..self.at]
    }

    /// The place of the reader.
    pub(super) fn mark(&self) -> usize {
        self.at
    }

    /// Passes blanks, and comments that begin with one of `lines` and end with the line, or stand between `/*` and `*/`.
    pub(super) fn pass_blanks(&mut self, lines: &[&str]) -> Result<(), NotationError> {
        loop {
            self.take_while(char::is_whitespace);
            if lines.iter().any(|begin| self.takes(begin)) {
                self.take_while(|char| char != '\n');
            } else if self.rest().starts_with("/*") {
                let Some(length) = self.rest().find("*/") else { return Err(self.error("this comment has no end")) };
                self.at += length + 2;
            } else {
                return Ok(());
            }
        }
    }

    pub(super) fn error(&self, message: impl Into<String>) -> NotationError {
        self.error_at(self.at, message)
    }

    pub(super) fn error_at(&self, mark: usize, message: impl Into<String>) -> NotationError {
        NotationError { place: TextPosition::of(self.text, mark), message: message.into() }
    }

    /// An error here, where something else was `expected`.
    pub(super) fn expected(&self, expected: impl fmt::Display) -> NotationError {
        let found = self.peek().map_or("the end".to_owned(), |char| format!("`{char}`"));
        self.error(format!("found {found}, expected {expected}"))
    }

    /// Passes `word`, which has to be next.
    pub(super) fn expect(&mut self, word: &str) -> Result<(), NotationError> {
        if self.takes(word) { Ok(()) } else { Err(self.expected(format_args!("`{word}`"))) }
    }

    /// Reads the text up to the quote that was just passed.
    pub(super) fn quoted(&mut self, quote: char) -> Result<String, NotationError> {
        let (start, mut text) = (self.at, String::new());
        loop {
            match self.peek() {
                None | Some('\n') => return Err(self.error_at(start, "this text has no closing quote in its line")),
                Some(char) if char == quote => {
                    self.next();
                    return Ok(text);
                }
                Some('\\') => text.push(self.escaped()?),
                Some(char) => {
                    text.push(char);
                    self.next();
                }
            }
        }
    }

    /// Reads what begins with a backslash.
    pub(super) fn escaped(&mut self) -> Result<char, NotationError> {
        let start = self.at;
        self.takes("\\");
        let code = match self.next() {
            Some('n') => return Ok('\n'),
            Some('r') => return Ok('\r'),
            Some('t') => return Ok('\t'),
            Some('b') => return Ok('\u{8}'),
            Some('f') => return Ok('\u{c}'),
            Some('v') => return Ok('\u{b}'),
            Some('0') => return Ok('\0'),
            Some('x') => self.digits(2),
            Some('u') if self.takes("{") => {
                let digits = self.take_while(|char| char.is_ascii_hexdigit());
                if self.takes("}") { digits } else { "" }
            }
            Some('u') => self.digits(4),
            Some(char) if !char.is_alphanumeric() => return Ok(char),
            _ => "",
        };
        self.char_of(code, start)
    }

    /// Reads a character by its number, as in `#x20`, if one is next.
    pub(super) fn numbered(&mut self) -> Result<Option<char>, NotationError> {
        let start = self.at;
        if !self.takes("#x") {
            return Ok(None);
        }
        let digits = self.take_while(|char| char.is_ascii_hexdigit());
        self.char_of(digits, start).map(Some)
    }

    /// The character of this number of base 16, which was read since `start`.
    fn char_of(&self, digits: &str, start: usize) -> Result<char, NotationError> {
        let char = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        char.ok_or_else(|| self.error_at(start, format!("`{}` is not a character", self.since(start))))
    }

    /// So many digits of base 16, or nothing.
    fn digits(&mut self, count: usize) -> &'t str {
        let rest = self.rest();
        let length = rest.bytes().take(count).take_while(u8::is_ascii_hexdigit).count();
        self.at += length;
        if length == count { &rest[..length] } else { "" }
    }
}
