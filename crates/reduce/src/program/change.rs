//! A change of the input, which is applied to what a reduction has left of it.
//!
//! The change is kept as tokens of the input that go and tokens that come. Each token of a candidate knows the token of the
//! input that it was, so the place of the change is found again wherever the reduction moved it.

use std::ops::Range;

use mcve_transforms::covers;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::content::Program;
use super::origin::{Traced, code};

/// A change of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    hunks: Vec<Hunk>,
}

/// Tokens that take the place of others.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hunk {
    /// The tokens of the input that go, in order.
    removed: Vec<Range<usize>>,
    /// The token of the input before them, and the one behind them.
    around: [Option<Range<usize>>; 2],
    /// The text that comes.
    text: String,
    /// If one number takes the place of another, by how much it is more or less.
    step: Option<i64>,
}

impl Change {
    /// The change from one text to another.
    pub(crate) fn between(input: &str, changed: &str) -> Self {
        let (old, new): (Vec<_>, Vec<_>) = (code(input).collect(), code(changed).collect());
        let words = |text: &str, tokens: &[Range<usize>]| -> Vec<String> {
            tokens.iter().map(|at| text[at.clone()].to_owned()).collect()
        };
        let ops = capture_diff_slices(Algorithm::Myers, &words(input, &old), &words(changed, &new));
        let hunk = |op: &DiffOp| {
            let (removed, written) = (op.old_range(), op.new_range());
            let before = removed.start.checked_sub(1).map(|index| old[index].clone());
            let text = match (new.get(written.start), written.is_empty()) {
                (Some(first), false) => changed[first.start..new[written.end - 1].end].to_owned(),
                _ => String::new(),
            };
            let around = [before, old.get(removed.end).cloned()];
            let numbers = || Some((number(&text)?.0, number(&input[old.get(removed.start)?.clone()])?.0));
            let step = numbers().map(|(new, old)| new - old).filter(|step| removed.len() == 1 && step.abs() == 1);
            Hunk { around, removed: old[removed].to_vec(), text, step }
        };
        Self { hunks: ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).map(hunk).collect() }
    }

    /// `program`, which is traced, with the change; none where a place of the change is gone.
    pub(crate) fn apply(&self, program: &Program) -> Option<Program> {
        let traced = program.trace()?;
        let mut edits = Vec::new();
        for hunk in &self.hunks {
            edits.extend(hunk.edits(&program.text, traced).filter(|edits| !edits.is_empty())?);
        }
        edits.sort_by_key(|(at, _)| at.start);
        let mut text = program.text.to_string();
        for (mut at, written) in edits.into_iter().rev() {
            let (before, behind) = (text[..at.start].trim_end_matches(' '), text[at.end..].trim_start_matches(' '));
            if written.is_empty() && (before.is_empty() || before.ends_with('\n')) && behind.starts_with('\n') {
                // A line of which nothing is left goes.
                at = before.len()..text.len() - behind.len() + 1;
            } else if written.is_empty() && text[..at.start].ends_with([' ', '(', '\n']) {
                at.end = text.len() - behind.len();
            }
            let written = spaced(&text[..at.start], &program.renamed(&written), &text[at.end..]);
            text.replace_range(at, &written);
        }
        Some(program.with_text(text))
    }
}

/// `written` with spaces where it would become one token with what is around it.
fn spaced(before: &str, written: &str, behind: &str) -> String {
    let are_joined = |one: Option<char>, next: Option<char>| {
        let is_word = |char: char| char.is_alphanumeric() || char == '_' || char == '"' || char == '\'';
        let is_mark = |char: char| char.is_ascii_punctuation() && !"()[]{},;_\"".contains(char);
        one.zip(next).is_some_and(|(one, next)| is_word(one) && is_word(next) || is_mark(one) && is_mark(next))
    };
    let last = before.chars().next_back();
    let first = written.chars().next().or_else(|| behind.chars().next());
    let end = if written.is_empty() { None } else { written.chars().next_back() };
    let space = |is_joined: bool| if is_joined { " " } else { "" };
    format!("{}{written}{}", space(are_joined(last, first)), space(are_joined(end, behind.chars().next())))
}

impl Hunk {
    /// The edits of `text`, which has these tokens; none where the place is gone.
    fn edits(&self, text: &str, traced: &[Traced]) -> Option<Vec<(Range<usize>, String)>> {
        let [before, behind] = &self.around;
        let (Some(first), Some(last)) = (self.removed.first(), self.removed.last()) else {
            let is = |token: &&Traced, place: &Option<Range<usize>>| place.is_some() && token.from == *place;
            let after = traced.iter().find(|token| is(token, before)).map(|token| token.at.end);
            let at = after.or_else(|| traced.iter().find(|token| is(token, behind)).map(|token| token.at.start))?;
            return Some(vec![(at..at, self.text.clone())]);
        };
        let is_of = |token: &Traced| token.from.as_ref().is_some_and(|from| covers(&(first.start..last.end), from));
        let runs = traced.chunk_by(|one, next| is_of(one) == is_of(next)).filter(|run| is_of(&run[0]));
        let edit = |run: &[Traced]| {
            let at = run[0].at.start..run[run.len() - 1].at.end;
            // A number that was reduced is one more or less than it is now.
            let reduced = self.step.zip(number(&text[at.clone()])).and_then(|(step, (number, suffix))| {
                let number = number.checked_add(step).filter(|number| *number >= 0)?;
                Some(format!("{number}{suffix}"))
            });
            (at, reduced.unwrap_or_else(|| self.text.clone()))
        };
        Some(runs.map(edit).collect())
    }
}

/// The value and the suffix of an integer literal.
fn number(text: &str) -> Option<(i64, String)> {
    let literal = syn::parse_str::<syn::LitInt>(text).ok()?;
    Some((literal.base10_parse().ok()?, literal.suffix().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, changed: &str, reduced: &str, expected: Option<&str>) {
        let program = Program::new("a.rs", input).traced().with_text(reduced);
        let found = Change::between(input, changed).apply(&program);
        let words = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(found.map(|program| words(&program.text)), expected.map(words));
    }

    #[test]
    fn an_operator_is_replaced_where_it_still_stands() {
        let (input, changed) = ("fn f(a: u8) -> bool { g(); a < 3 }", "fn f(a: u8) -> bool { g(); a <= 3 }");
        check(input, changed, "fn f(a: u8) -> bool { a < 0 }", Some("fn f(a: u8) -> bool { a <= 0 }"));
        check(input, changed, "fn f() -> bool { true }", None);
    }

    #[test]
    fn an_insertion_goes_behind_the_token_before_it() {
        let (input, changed) = ("fn f() { g(a.len() - 1, 2) }", "fn f() { g(a.len() - 1 + 1, 2) }");
        check(input, changed, "fn f() { g(a.len() - 1) }", Some("fn f() { g(a.len() - 1 + 1) }"));
    }

    #[test]
    fn what_is_deleted_may_have_lost_a_part() {
        let (input, changed) = ("fn f() { a(1, 2); b() }", "fn f() { b() }");
        check(input, changed, "fn f() { a(); b() }", Some("fn f() { b() }"));
        check(input, changed, "fn f() { b() }", None);
    }

    #[test]
    fn a_number_is_one_more_than_what_it_was_reduced_to() {
        let (input, changed) = ("fn f() { g(17, 3) }", "fn f() { g(18, 3) }");
        check(input, changed, "fn f() { g(4, 3) }", Some("fn f() { g(5, 3) }"));
        check("fn f() { g(17u8) }", "fn f() { g(16u8) }", "fn f() { g(4u8) }", Some("fn f() { g(3u8) }"));
        check("fn f() { g(17) }", "fn f() { g(16) }", "fn f() { g(0) }", Some("fn f() { g(16) }"));
        check("fn f() { g(17) }", "fn f() { g(40) }", "fn f() { g(2) }", Some("fn f() { g(40) }"));
    }

    #[test]
    fn a_line_that_is_deleted_leaves_no_empty_one() {
        let program = Program::new("a.rs", "fn f() {\n    g();\n    h();\n}\n").traced();
        let changed = Change::between(&program.text, "fn f() { h(); }").apply(&program).expect("it is there");
        assert_eq!(&*changed.text, "fn f() {\n    h();\n}\n");
    }

    #[test]
    fn a_name_that_comes_is_the_one_that_the_program_has_now() {
        let (input, changed) = ("fn f(left: u8, right: u8) { g(left) }", "fn f(left: u8, right: u8) { g(right) }");
        check(input, changed, "fn f(left: u8, b: u8) { g(left) }", Some("fn f(left: u8, b: u8) { g(b) }"));
    }
}
