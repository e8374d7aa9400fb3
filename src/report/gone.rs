//! What large steps of a reduction took away, in words.

use mcve_reduce::program::{Language, Program, Size};
use mcve_transforms::Inventory;

/// A loss of this share of the tokens at the start, in percent, is much, if it is so many tokens.
const SHARE: usize = 10;
const LEAST: usize = 10;

/// The program when its loss was taken last.
pub(crate) struct Gone {
    program: Program,
    size: Size,
    /// The tokens at the start.
    start: usize,
}

impl Gone {
    /// What goes from here on.
    pub(crate) fn since(program: Program, size: Size) -> Self {
        Self { program, size, start: size.tokens }
    }

    /// What went since the last loss that was much, if this is much: items, statements, lines, or else tokens.
    pub(crate) fn take(&mut self, program: &Program, size: Size) -> Option<String> {
        let lost = self.size.tokens.saturating_sub(size.tokens);
        if lost < LEAST || lost * 100 < self.start * SHARE {
            return None;
        }
        let next = Self { program: program.clone(), size, start: self.start };
        let before = std::mem::replace(self, next);
        let mut words = String::new();
        if program.language == Language::Rust {
            words = Inventory::of(&before.program.text).lost(&Inventory::of(&program.text));
        }
        let lines = before.size.lines.saturating_sub(size.lines);
        Some(match (words.is_empty(), lines) {
            (false, _) => words,
            (true, 0) => format!("{lost} {}", program.language.unit()),
            (true, 1) => "1 line".to_owned(),
            (true, _) => format!("{lines} lines"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_loss_is_taken_with_those_that_follow() {
        let program = |text: &str| Program::new("a.rs", text);
        let whole = program("fn a() {}\nfn b() {}\nmod m { fn c() {} }\nfn d() { e(1, 2, 3, 4, 5, 6, 7, 8, 9) }\n");
        let mut gone = Gone::since(whole.clone(), whole.size());
        let mut take = |text: &str| gone.take(&program(text), program(text).size());
        assert_eq!(take("fn a() {}\nmod m { fn c() {} }\nfn d() { e(1, 2, 3, 4, 5, 6, 7, 8, 9) }\n"), None);
        assert_eq!(take("fn d() { e(1, 2, 3, 4, 5, 6, 7, 8, 9) }\n").as_deref(), Some("1 module, 3 functions"));
        assert_eq!(take("fn d() {\n    e(1, 2)\n}\n").as_deref(), Some("14 tokens"));
    }

    #[test]
    fn what_is_not_rust_loses_lines() {
        let program = |text: &str| Program::of_bytes("a.txt", text.into());
        let before = program("one two three\nfour five six\nseven\n");
        let mut gone = Gone::since(before.clone(), before.size());
        assert_eq!(gone.take(&program("seven\n"), program("seven\n").size()).as_deref(), Some("2 lines"));
    }
}
