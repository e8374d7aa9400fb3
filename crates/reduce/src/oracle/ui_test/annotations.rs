//! The diagnostics of a test, as comments on their lines: `//~ ERROR message [CODE]`.
//!
//! ```text
//! let x: u8 = ""; //~ ERROR mismatched types [E0308]
//! f(1);
//! //~^ ERROR cannot find function `f` in this scope [E0425]
//! //~| WARN unused
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

use mcve_transforms::{Kind, tokens};

use crate::oracle::output::diagnostics::{Diagnostic, Span};
use crate::program::{Program, edited};

/// A line is no longer than that with an annotation behind it.
const WIDTH: usize = 100;

/// `program` with an annotation for each error and warning, and for notes and helps where there is nothing else. Each
/// stands `moved` lines below the line of its diagnostic. None if the text has no place for one.
pub(crate) fn annotate(program: &Program, diagnostics: &[Diagnostic], moved: usize) -> Option<Program> {
    let name = program.name.to_string_lossy();
    let kinds: &[&str] = if has_lone_notes(diagnostics) { &["NOTE", "HELP"] } else { &["ERROR", "WARN"] };
    let mut of_lines: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let mut without_line = Vec::new();
    for said in diagnostics {
        let Some(kind) = kind(said).filter(|kind| kinds.contains(kind)) else { continue };
        let code = said.code_or_lint().map_or_else(String::new, |code| format!(" [{code}]"));
        let message = said.message.lines().next().unwrap_or_default().trim();
        let words = format!("{kind} {message}{code}");
        match said.primary().find_map(|span| in_file(span, &name)) {
            Some(span) => of_lines.entry(span.line_start + moved).or_default().push(words),
            None => without_line.push(words),
        }
    }
    let root = program.root();
    let insertions = insertions(&root, &of_lines, &without_line);
    let edit = |(offset, new)| program.byte(&program.name, offset).map(|at| (at..at, new));
    let edits = insertions.into_iter().map(edit).collect::<Option<Vec<_>>>()?;
    Some(program.with_text(edited(&program.text, edits)))
}

/// Whether there is nothing but notes and helps, so that they need annotations themselves.
pub(crate) fn has_lone_notes(diagnostics: &[Diagnostic]) -> bool {
    let kinds = || diagnostics.iter().filter_map(kind);
    kinds().any(|kind| matches!(kind, "NOTE" | "HELP")) && !kinds().any(|kind| matches!(kind, "ERROR" | "WARN"))
}

/// The suite's name for a level; none if a message needs no annotation.
fn kind(said: &Diagnostic) -> Option<&'static str> {
    let is_count =
        said.spans.is_empty() && (said.message.starts_with("aborting due to ") || said.message.ends_with(" emitted"));
    match &*said.level {
        _ if is_count => None,
        level if level.starts_with("error") => Some("ERROR"),
        "warning" => Some("WARN"),
        "note" => Some("NOTE"),
        "help" => Some("HELP"),
        _ => None,
    }
}

/// The part of the file `name` that a span is about: itself, or the call of the macro that made it.
fn in_file<'a>(span: &'a Span, name: &str) -> Option<&'a Span> {
    if span.file_name == name {
        return Some(span);
    }
    in_file(&span.expansion.as_ref()?.span, name)
}

/// The texts to insert and their positions, so that each of these lines, from 1, has its annotations.
fn insertions(text: &str, of_lines: &BTreeMap<usize, Vec<String>>, without_line: &[String]) -> Vec<(usize, String)> {
    let lines = lines(text);
    let mut behind: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for line in of_lines.keys() {
        let mut possible = (*line..=lines.len()).filter(|line| !lines[line - 1].is_open);
        behind.entry(possible.next().unwrap_or(lines.len())).or_default().push(*line);
    }
    let (mut insertions, mut number) = (Vec::new(), 0);
    // Where each line stands in the test.
    let mut places = vec![0; lines.len() + 1];
    for (line, Line { range, has_comment, .. }) in (1..).zip(&lines) {
        number += 1;
        places[line] = number;
        let mut new = String::new();
        for about in behind.remove(&line).unwrap_or_default() {
            let said = &of_lines[&about];
            let indent = &text[lines[about - 1].range.clone()];
            let indent = &indent[..indent.len() - indent.trim_start().len()];
            let width = range.len() + " //~ ".len() + said[0].len();
            if said.len() == 1 && about == line && width <= WIDTH && !has_comment && new.is_empty() {
                new += &format!(" //~ {}", said[0]);
                continue;
            }
            for (index, words) in said.iter().enumerate() {
                number += 1;
                let mark = if index == 0 { "^".repeat(number - places[about]) } else { "|".to_owned() };
                new += &format!("\n{indent}//~{mark} {words}");
            }
        }
        insertions.extend((!new.is_empty()).then_some((range.end, new)));
    }
    if !without_line.is_empty() {
        let all: String = without_line.iter().map(|words| format!("//~? {words}\n")).collect();
        let before = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        insertions.push((text.len(), format!("{before}{all}")));
    }
    insertions
}

struct Line {
    /// Its bytes, without those that end it.
    range: Range<usize>,
    /// Whether it ends inside of a token, so that nothing can be put behind it.
    is_open: bool,
    has_comment: bool,
}

fn lines(text: &str) -> Vec<Line> {
    let tokens = tokens(text);
    let (mut lines, mut start) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        let range = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        let around = tokens.iter().filter(|token| token.range.start < range.end && range.end <= token.range.end);
        let (mut is_open, mut has_comment) = (false, false);
        for token in around {
            is_open |= range.end < token.range.end;
            has_comment |= token.kind != Kind::Code;
        }
        lines.push(Line { range, is_open, has_comment });
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, said: &[(usize, &str)], expected: &str) {
        let mut of_lines: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (line, words) in said.iter().filter(|(line, _)| *line > 0) {
            of_lines.entry(*line).or_default().push((*words).to_owned());
        }
        let without_line: Vec<String> =
            said.iter().filter(|(line, _)| *line == 0).map(|(_, words)| (*words).to_owned()).collect();
        let mut test = text.to_owned();
        for (at, new) in insertions(text, &of_lines, &without_line).into_iter().rev() {
            test.insert_str(at, &new);
        }
        assert_eq!(test, expected);
    }

    #[test]
    fn an_annotation_stands_behind_its_line_or_below() {
        check("a\nb\n", &[(2, "ERROR x")], "a\nb //~ ERROR x\n");
        check("a\n  b\nc", &[(2, "ERROR x"), (2, "WARN y")], "a\n  b\n  //~^ ERROR x\n  //~| WARN y\nc");
        let long = "x".repeat(90);
        check(&long, &[(1, "ERROR x, and y")], &format!("{long}\n//~^ ERROR x, and y"));
        check("/// a\nb\n", &[(1, "ERROR x"), (2, "ERROR y")], "/// a\n//~^ ERROR x\nb //~ ERROR y\n");
    }

    #[test]
    fn a_line_that_ends_in_a_string_has_it_behind_that() {
        check(
            "f(\"a\nb\nc\");\ng()\n",
            &[(1, "ERROR x"), (3, "ERROR y"), (4, "ERROR z")],
            "f(\"a\nb\nc\");\n//~^^^ ERROR x\n//~^^ ERROR y\ng() //~ ERROR z\n",
        );
        check("/* a\n*/ b", &[(1, "WARN x")], "/* a\n*/ b\n//~^^ WARN x");
    }

    #[test]
    fn what_is_said_of_no_line_stands_at_the_end() {
        check("a", &[(0, "ERROR x"), (0, "WARN y")], "a\n//~? ERROR x\n//~? WARN y\n");
        check("", &[(0, "ERROR x")], "//~? ERROR x\n");
    }
}
