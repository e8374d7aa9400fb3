//! Puts headers and annotations into the files of a program.

use std::ops::Range;
use std::path::PathBuf;

use mcve_transforms::{Kind, prefix, tokens};

use crate::oracle::headers;
use crate::program::{Program, edited};

/// The number of characters that a line may have in rustc's source.
const LONGEST: usize = 100;

/// The comment by which a file may have longer lines.
const ALLOWS_LONG: &str = "ignore-tidy-linelength";

/// `program` where these headers, and no others, begin each file. None where a text has no place for them.
pub(crate) fn with_headers(program: &Program, files: &[(PathBuf, Vec<String>)]) -> Option<Program> {
    let mut edits = Vec::new();
    for (path, lines) in files {
        let text = text_of(program, path)?;
        let byte = |offset: usize| program.byte(path, offset);
        for old in headers::ranges(&text).into_iter().chain(annotations(&text)) {
            edits.push((byte(old.start)?..byte(old.end)?, String::new()));
        }
        // The line that has to be first goes on to its end.
        let prefix = prefix(&text);
        let rest = if prefix > 0 { text[prefix..].find('\n').map_or(text.len(), |end| prefix + end + 1) } else { 0 };
        let (start, at) = (rest, byte(rest)?);
        let before = if text[..start].is_empty() || text[..start].ends_with('\n') { "" } else { "\n" };
        let is_long = text.lines().any(|line| line.chars().count() > LONGEST) && !text.contains(ALLOWS_LONG);
        let allowed = is_long.then(|| format!("// {ALLOWS_LONG}\n"));
        let lines: String = lines.iter().map(|line| format!("//@ {line}\n")).chain(allowed).collect();
        edits.push((at..at, format!("{before}{lines}")));
    }
    Some(program.with_text(edited(&program.text, edits)))
}

/// `program` with this inner attribute before all others of its root file. None if the text has no place for it.
pub(crate) fn with_attribute(program: &Program, attribute: &str) -> Option<Program> {
    let text = program.root();
    let start = prefix(&text);
    let first = tokens(&text).into_iter().find(|token| token.kind == Kind::Code && token.range.start >= start);
    let at = program.byte(&program.name, first.map_or(text.len(), |token| token.range.start))?;
    Some(program.with_text(edited(&program.text, vec![(at..at, format!("{attribute}\n"))])))
}

/// The annotations that a text has already, with the blanks before them, or the whole line of one that stands alone.
fn annotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for token in tokens(text).iter().filter(|token| token.kind == Kind::Comment) {
        let Some(comment) = text[token.range.clone()].strip_prefix("//") else { continue };
        // Those of one revision name it first.
        let revision = comment.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        if !revision.map_or(comment, |(_, rest)| rest).starts_with('~') {
            continue;
        }
        let start = text[..token.range.start].trim_end_matches([' ', '\t']).len();
        let stands_alone = start == 0 || text[..start].ends_with('\n');
        let newline = usize::from(stands_alone && text[token.range.end..].starts_with('\n'));
        found.push(start..token.range.end + newline);
    }
    found
}

fn text_of(program: &Program, path: &PathBuf) -> Option<String> {
    if *path == program.name {
        return Some(program.root().into_owned());
    }
    Some(program.document()?.file(path.to_str()?)?.text(&program.text))
}
