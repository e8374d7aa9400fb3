//! Literals as they are written, and simpler ones.

use std::ops::Range;

/// The parts of a number, as written: its digits before the point, prefix such as `0x` included; its digits after the point and
/// its exponent, none for an integer; its suffix.
fn parts(text: &str) -> Option<[&str; 3]> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if text.starts_with("0x") || text.starts_with("0o") || text.starts_with("0b") {
        let (whole, suffix) = text.split_at(text.find(['i', 'u']).unwrap_or(text.len()));
        return Some([whole, "", suffix]);
    }
    let end =
        |from: usize| text[from..].find(|c: char| !c.is_ascii_digit() && c != '_').map_or(text.len(), |len| from + len);
    let whole = end(0);
    let mut rest = if text[whole..].starts_with('.') { end(whole + 1) } else { whole };
    if text[rest..].starts_with(['e', 'E']) {
        let sign = usize::from(text[rest + 1..].starts_with(['+', '-']));
        rest = end(rest + 1 + sign);
    }
    Some([&text[..whole], &text[whole..rest], &text[rest..]])
}

fn value(whole: &str) -> Option<u128> {
    let digits = whole.replace('_', "");
    match digits.get(..2) {
        Some("0x") => u128::from_str_radix(&digits[2..], 16).ok(),
        Some("0o") => u128::from_str_radix(&digits[2..], 8).ok(),
        Some("0b") => u128::from_str_radix(&digits[2..], 2).ok(),
        _ => digits.parse().ok(),
    }
}

/// Simpler numbers than that written as `text`, the simplest first.
pub(crate) fn numbers(text: &str) -> Vec<String> {
    let Some([whole, rest, suffix]) = parts(text.trim_start_matches(['-', ' '])) else { return Vec::new() };
    let mut simpler = Vec::new();
    if !rest.is_empty() || suffix.starts_with('f') {
        simpler.extend(["0.", "0", "1."].map(String::from));
        simpler.extend(["0", "1", whole].map(|digits| format!("{digits}{suffix}")));
        simpler.push(format!("{whole}."));
        let shorter = rest[..rest.len().saturating_sub(1)].trim_end_matches(['e', 'E', '+', '-', '_']);
        simpler.push(format!("{whole}{shorter}{suffix}"));
    } else {
        let mut values = vec!["0".to_owned(), "1".to_owned()];
        if let Some(value) = value(whole) {
            let digits = value.to_string();
            values.push(digits[..digits.len().div_ceil(2)].to_owned());
            values.push((value / 2).to_string());
            values.push((value / 10).to_string());
            values.push(digits);
        }
        let suffixed: Vec<String> = values.iter().map(|value| format!("{value}{suffix}")).collect();
        simpler.extend(values);
        simpler.extend(suffixed);
    }
    simpler.push(format!("{whole}{rest}"));
    // A suffix after the point would be a field.
    simpler.retain(|candidate| candidate.len() < text.len() && !candidate.contains(".f"));
    without_repetition(simpler)
}

fn without_repetition(candidates: Vec<String>) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for candidate in candidates {
        if !unique.contains(&candidate) {
            unique.push(candidate);
        }
    }
    unique
}

/// A string as written: what stands before and after its text, and the text in units that must not be cut.
struct Quoted<'t> {
    open: &'t str,
    close: &'t str,
    units: Vec<&'t str>,
}

impl<'t> Quoted<'t> {
    fn new(text: &'t str, quote: char) -> Option<Self> {
        let start = text.find(quote)?;
        let end = text.rfind(quote)?;
        if !text[..start].chars().all(|c| "bcr#".contains(c)) || start == end {
            return None;
        }
        let (open, close) = (&text[..=start], &text[end..]);
        Some(Self { open, close, units: units(&text[start + 1..end], open.contains('r')) })
    }

    fn with(&self, units: &[&str]) -> String {
        format!("{}{}{}", self.open, units.concat(), self.close)
    }
}

/// The characters and escapes of the text of a literal.
fn units(text: &str, raw: bool) -> Vec<&str> {
    let mut units = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let mut len = first.len_utf8();
        if first == '\\' && !raw {
            let escaped = rest[1..].chars().next();
            len += escaped.map_or(0, char::len_utf8);
            match escaped {
                Some('x') => len = rest.char_indices().nth(4).map_or(rest.len(), |(index, _)| index),
                Some('u') => len = rest.find('}').map_or(rest.len(), |end| end + 1),
                // A line that is continued loses its indentation.
                Some('\n' | '\r') => len = rest.len() - rest[1..].trim_start().len(),
                _ => {}
            }
        }
        // A carriage return stands before a line feed only.
        len += usize::from(first == '\r' && rest[len..].starts_with('\n'));
        units.push(&rest[..len]);
        rest = &rest[len..];
    }
    units
}

/// Shorter strings than that written as `text`, the shortest first.
pub(crate) fn strings(text: &str) -> Vec<String> {
    let Some(string) = Quoted::new(text, '"') else { return Vec::new() };
    let units = &string.units[..];
    let mut shorter = vec![string.with(&[]), string.with(&["a"])];
    let (first, second) = units.split_at(units.len() / 2);
    shorter.extend([first, second].map(|half| string.with(half)));
    if let [_, rest @ ..] = units {
        shorter.push(string.with(rest));
        shorter.push(string.with(&units[..units.len() - 1]));
    }
    if string.open.contains('r') && !units.iter().any(|unit| ["\\", "\"", "\r", "\r\n"].contains(unit)) {
        let prefix = string.open.trim_end_matches(['r', '#', '"']);
        shorter.push(format!("{prefix}\"{}\"", units.concat()));
    }
    shorter.retain(|candidate| candidate.len() < text.len());
    without_repetition(shorter)
}

/// The bytes of the parts of the string written as `text` that can go: its characters, or its lines if there are many.
pub(crate) fn string_parts(text: &str) -> Vec<Range<usize>> {
    const MANY: usize = 400;
    let Some(Quoted { open, units, .. }) = Quoted::new(text, '"') else { return Vec::new() };
    let is_long = units.len() > MANY;
    let (mut parts, mut start, mut end) = (Vec::new(), open.len(), open.len());
    for unit in units {
        end += unit.len();
        if !is_long || ["\n", "\\n"].contains(&unit) {
            parts.push(start..end);
            start = end;
        }
    }
    parts.extend((start < end).then_some(start..end));
    parts
}

/// The number one in the form of that written as `text`; none if that has one digit, which says nothing.
pub(crate) fn neutral_number(text: &str) -> Option<String> {
    let [whole, rest, suffix] = parts(text)?;
    let is_long = [whole, rest].concat().chars().filter(char::is_ascii_digit).count() > 1 || whole.contains('x');
    let one = format!("1{}{}", if rest.is_empty() { "" } else { ".0" }, suffix.trim_start_matches('_'));
    Some(one).filter(|one| is_long && one != text)
}

/// The bytes of the words of the string written as `text`, without those of one character.
pub(crate) fn string_words(text: &str) -> Vec<Range<usize>> {
    let Some(Quoted { open, units, .. }) = Quoted::new(text, '"') else { return Vec::new() };
    let is_part = |unit: &str| unit.chars().all(|c| c == '_' || c.is_alphanumeric());
    let (mut words, mut end) = (Vec::new(), open.len());
    for run in units.chunk_by(|one, next| is_part(one) && is_part(next)) {
        let start = end;
        end += run.concat().len();
        words.extend((run.len() > 1).then_some(start..end));
    }
    words
}

/// A word of the same form and length that says nothing; none if `word` is one.
pub(crate) fn neutral_word(word: &str) -> Option<String> {
    let neutral = |c: char| match c {
        '_' => '_',
        _ if c.is_ascii_digit() => '0',
        _ if c.is_ascii_uppercase() => 'A',
        _ => ['a', '\u{e9}', '\u{3042}', '\u{10400}'][c.len_utf8() - 1],
    };
    Some(word.chars().map(neutral).collect()).filter(|neutral| neutral != word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_literal(simpler: fn(&str) -> Vec<String>, text: &str, expected: &[&str]) {
        assert_eq!(simpler(text), expected);
    }

    #[test]
    fn integers_get_smaller() {
        check_literal(numbers, "1234", &["0", "1", "12", "617", "123"]);
        check_literal(numbers, "12u8", &["0", "1", "6", "12", "0u8", "1u8", "6u8"]);
        check_literal(
            numbers,
            "0xff_u8",
            &["0", "1", "25", "127", "255", "0u8", "1u8", "25u8", "127u8", "255u8", "0xff_"],
        );
        check_literal(numbers, "1_0", &["0", "1", "5", "10"]);
        check_literal(numbers, "-12", &["0", "1", "6", "12"]);
        check_literal(numbers, "0b_", &["0", "1"]);
    }

    #[test]
    fn floats_get_simpler() {
        check_literal(numbers, "12.34", &["0.", "0", "1.", "1", "12", "12.", "12.3"]);
        check_literal(numbers, "1e-5f64", &["0.", "0", "1.", "0f64", "1f64", "1e-5"]);
        check_literal(numbers, "2f32", &["0.", "0", "1.", "2.", "2"]);
    }

    #[test]
    fn nothing_is_smaller_than_one_digit() {
        check_literal(numbers, "7", &[]);
        check_literal(numbers, "0", &[]);
        check_literal(numbers, "\"7\"", &[]);
    }

    #[test]
    fn strings_get_shorter_and_escapes_stay_whole() {
        check_literal(strings, "\"ab\\ncd\"", &["\"\"", "\"a\"", "\"ab\"", "\"\\ncd\"", "\"b\\ncd\"", "\"ab\\nc\""]);
        check_literal(strings, "\"a\r\nb\"", &["\"\"", "\"a\"", "\"\r\nb\"", "\"a\r\n\""]);
        check_literal(strings, "b\"\\x41\"", &["b\"\"", "b\"a\""]);
        check_literal(strings, "r#\"ab\"#", &["r#\"\"#", "r#\"a\"#", "r#\"b\"#", "\"ab\""]);
    }

    #[test]
    fn a_string_loses_characters_or_lines() {
        assert_eq!(string_parts("b\"a\\x41é\""), [2..3, 3..7, 7..9]);
        let long = "0123456789".repeat(30);
        assert_eq!(string_parts(&format!("\"{long}\\n{long}\"")), [1..303, 303..603]);
        assert_eq!(string_parts("'a'"), []);
    }

    #[test]
    fn an_empty_string_stays() {
        check_literal(strings, "\"\"", &[]);
        check_literal(strings, "'a'", &[]);
        check_literal(strings, "1", &[]);
    }
}
