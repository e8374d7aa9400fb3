//! Placeholders for an expression of any type: an endless loop if the program is only compiled, a panic if it is run,
//! `todo!()` if somebody reads it.

use crate::rule::Reduction;

/// The shortest expression of every type. It needs no name in scope, but a program that runs it never ends.
const LOOP: &str = "loop {}";

/// How many tokens longer a call of a macro is.
const LONGER: isize = 1;

/// The diverging expression that replaces an endless loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divergence {
    /// `panic!()`, which may be reached.
    Panic,
    /// `todo!()`, as a person leaves out what does not matter.
    Todo,
}

impl Divergence {
    fn text(self) -> &'static str {
        match self {
            Self::Panic => "panic!()",
            Self::Todo => "todo!()",
        }
    }
}

impl Reduction {
    /// Whether it puts an endless loop into the program.
    pub fn is_endless(&self) -> bool {
        self.edits.iter().any(|edit| edit.text.contains(LOOP))
    }

    /// Replaces each endless loop with `divergence`, if that still removes tokens or never did; unchanged if there is no loop.
    #[must_use]
    pub fn diverging_by(mut self, divergence: Divergence) -> Option<Self> {
        if !self.is_endless() {
            return Some(self);
        }
        let is_trial = self.gain <= 0;
        for edit in &mut self.edits {
            self.gain -= LONGER * edit.text.matches(LOOP).count().cast_signed();
            edit.text = edit.text.replace(LOOP, divergence.text());
        }
        (self.gain > 0 || is_trial).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::functions::bodies::{REPLACE_BODY, REPLACE_OPAQUE_BODY};
    use crate::{Analysis, Measure, Source, Transform, Tree, apply, enumerate, tokens};

    /// Checks the result of the only reduction of `transform` on `text`, with a panic.
    #[track_caller]
    fn check(transform: &'static Transform, text: &str, expected: Option<&str>) {
        let source = Source::parse(text);
        let reductions = enumerate(&Analysis::of(&Tree::new(&source)), transform);
        let [reduction] = reductions.try_into().expect("there is one");
        let found = reduction.diverging_by(Divergence::Panic);
        assert_eq!(found.as_ref().map(|reduction| apply(text, [reduction])).as_deref(), expected);
        if let (Some(reduction), Some(after)) = (found, expected) {
            let tokens = |text| Measure::of(text).tokens.cast_signed();
            assert_eq!(reduction.gain, tokens(text) - tokens(after));
            assert!(!reduction.is_endless());
        }
    }

    #[test]
    fn a_panic_takes_the_place_of_an_endless_loop() {
        check(&REPLACE_BODY, "fn f() -> u8 { g(a, b) }", Some("fn f() -> u8 { panic!() }"));
        check(
            &REPLACE_OPAQUE_BODY,
            "fn f() -> Box<impl A> { let a = g(); Box::new(a) }",
            Some("fn f() -> Box<impl A> { panic!() }"),
        );
        check(&REPLACE_BODY, "fn f() { g() }", Some("fn f() {}"));
    }

    #[test]
    fn a_panic_that_is_no_shorter_is_not_proposed() {
        check(&REPLACE_BODY, "fn f() -> u8 { g(a) }", None);
        check(&REPLACE_BODY, "fn f() -> u8 { panic!() }", None);
    }

    #[test]
    fn what_ends_is_so_much_longer() {
        let tokens = |text| tokens(text).len().cast_signed();
        for divergence in [Divergence::Panic, Divergence::Todo] {
            assert_eq!(tokens(divergence.text()) - tokens(LOOP), LONGER);
        }
    }
}
