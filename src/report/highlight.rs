//! The parts of a Rust text that a reader sees in colours: on a terminal and on a page.

use std::ops::Range;

use mcve_transforms::{Kind, tokens};

/// What a part of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// A keyword.
    Keyword,
    /// A name that begins with a capital letter: most likely a type, a trait or a variant.
    Type,
    /// A name in front of `!`.
    Macro,
    /// A string, a character, a number.
    Literal,
    /// A lifetime or a label.
    Lifetime,
    /// A comment or documentation.
    Comment,
}

/// The words that rustc reserves, without those that are names in most places.
const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "false", "fn",
    "for", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "type", "unsafe", "use", "where", "while", "yield",
];

/// The parts of `text` that have a class, in order, with their bytes.
pub(crate) fn classes(text: &str) -> Vec<(Range<usize>, Class)> {
    let tokens = tokens(text);
    let next = |at: usize| tokens.get(at + 1).map(|token| &text[token.range.clone()]);
    let class = |(at, kind, token): (usize, Kind, &str)| match token.as_bytes() {
        _ if kind != Kind::Code => Some(Class::Comment),
        [b'\'', rest @ ..] if !rest.ends_with(b"\'") => Some(Class::Lifetime),
        [b'"' | b'\'' | b'0'..=b'9', ..] => Some(Class::Literal),
        [b'b' | b'c' | b'r', rest @ ..] if rest.contains(&b'"') || rest.ends_with(b"\'") => Some(Class::Literal),
        _ if KEYWORDS.contains(&token) => Some(Class::Keyword),
        [first, ..] if first.is_ascii_uppercase() => Some(Class::Type),
        [first, ..] if (first.is_ascii_alphabetic() || *first == b'_') && next(at) == Some("!") => Some(Class::Macro),
        _ => None,
    };
    let all = tokens.iter().enumerate();
    all.filter_map(|(at, token)| Some((token.range.clone(), class((at, token.kind, &text[token.range.clone()]))?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_its_class() {
        let text = "/// d\nfn f<'a>(x: &'a Vec<u8>) { println!(\"{}\", b'x'); r#\"y\"#; 1.5 != 2 } // c";
        let found: Vec<(&str, Class)> = classes(text).into_iter().map(|(range, class)| (&text[range], class)).collect();
        use Class::{Comment, Keyword, Lifetime, Literal, Macro, Type};
        let expected = [
            ("/// d", Comment),
            ("fn", Keyword),
            ("'a", Lifetime),
            ("'a", Lifetime),
            ("Vec", Type),
            ("println", Macro),
            ("\"{}\"", Literal),
            ("b'x'", Literal),
            ("r#\"y\"#", Literal),
            ("1.5", Literal),
            ("2", Literal),
            ("// c", Comment),
        ];
        assert_eq!(found, expected);
    }
}
