//! How deeply a text nests, as the bytes of stack that parsing it and walking over its tree take at most.
//!
//! The stack per level was measured, in a build without optimisation of this crate's own walks: 8 KB for a function in a
//! function, 8 KB for a generic argument in a generic argument, 3 KB for a reference to a reference.

use std::ops::Range;

use crate::text::lex::{self, Kind};

/// The stack of a thread on which sources are parsed and walked over, in bytes. A text that may need more gets no tree.
/// A text with 3,000 nested brackets does not need more.
pub const STACK: usize = 32 << 20;

/// The stack that is reserved for other uses, in bytes.
const REST: usize = 2 << 20;

/// The stack for a pair of brackets, or `<`, in bytes.
const BRACKET: usize = 10_000;

/// The stack for an operator before its operand, or a keyword that begins an expression or a type, in bytes.
const PREFIX: usize = 5_000;

/// The stack for an operator between two operands, in bytes: some of these nest at the left end of the tree.
const INFIX: usize = 2_500;

/// Words that stand before what they belong to, any number of which may follow each other.
const WORDS: &[&str] = &["async", "break", "const", "dyn", "impl", "move", "mut", "return", "static", "yield"];

/// Whether `text` can be parsed, and its tree walked over, on a thread with [`STACK`] bytes of stack.
pub(crate) fn fits(text: &str) -> bool {
    need(text) <= STACK - REST
}

/// The bytes of stack that are needed at most.
fn need(text: &str) -> usize {
    let tokens = lex::tokens(text);
    let mut open: Vec<usize> = Vec::new();
    // The need around the place, and that before it in the same element of a list.
    let (mut around, mut before, mut most) = (0, 0, 0);
    let mut last = Last::Start;
    for token in tokens.iter().filter(|token| token.kind == Kind::Code) {
        let word = &text[Range::clone(&token.range)];
        // A block that is a statement ends it.
        if last == Last::Brace
            && word.starts_with(|c: char| c.is_alphanumeric() || "_#'\"(".contains(c))
            && word != "else"
        {
            before = 0;
        }
        last = match word {
            "(" | "[" | "{" => {
                open.push(before);
                around += before + BRACKET;
                before = 0;
                Last::Operator
            }
            ")" | "]" | "}" => {
                before = open.pop().unwrap_or_default();
                around = around.saturating_sub(before + BRACKET);
                // A chain of calls has each in the next.
                before += INFIX;
                if word == "}" { Last::Brace } else { Last::Operand }
            }
            ";" | "," | "=>" => {
                before = 0;
                Last::Start
            }
            "<" => {
                before += BRACKET;
                Last::Operator
            }
            ">" => Last::Operand,
            word if WORDS.contains(&word) => {
                before += PREFIX;
                Last::Operator
            }
            "." | "::" | "?" => {
                before += INFIX;
                Last::Operand
            }
            "as" => {
                before += INFIX;
                Last::Operator
            }
            word if word.starts_with(|c: char| c.is_alphanumeric() || "_'\"".contains(c)) => Last::Operand,
            _ => {
                let is_infix = matches!(last, Last::Operand | Last::Brace) && word != "->";
                // `&&` can be two references.
                before += word.len() * if is_infix { INFIX } else { PREFIX };
                Last::Operator
            }
        };
        most = most.max(around + before);
    }
    most
}

/// The kind of the last token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Start,
    Operand,
    Operator,
    Brace,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::{Source, Understanding};
    use crate::syntax::tree::Tree;

    /// Programs of one kind of nesting, by what comes before, over and over, in the middle, and behind that over and over.
    const KINDS: &[[&str; 5]] = &[
        ["fn f() { let x = ", "(", "1", ")", "; }"],
        ["fn f() { let x = ", "{", "1", "}", "; }"],
        ["fn f() {", "if a {", "", "}", "}"],
        ["fn f() {", "match a { b => ", "1", "}", "}"],
        ["fn f() {", "if a {} else ", "{}", "", "}"],
        ["fn f() {", "loop {", "", "}", "}"],
        ["fn f() {", "g(", "1", ")", "}"],
        ["fn f() {", "[", "1", "]", "}"],
        ["fn f() {", "m! {", "", "}", "}"],
        ["fn f() {", "|a| ", "1", "", "}"],
        ["fn f() {", "& ", "1", "", "}"],
        ["fn f() {", "- ", "1", "", "}"],
        ["fn f() {", "return ", "1", "", "}"],
        ["fn f() { 1", "+ 1", "", "", "}"],
        ["fn f() { a", ".b()", "", "", "}"],
        ["fn f() { a", "?", "", "", "}"],
        ["fn f() { a", "[0]", "", "", "}"],
        ["fn f() { a", " as u8", "", "", "}"],
        ["fn f() {", "a = ", "1", "", "}"],
        ["fn f() {", "#[a] ", "1", "", "}"],
        ["fn f() { let ", "(", "a", ")", " = 1; }"],
        ["fn f() { let ", "&", "a", "", " = 1; }"],
        ["fn f() { let ", "a @ ", "b", "", " = 1; }"],
        ["", "fn f() {", "", "}", ""],
        ["", "mod a {", "", "}", ""],
        ["type A = ", "(", "u8", ")", ";"],
        ["type A = ", "&", "u8", "", ";"],
        ["type A = ", "*const ", "u8", "", ";"],
        ["type A = ", "fn() -> ", "u8", "", ";"],
        ["type A = ", "V<", "u8", ">", ";"],
        ["type A = ", "Box<dyn A<", "u8", ">>", ";"],
        ["fn f() -> ", "impl A<B = ", "C", ">", " {}"],
        ["use ", "a::", "b", "", ";"],
        ["use ", "a::{", "b", "}", ";"],
        ["macro_rules! m {", "(", "", ")", "}"],
    ];

    fn program([start, open, middle, close, end]: [&str; 5], count: usize) -> String {
        [start, &open.repeat(count), middle, &close.repeat(count), end].concat()
    }

    #[test]
    fn what_fits_can_be_parsed_and_walked_over() {
        for &kind in KINDS {
            let text = program(kind, 1_000);
            let stack = need(&text) + REST / 4;
            let worker = std::thread::Builder::new().stack_size(stack).spawn(move || {
                let source = Source::parse(text);
                Tree::new(&source).nodes().count()
            });
            let nodes = worker.expect("threads can be had").join().expect("it does not panic");
            assert!(nodes > 2, "{kind:?}");
        }
    }

    #[test]
    fn what_does_not_fit_is_text() {
        for &kind in KINDS {
            assert!(!fits(&program(kind, 100_000)), "{kind:?}");
        }
        let deep = "(".repeat(4_000) + &")".repeat(4_000);
        assert_eq!(Source::parse(format!("const X: () = {deep};")).understanding(), Understanding::Text);
    }

    #[test]
    fn what_is_long_and_not_deep_fits() {
        for text in
            ["a(b);", "fn f() {}", "if a { b } ", "A => {}", "&A => {} ", "struct S { a: u8 }", "#[a] fn f() { g(1) } "]
        {
            assert!(fits(&text.repeat(20_000)), "{text}");
        }
        assert!(fits(&"(".repeat(3_000)));
        assert!(fits(&"1 + ".repeat(10_000)));
    }
}
