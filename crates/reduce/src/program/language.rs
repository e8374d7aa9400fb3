//! The language of a program: Rust, or another text, or bytes.

use std::borrow::Cow;
use std::path::Path;
use std::sync::LazyLock;

use mcve_transforms::{Source, Understanding};
use regex::Regex;

/// What the text of a program is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// Rust, which is parsed.
    #[default]
    Rust,
    /// Any other text.
    Text,
    /// Bytes that are no text. Each character of the program's text, up to U+00FF, is a byte of the file.
    Bytes,
}

impl Language {
    /// The language of a file, by its name and content. A file with the extension `rs` is Rust. So is any other file that syn can parse,
    /// and a file without an extension in which something looks like Rust.
    pub fn of(name: &Path, bytes: &[u8]) -> Self {
        let extension = name.extension();
        if extension.is_some_and(|extension| extension == "rs") {
            return Self::Rust;
        }
        let Ok(text) = std::str::from_utf8(bytes) else { return Self::Bytes };
        let is_parsed = || Source::parse(text).understanding() == Understanding::Full;
        if extension.is_none() && looks_like_rust(text) || is_parsed() { Self::Rust } else { Self::Text }
    }

    /// What the size of a program counts.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Rust => "tokens",
            Self::Text => "characters",
            Self::Bytes => "bytes",
        }
    }

    /// The bytes of the file with this text.
    pub fn encode(self, text: &str) -> Cow<'_, [u8]> {
        match self {
            Self::Rust | Self::Text => Cow::Borrowed(text.as_bytes()),
            // A reduction only deletes, so there are no other characters.
            Self::Bytes => text.chars().map(|char| u8::try_from(char).unwrap_or(b'?')).collect(),
        }
    }
}

/// An item, a macro call or an attribute: nearly every Rust file has one, also a file with syntax errors.
static ITEM: LazyLock<Regex> = LazyLock::new(|| {
    let item = r"\b(fn|struct|enum|trait|mod|const|static|type|union|macro|crate)\s+\w|\b(impl|use)\b.*[:{;<]|\w!\s*[\w(\[{]|#!?\[";
    Regex::new(item).expect("it is a regular expression")
});

pub(crate) fn looks_like_rust(text: &str) -> bool {
    ITEM.is_match(text)
}

/// A text with a character for each byte.
pub(super) fn decode(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_told_by_name_and_content() {
        let of = |name: &str, text: &[u8]| Language::of(Path::new(name), text);
        assert_eq!(of("a.rs", b"( x"), Language::Rust);
        assert_eq!(of("a", b"fn f( {"), Language::Rust);
        assert_eq!(of("a.txt", b"fn f() {}"), Language::Rust);
        assert_eq!(of("a.txt", b"fn f( {"), Language::Text);
        assert_eq!(of("a", b"SELECT 1"), Language::Text);
        assert_eq!(of("a", b"\xff\0"), Language::Bytes);
    }

    #[test]
    fn each_byte_is_a_character() {
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        let text = decode(&bytes);
        assert_eq!(text.chars().count(), bytes.len());
        assert_eq!(&*Language::Bytes.encode(&text), &bytes[..]);
        assert_eq!(&*Language::Text.encode("\u{e9}"), "\u{e9}".as_bytes());
    }
}
