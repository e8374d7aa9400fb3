//! Puts headers and annotations into the files of a program.

use std::ops::Range;
use std::path::PathBuf;

use mcve_transforms::prefix;

use super::super::headers;
use crate::program::Program;

/// `program` where each of these files has these headers before its text and no others. None where the text has no place for
/// them.
pub(super) fn with_headers(program: &Program, files: &[(PathBuf, Vec<String>)]) -> Option<Program> {
    let mut edits = Vec::new();
    for (path, lines) in files {
        let text = text_of(program, path)?;
        let byte = |offset: usize| program.byte(path, offset);
        for line in headers::ranges(&text) {
            edits.push((byte(line.start)?..byte(line.end)?, String::new()));
        }
        // The line that has to be first goes on to its end.
        let prefix = prefix(&text);
        let rest = if prefix > 0 { text[prefix..].find('\n').map_or(text.len(), |end| prefix + end + 1) } else { 0 };
        let (start, at) = (rest, byte(rest)?);
        let before = if text[..start].is_empty() || text[..start].ends_with('\n') { "" } else { "\n" };
        let lines: String = lines.iter().map(|line| format!("//@ {line}\n")).collect();
        edits.push((at..at, format!("{before}{lines}")));
    }
    Some(edited(program, edits))
}

/// The program with these edits to its text.
pub(super) fn edited(program: &Program, mut edits: Vec<(Range<usize>, String)>) -> Program {
    // What is put in before a range comes before what takes its place.
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut text = program.text.to_string();
    for (range, new) in edits.into_iter().rev() {
        text.replace_range(range, &new);
    }
    program.with_text(text)
}

/// The text of a file of the program.
fn text_of(program: &Program, path: &PathBuf) -> Option<String> {
    if *path == program.name {
        return Some(program.root().into_owned());
    }
    Some(program.document()?.file(path.to_str()?)?.text(&program.text))
}
