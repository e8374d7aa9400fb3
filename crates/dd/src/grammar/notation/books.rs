//! The notation of *The Fuzzing Book*: a dictionary from symbols to lists of expansions, as JSON or as a literal of Python.

use super::reader::{NotationError, Reader};
use crate::grammar::productions::{Expansion, Rule, symbols};

/// The symbol that the book begins with.
const START: &str = "<start>";

/// What begins a comment.
const COMMENTS: &[&str] = &["#", "//"];

/// Whether a dictionary begins here, perhaps behind a name: `{`, `NAME = {` or `NAME: TYPE = {`. Passes what is before it.
pub(super) fn is_begun(reader: &mut Reader<'_>) -> Result<bool, NotationError> {
    let mut ahead = reader.clone();
    ahead.pass_blanks(COMMENTS)?;
    let name = ahead.take_while(|char| !matches!(char, '=' | '{' | '\n'));
    if !name.is_empty() {
        // A rule of EBNF, or a name that is of nothing.
        if name.ends_with("::") || !ahead.takes("=") {
            return Ok(false);
        }
        ahead.pass_blanks(COMMENTS)?;
    }
    let is_begun = ahead.rest().starts_with('{');
    if is_begun {
        *reader = ahead;
    }
    Ok(is_begun)
}

/// The rules of a dictionary, that of the start symbol first.
pub(super) fn rules(reader: &mut Reader<'_>) -> Result<Vec<(String, Rule)>, NotationError> {
    let mut rules = Vec::new();
    open(reader, "{")?;
    while !closed(reader, "}", rules.is_empty())? {
        let mark = reader.mark();
        let name = text(reader, "a symbol in quotes")?;
        if !(name.len() > 2 && name.starts_with('<') && name.ends_with('>')) {
            return Err(
                reader.error_at(mark, format!("the name of the symbol `{name}` has to stand between `<` and `>`"))
            );
        }
        open(reader, ":")?;
        rules.push((name, Rule::Alternatives(expansions(reader)?)));
    }
    reader.pass_blanks(COMMENTS)?;
    if !reader.is_at_end() {
        return Err(reader.error("nothing follows the dictionary"));
    }
    if let Some(start) = rules.iter().position(|(name, _)| name == START) {
        rules[..=start].rotate_right(1);
    }
    Ok(rules)
}

/// A list of expansions: texts, or tuples of a text and options, which are for generating only.
fn expansions(reader: &mut Reader<'_>) -> Result<Vec<Expansion>, NotationError> {
    const WANTED: &str = "a list of texts in quotes";
    let mut found = Vec::new();
    reader.pass_blanks(COMMENTS)?;
    if !reader.takes("[") {
        return Err(reader.expected(format_args!("{WANTED}, not code that makes one")));
    }
    while !closed(reader, "]", found.is_empty())? {
        reader.pass_blanks(COMMENTS)?;
        let is_tuple = reader.takes("(");
        found.push(symbols(&text(reader, WANTED)?));
        if is_tuple {
            skip_to_end_of_tuple(reader)?;
        }
    }
    Ok(found)
}

/// Texts in quotes, which are one where several stand side by side.
fn text(reader: &mut Reader<'_>, wanted: &str) -> Result<String, NotationError> {
    let mut found: Option<String> = None;
    loop {
        reader.pass_blanks(COMMENTS)?;
        let mut ahead = reader.clone();
        let prefix = ahead.take_while(|char| matches!(char, 'r' | 'R' | 'u' | 'U'));
        let quote = ahead.peek().filter(|char| matches!(char, '"' | '\'') && prefix.len() < 2);
        let Some(quote) = quote else {
            return found.ok_or_else(|| reader.expected(wanted));
        };
        ahead.next();
        let part = if prefix.eq_ignore_ascii_case("r") {
            let raw = ahead.take_while(|char| char != quote && char != '\n').to_owned();
            if ahead.takes(&quote.to_string()) { Ok(raw) } else { Err(ahead.error("this text has no closing quote")) }
        } else {
            ahead.quoted(quote)
        };
        found.get_or_insert_default().push_str(&part?);
        *reader = ahead;
    }
}

/// Passes the options of an expansion.
fn skip_to_end_of_tuple(reader: &mut Reader<'_>) -> Result<(), NotationError> {
    let mut depth = 1;
    while depth > 0 {
        match reader.next() {
            Some('(') => depth += 1,
            Some(')') => depth -= 1,
            Some(quote @ ('"' | '\'')) => drop(reader.quoted(quote)?),
            Some(_) => {}
            None => return Err(reader.error("a `(` has no `)`")),
        }
    }
    Ok(())
}

fn open(reader: &mut Reader<'_>, mark: &str) -> Result<(), NotationError> {
    reader.pass_blanks(COMMENTS)?;
    reader.expect(mark)
}

/// Whether a list or a dictionary ends here. Else passes the comma before the next element, unless that `is_first`.
fn closed(reader: &mut Reader<'_>, end: &str, is_first: bool) -> Result<bool, NotationError> {
    reader.pass_blanks(COMMENTS)?;
    if is_first || reader.rest().starts_with(end) {
        return Ok(reader.takes(end));
    }
    if !reader.takes(",") {
        return Err(reader.expected(format_args!("`,` or `{end}`")));
    }
    reader.pass_blanks(COMMENTS)?;
    Ok(reader.takes(end))
}
