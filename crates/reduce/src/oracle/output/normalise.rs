//! Keeps of a message what stays when the program shrinks: its words. Names, types, numbers, spans, definition numbers and
//! printed structures become `_`, so that the same failure reads the same before, during and after a reduction.
//!
//! The rule is strict on purpose. Where a message names the user's items, reduction would otherwise stop at the first
//! change of one. The place in the compiler's source, which counts as well, keeps unlike failures apart.

/// Messages of the standard library: they begin a panic's message, and hold nothing of the user's.
const STANDARD: [&str; 6] = [
    "assertion `left == right` failed",
    "assertion `left != right` failed",
    "assertion `left matches right` failed",
    "called `Option::unwrap()` on a `None` value",
    "called `Result::unwrap()` on an `Err` value",
    "called `Result::unwrap_err()` on an `Ok` value",
];

/// Upper-case words that are no names of the user's.
const ABBREVIATIONS: [&str; 8] = ["ABI", "AST", "CFG", "HIR", "ICE", "LLVM", "MIR", "THIR"];

const TYPE_WORDS: [&str; 11] =
    ["bool", "char", "dyn", "extern", "fn", "impl", "isize", "mut", "str", "unsafe", "usize"];

/// The message with `_` for everything that depends on the program.
pub(crate) fn message(message: &str) -> String {
    // The text of a failed `assert!` is a piece of the compiler's own source.
    if message.starts_with("assertion failed: ") {
        // Before Rust 1.73 the two values of an `assert_eq!` followed.
        let source = message.find("\n  left: ").map_or(message, |values| &message[..values]);
        return source.to_owned();
    }
    let standard = STANDARD.iter().find(|standard| message.starts_with(**standard)).copied().unwrap_or_default();
    let mut normal = standard.to_owned();
    let mut sentence_begins = true;
    for chunk in opaque(&line(&message[standard.len()..])).split_whitespace() {
        let word = chunk.trim_end_matches(['.', ',', ':', ';', '!', '?']);
        let punctuation = &chunk[word.len()..];
        if word.is_empty() {
            normal.push_str(punctuation);
        } else if is_word(word, sentence_begins) {
            separate(&mut normal);
            normal.push_str(chunk);
        } else if !normal.ends_with('_') {
            separate(&mut normal);
            normal.push('_');
        }
        sentence_begins = punctuation.starts_with(['.', ':', '!', '?']);
    }
    normal
}

/// The message as it stands, in one line, without the values that an assertion compares.
pub(crate) fn line(message: &str) -> String {
    let lines = message.lines().map(str::trim);
    let is_value = |line: &&str| line.starts_with("left: ") || line.starts_with("right: ");
    lines.filter(|line| !is_value(line)).collect::<Vec<_>>().join(" ")
}

/// A place in the compiler's source, without the folder that the toolchain was built in.
pub(crate) fn place(place: &str) -> &str {
    for root in ["compiler/rustc", "library/"] {
        if let Some(at) = place.rfind(root)
            && (at == 0 || place[..at].ends_with('/'))
        {
            return &place[at..];
        }
    }
    // A crate from a registry: behind the folder of the index.
    match place.rsplit_once("registry/src/") {
        Some((_, place)) => place.split_once('/').map_or(place, |(_, place)| place),
        None => place,
    }
}

fn separate(text: &mut String) {
    if !text.is_empty() {
        text.push(' ');
    }
}

fn is_word(word: &str, sentence_begins: bool) -> bool {
    if ABBREVIATIONS.contains(&word) {
        return true;
    }
    let mut letters = word.chars();
    let first =
        letters.next().is_some_and(|first| first.is_ascii_lowercase() || sentence_begins && first.is_ascii_uppercase());
    first
        && letters.all(|letter| letter.is_ascii_lowercase() || letter == '-' || letter == '\'')
        && (word.len() > 1 || word.eq_ignore_ascii_case("a"))
        && !TYPE_WORDS.contains(&word)
}

/// The message with what stands in brackets, backticks and quotes made one character that is in no word.
fn opaque(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '`' | '"' => rest[1..].find(first).map(|at| at + 2),
            '(' | '[' | '{' => closing(rest, &['(', '[', '{'], &[')', ']', '}']),
            '<' if !rest[1..].starts_with([' ', '=']) => closing(rest, &['<'], &['>']),
            _ => None,
        };
        match end {
            Some(end) => {
                text.push('_');
                rest = &rest[end..];
            }
            None => {
                text.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    text
}

/// Behind the bracket that closes the one that `text` begins with, of these kinds; arrows close nothing.
fn closing(text: &str, opening: &[char], closing: &[char]) -> Option<usize> {
    let (mut depth, mut before) = (0, ' ');
    for (at, character) in text.char_indices() {
        let is_arrow = character == '>' && matches!(before, '-' | '=');
        if opening.contains(&character) {
            depth += 1;
        } else if closing.contains(&character) && !is_arrow {
            depth -= 1;
        }
        if depth == 0 {
            return Some(at + 1);
        }
        before = character;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: &str, messages: &[&str]) {
        for text in messages {
            assert_eq!(message(text), expected, "{text}");
        }
    }

    #[track_caller]
    fn check_place(expected: &str, text: &str) {
        assert_eq!(place(text), expected);
    }

    #[test]
    fn words_stay() {
        check("inconsistent resolution for an import", &["inconsistent resolution for an import"]);
        check(
            "Should not have unglued last token with cfg attr",
            &["Should not have unglued last token with cfg attr"],
        );
        check("", &["", "\n"]);
        check("it isn't so: No. No, not at all!", &["it isn't so: No. No, not at all!"]);
    }

    #[test]
    fn the_compiler_s_own_source_stays() {
        let text = "assertion failed: bpos.to_u32() >= mbc.pos.to_u32() + mbc.bytes as u32";
        check(text, &[text]);
        check(
            "assertion `left == right` failed",
            &[
                "assertion `left == right` failed\n  left: *const std::boxed::Box<T/#0, std::alloc::Global>\n right: usize",
                "assertion `left == right` failed\n  left: u8\n right: *const T/#0",
            ],
        );
        check(
            "assertion `left == right` failed: bad _ here",
            &["assertion `left == right` failed: bad Foo<u8> here\n  left: 1\n right: 2"],
        );
        check("called `Option::unwrap()` on a `None` value", &["called `Option::unwrap()` on a `None` value"]);
        check(
            "called `Result::unwrap()` on an `Err` value: _",
            &[
                "called `Result::unwrap()` on an `Err` value: Unknown(fn(T) -> U)",
                "called `Result::unwrap()` on an `Err` value: ReferencesError(ErrorGuaranteed(()))",
            ],
        );
    }

    #[test]
    fn what_is_printed_of_the_program_goes() {
        check(
            "failed to resolve instance for _",
            &[
                "failed to resolve instance for <fn(ColdPass, u32) as Hook>::label",
                "failed to resolve instance for <fn(u8, u8) as C>::c",
                "failed to resolve instance for <for<'a> fn(X, &'a u8) -> Box<dyn A> as Second>::go",
            ],
        );
        check(
            "interpret const eval failure of _ which is not in _",
            &[
                "interpret const eval failure of Unevaluated(UnevaluatedConst { def: DefId(0:76 ~ input[7343]::zones::OUT), args: [], promoted: Some(promoted[0]) }, &'{erased} u64) which is not in required_consts",
                "interpret const eval failure of Unevaluated(UnevaluatedConst { def: DefId(0:3 ~ a[fb1c]::C), args: [T], promoted: None }, u8) which is not in required_consts",
            ],
        );
        check(
            "broken MIR in _ bad assignment _",
            &[
                "broken MIR in DefId(0:4 ~ 1[690b]::f) (_3 = Add(move _4, move _5)): bad assignment (Alias(Projection, AliasTy { args: [*const std::boxed::Box<T/#0, std::alloc::Global>], def_id: DefId(2:4091 ~ core[c1f1]::ops::arith::Add::Output), .. }) = *const std::boxed::Box<T/#0>): NoSolution",
                "broken MIR in DefId(0:12 ~ 1b[96f6]::deep::er::{impl#0}::function) (_5 = Add(move _6, move _7)): bad assignment (u8 = u16): NoSolution",
            ],
        );
        check(
            "unexpected region _ in _ of type _ at _",
            &[
                "unexpected region '?12 in `main` of type &'?12 mut Vec<u8> at input.rs:3:4: 5:6 (#0)",
                "unexpected region 'a in `f` of type dyn Foo + 'a at a.rs:1:1: 1:2 (#0)",
            ],
        );
        check(
            "index out of bounds: the len is _ but the index is _",
            &["index out of bounds: the len is 3 but the index is 17"],
        );
        check("_ isn't local", &["DefId::expect_local: `DefId(1:23 ~ core)` isn't local"]);
    }

    #[test]
    fn unbalanced_brackets_are_no_more_than_odd_characters() {
        check("expected _ found _ of it", &["expected ) found ( of it", "expected `)` found `(` of it"]);
        check("more _ less", &["more < less", "more <= less", "more -> less", "more <X less"]);
        check("lengths differ: _ is more", &["lengths differ: 3 > 4 is more", "lengths differ: ->( is more"]);
    }

    #[test]
    fn a_place_begins_at_the_compiler_s_root() {
        let hash = "59807616e1fa2540724bfbac14d7976d7e4a3860";
        check_place("compiler/rustc_x/src/y.rs:1:2", &format!("/rustc-dev/{hash}/compiler/rustc_x/src/y.rs:1:2"));
        check_place("compiler/rustc_x/src/y.rs:1:2", "compiler/rustc_x/src/y.rs:1:2");
        check_place("library/alloc/src/vec.rs:1:2", &format!("/rustc/{hash}/library/alloc/src/vec.rs:1:2"));
        check_place(
            "ena-0.14.3/src/a.rs:1:2",
            "/root/.cargo/registry/src/index.crates.io-1949/ena-0.14.3/src/a.rs:1:2",
        );
        check_place("src/main.rs:1:2", "src/main.rs:1:2");
    }
}
