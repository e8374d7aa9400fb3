//! The last step: layout. A formatted text is a candidate like any other and is tested.

use mcve_transforms::canonical::{sorted_attributes, with};
use mcve_transforms::{Kind, Measure, Source, Tree, Understanding};

use crate::check::limits::Stop;
use crate::check::queries::layout;
use crate::program::{Language, Program};
use crate::search::engine::Search;
use mcve_dd::panics::caught;

/// A layout of so many times the bytes is the indentation of a deep nest, which nobody can read.
const WIDEST: usize = 8;

/// Formats the best program if it still fails then; whether it is formatted now. As people do it, if `as_people`: with attributes in
/// order, and commas at the ends of lines as far as the program does not get a tenth larger.
pub fn format(search: &mut Search<'_>, as_people: bool) -> Result<bool, Stop> {
    let best = search.best().clone();
    if best.language != Language::Rust {
        return Ok(false);
    }
    // The arguments are no part of what is printed, and a formatter is given one file.
    let (code, lists) = best.text.split_at(if best.is_lone() { best.lists() } else { best.text.len() });
    let sorted = as_people.then(|| with(code, &sorted_attributes(&Tree::new(&Source::parse(code)))));
    let wide = sorted.as_deref().and_then(|text| printed(text, true));
    let wide = wide.filter(|text| Measure::of(text).tokens * 10 <= Measure::of(code).tokens * 11);
    let mut formatted = wide.or_else(|| printed(sorted.as_deref().unwrap_or(code), false));
    if formatted.is_none() && best.is_lone() {
        let source = Source::parse(code);
        formatted = layout(&mut search.checks, &best)?.map(|text| without_new_separators(&source, text));
    }
    let Some(text) = formatted.or_else(|| tidied(code)) else { return Ok(false) };
    if text == code {
        return Ok(true);
    }
    if text.len() > WIDEST * code.len() {
        return Ok(false);
    }
    let program = if best.is_lone() { best.with_text(text + lists) } else { dedented(&best.with_text(text)) };
    // It is the last one, so that it makes certain what was found before.
    search.checks.demand_certainty();
    Ok(search.take_first("format", [Some(program)])?.is_some())
}

/// `changed` in the layout of `program`, which it was made from, if that is formatted.
pub(crate) fn formatted_like(program: &Program, changed: Program) -> Program {
    let formatted = |program: &Program| {
        let (code, lists) = program.text.split_at(program.lists());
        printed(code, false).filter(|_| program.is_lone()).map(|text| text + lists)
    };
    if formatted(program).as_deref() != Some(&*program.text) {
        return changed;
    }
    match formatted(&changed) {
        Some(text) => changed.with_text(text),
        None => changed,
    }
}

/// `program` with the lines of each of its files as far to the left as in a file of their own.
fn dedented(program: &Program) -> Program {
    let Some(document) = program.document() else { return program.clone() };
    let mut text = String::with_capacity(program.text.len());
    let mut start = 0;
    for line in program.text.split_inclusive('\n') {
        let end = start + line.trim_end().len();
        let depth =
            document.files.iter().skip(1).filter(|file| file.range.start < start && end < file.range.end).count();
        let blank = line.len() - line.trim_start_matches(' ').len();
        text.push_str(&line[blank.min(INDENT * depth)..]);
        start += line.len();
    }
    program.with_text(text)
}

/// `text` with a space where tokens were apart and lines indented by the braces around them. None if it cannot be lexed.
fn tidied(text: &str) -> Option<String> {
    let source = Source::parse(text);
    source.file()?;
    let mut tidy = String::with_capacity(text.len());
    let (mut end, mut depth) = (0, 0_usize);
    for token in source.tokens() {
        let word = &text[token.range.clone()];
        let gap = &text[end..token.range.start];
        let closes = matches!(word, ")" | "]" | "}");
        depth = depth.saturating_sub(usize::from(closes));
        if gap.contains('\n') && end > 0 {
            tidy.push('\n');
            tidy.push_str(&" ".repeat(INDENT * depth));
        } else if !gap.is_empty() && end > 0 && !tidy.ends_with(['(', '[']) && !matches!(word, ")" | "]" | "," | ";") {
            tidy.push(' ');
        }
        tidy.push_str(word);
        depth += usize::from(matches!(word, "(" | "[" | "{"));
        end = token.range.end;
    }
    tidy.push('\n');
    Some(tidy)
}

/// The indentation for each delimiter around a line.
const INDENT: usize = 4;

/// `text` as prettyplease prints it, with what it would lose put back: the prefix and the comments before the first
/// token, and without the separators that it puts behind the last of a list, unless `is_wide`. None when it does not parse, or when a
/// comment inside would be lost.
fn printed(text: &str, is_wide: bool) -> Option<String> {
    let source = Source::parse(text);
    if source.understanding() != Understanding::Full {
        return None;
    }
    let first = source.tokens().iter().find(|token| token.kind != Kind::Comment).map_or(text.len(), |t| t.range.start);
    if source.tokens().iter().any(|token| token.kind == Kind::Comment && token.range.start > first) {
        return None;
    }
    let head = text[..first].trim_start_matches('\u{feff}').trim_end_matches([' ', '\t', '\n', '\r']);
    let file = source.file()?;
    // It panics at syntax that it does not know.
    let body = caught(|| prettyplease::unparse(file)).ok()?;
    let body = if is_wide { body } else { without_new_separators(&source, body) };
    Some(if head.is_empty() { body } else { format!("{head}\n{body}") })
}

/// `printed` without the commas that a formatter puts behind the last of a list that it breaks into lines, and without the
/// semicolon that prettyplease puts behind the last rule of a macro. They are tokens, and the program before the layout has none of
/// them. Where more than that differs, nothing is taken out.
fn without_new_separators(source: &Source, printed: String) -> String {
    let again = Source::parse(&printed);
    let own = source.tokens().iter().filter(|token| token.kind != Kind::Comment);
    let mut words = own.map(|token| &source.text()[token.range.clone()]).peekable();
    let mut kept = String::with_capacity(printed.len());
    let mut end = 0;
    for token in again.tokens() {
        let word = &printed[token.range.clone()];
        if words.next_if_eq(&word).is_some() {
            kept.push_str(&printed[end..token.range.end]);
        } else if !matches!(word, "," | ";") {
            return printed;
        }
        end = token.range.end;
    }
    kept.push_str(&printed[end..]);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(text: &str) -> Option<String> {
        printed(text, false).or_else(|| tidied(text))
    }

    #[test]
    fn what_the_printer_does_not_know_is_not_printed() {
        for text in
            ["extern \"C\" {\n    fn f() {}\n}\nfn g() {}", "trait A { async const fn c(); }", "macro m() { 1 }"]
        {
            assert!(printed(text, false).is_none_or(|printed| !printed.is_empty()), "{text}");
        }
    }

    #[test]
    fn headers_stay_before_the_formatted_text() {
        assert_eq!(
            formatted("//@ edition: 2021\n\n\nfn  main ( ) { }").as_deref(),
            Some("//@ edition: 2021\nfn main() {}\n")
        );
    }

    #[test]
    fn a_text_that_would_lose_a_comment_is_not_printed() {
        assert_eq!(printed("fn f() { /* why */ }", false), None);
        assert_eq!(formatted("fn f( {"), None);
    }

    #[test]
    fn a_layout_has_no_more_tokens_than_the_program() {
        assert_eq!(
            formatted("struct A { a: u8, b: (u8,) }").as_deref(),
            Some("struct A {\n    a: u8,\n    b: (u8,)\n}\n")
        );
        assert_eq!(
            formatted("macro_rules! a { (b) => {}; () => { c; } }").as_deref(),
            Some("macro_rules! a {\n    (b) => {};\n    () => {\n        c;\n    }\n}\n")
        );
        assert_eq!(formatted("macro_rules! a { () => {}; }").as_deref(), Some("macro_rules! a {\n    () => {};\n}\n"));
        assert_eq!(formatted("struct A { a: u8, }").as_deref(), Some("struct A {\n    a: u8,\n}\n"));
        assert_eq!(
            formatted("fn f() { match 0 { _ => 1, } }").as_deref(),
            printed("fn f() { match 0 { _ => 1, } }", false).as_deref()
        );
    }

    #[test]
    fn what_cannot_be_printed_is_tidied() {
        assert_eq!(
            formatted("  fn f(   ) {\n  |a:   dyn A  + !B | (  a , b ) ;\n        }").as_deref(),
            Some("fn f() {\n    |a: dyn A + !B | (a, b);\n}\n")
        );
        assert_eq!(formatted("//@ a\n\nm! {\n=> // why\n}").as_deref(), Some("//@ a\nm! {\n    => // why\n}\n"));
    }
}
