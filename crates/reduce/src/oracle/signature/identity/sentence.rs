//! A sentence of a compiler, in a form that can be compared while names change and types shrink.
//!
//! Between backticks is code. Of a type there what stands outside of its generic arguments counts, its *head*: the sentence is
//! about a `MutexGuard`, whatever it guards. The arguments of a trait are heads as well: `Sum<u64>` is another bound than
//! `Sum<u8>`. In a note that says what was expected and what was found, rustc leaves out what both types share; there all counts.

use mcve_transforms::{Kind, tokens};

use super::names::Names;

/// The words of a sentence that count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sentence(Vec<Atom>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Atom {
    /// A word outside of code.
    Word(String),
    /// A token of code.
    Code(String),
}

/// Words behind which the code is a trait.
const BEFORE_TRAITS: [&str; 4] = ["trait", "traits", "implement", "bound"];

/// The placeholder for any number.
const NUMBER: &str = "#";

impl Sentence {
    pub(crate) fn read(text: &str) -> Self {
        let is_comparison = text.starts_with("expected ") && text.contains("\n") && text.contains("found ");
        let mut atoms = Vec::new();
        for (index, piece) in text.split('`').enumerate() {
            if index % 2 == 0 {
                atoms.extend(piece.split_whitespace().filter_map(word).map(Atom::Word));
                continue;
            }
            let is_trait = matches!(atoms.last(), Some(Atom::Word(word)) if BEFORE_TRAITS.contains(&word.as_str()));
            let code = Code { is_comparison, is_trait, depth: Vec::new() }.read(piece);
            atoms.extend(code.into_iter().map(Atom::Code));
        }
        Self(atoms)
    }

    /// Whether the other is the same sentence. `names` says which names are the same.
    pub(crate) fn is_same(&self, other: &Self, names: &Names<'_>) -> bool {
        let is_same = |(own, other): (&Atom, &Atom)| match (own, other) {
            (Atom::Word(own), Atom::Word(other)) => own == other || names.are_same(own, other),
            (Atom::Code(own), Atom::Code(other)) => names.are_same(own, other),
            _ => false,
        };
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(is_same)
    }

    pub(crate) fn without_code(self) -> Self {
        Self(self.0.into_iter().filter(|atom| matches!(atom, Atom::Word(_))).collect())
    }

    pub(crate) fn begins_with(&self, words: &str) -> bool {
        let mut own = self.0.iter();
        let mut words = words.split_whitespace().filter_map(word);
        words.all(|word| matches!(own.next(), Some(Atom::Word(own)) if *own == word))
    }
}

/// A word without its punctuation, with `#` for numbers, and in the singular; none if nothing is left.
fn word(text: &str) -> Option<String> {
    let word = text.trim_matches(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'');
    if word.is_empty() {
        return None;
    }
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(NUMBER.to_owned());
    }
    Some(match word {
        "was" | "were" => "was".to_owned(),
        "is" | "are" => "is".to_owned(),
        "an" => "a".to_owned(),
        _ if word.len() > 3 && !word.ends_with("ss") => word.strip_suffix('s').unwrap_or(word).to_owned(),
        _ => word.to_owned(),
    })
}

/// Reads code that a message quotes.
struct Code {
    /// Whether everything counts.
    is_comparison: bool,
    /// Whether what comes next is a trait, whose arguments count.
    is_trait: bool,
    /// For each open delimiter, whether what it holds counts no more.
    depth: Vec<bool>,
}

impl Code {
    fn read(mut self, text: &str) -> Vec<String> {
        let text = without_places(text);
        let code = tokens(&text).into_iter().filter(|token| token.kind == Kind::Code);
        let words: Vec<&str> = code.map(|token| &text[token.range]).collect();
        let mut code: Vec<String> = Vec::new();
        for (index, &word) in words.iter().enumerate() {
            let next = words.get(index + 1).copied().unwrap_or_default();
            let is_inside = self.depth.iter().any(|&inside| inside);
            match word {
                "<" => {
                    let is_qualified = index == 0 || !is_name(words[index - 1]) && words[index - 1] != "::";
                    self.depth.push(!(self.is_trait || is_qualified || self.is_comparison));
                    self.is_trait = false;
                }
                "(" | "[" | "{" => {
                    let is_wrapped = matches!(next, "dyn" | "impl") || word == "{";
                    self.depth.push(!(self.is_trait || is_wrapped || self.is_comparison));
                    if !(is_inside || is_wrapped && word == "(") {
                        code.push(word.to_owned());
                    }
                }
                ">" | ")" | "]" | "}" => _ = self.depth.pop(),
                _ if is_inside => {}
                // A path is known by its end: modules go, and so do the brackets around a type.
                "::" => {
                    let is_module = code.last().is_some_and(|word| word.starts_with(|c: char| c.is_lowercase()));
                    if is_module && next != "<" {
                        code.pop();
                    }
                }
                _ if word.starts_with('\'') && word != "'static" && index > 0 && words[index - 1] == "&" => {}
                _ => {
                    self.is_trait = matches!(word, ":" | "+" | "as") || self.is_trait && is_name(word);
                    code.push(plain(word));
                }
            }
        }
        code
    }
}

/// A token; a number or a text is as good as any other.
fn plain(word: &str) -> String {
    let is_literal = word.starts_with(|c: char| c.is_ascii_digit() || c == '"');
    if is_literal { NUMBER.to_owned() } else { word.to_owned() }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c == '_' || c == '\'' || c.is_alphabetic())
}

/// Code without where in the program a closure stands: `{closure@src/main.rs:1:2: 3:4}`.
fn without_places(text: &str) -> String {
    let (mut rest, mut plain) = (text, String::with_capacity(text.len()));
    while let Some(at) = rest.find('@') {
        plain.push_str(&rest[..at]);
        rest = rest[at..].find('}').map_or("", |end| &rest[at + end..]);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::super::names::OwnNames;
    use super::*;

    /// Checks whether two sentences say the same where no name is the program's own.
    #[track_caller]
    fn check(one: &str, other: &str, expected: bool) {
        let own = OwnNames::default();
        let names = own.seen_in(None);
        assert_eq!(Sentence::read(one).is_same(&Sentence::read(other), &names), expected, "{one} / {other}");
    }

    #[test]
    fn words_count_and_numbers_do_not() {
        check("value moved here", "value moved here", true);
        check("value moved here", "value moved here, in previous iteration of loop", false);
        check("this function takes 2 arguments", "this function takes 1 argument", true);
        check("3 arguments were supplied", "1 argument was supplied", true);
    }

    #[test]
    fn of_a_type_its_head_counts() {
        check("has type `MutexGuard<'_, Db>`", "has type `MutexGuard<'_, u8>`", true);
        check("has type `MutexGuard<'_, Db>`", "has type `*const u8`", false);
        check("`&&&F` is not", "`&F` is not", false);
        check("`&'a F` is not", "`&F` is not", true);
        check("`&'static F` is not", "`&F` is not", false);
        check("`Vec<Vec<String>>` is not", "`Vec<u8>` is not", true);
        check("type `[u8]`", "type `[String]`", true);
        check("type `[u8; 3]`", "type `[u8; 4]`", true);
        check("type `(u8, u8)`", "type `(u8, u16)`", true);
        check("type `u8`", "type `u16`", false);
    }

    #[test]
    fn of_a_trait_its_arguments_count() {
        check("bound `u32: Sum<u64>` is not", "bound `u32: Sum<()>` is not", false);
        check("bound `u32: Sum<Vec<u64>>` is not", "bound `u32: Sum<Vec<u8>>` is not", true);
        check("the trait `From<A>` is not", "the trait `From<B>` is not", false);
        check("resolving `<A as Iterator>::Item == u8`", "resolving `<A as Iterator>::Item == u16`", false);
        check("resolving `<A as Iterator>::Item == u8`", "resolving `<B as Iterator>::Item == u8`", false);
        check("within `impl Future<Output = u32>`", "within `impl Future<Output = ()>`", true);
    }

    #[test]
    fn a_comparison_counts_as_a_whole() {
        let note = |found: &str| format!("expected enum `Option<Vec<u8>>`\n   found enum `Option<{found}>`");
        check(&note("&u8"), &note("&u8"), true);
        check(&note("&u8"), &note("&u16"), false);
    }

    #[test]
    fn a_path_is_known_by_its_end() {
        check("type `std::fmt::Error`", "type `fmt::Error`", true);
        check("function `a::b::f`", "function `f`", true);
        check("function `Map::get`", "function `get`", false);
        check("`{closure@src/a.rs:1:2: 3:4}` is not", "`{closure@b.rs:7:2: 7:4}` is not", true);
        check("`{closure@src/a.rs:1:2: 3:4}` is not", "`{async block@b.rs:7:2: 7:4}` is not", false);
        check("`(dyn A + 'static)` is not", "`(dyn A + 'static)` is not", true);
        check("`(dyn A + 'static)` is not", "`(dyn B + 'static)` is not", false);
        check("`fn(A) -> B` is not", "`fn(C) -> B` is not", true);
        check("`F: Fn(A)` is not", "`F: Fn(B)` is not", false);
    }
}
