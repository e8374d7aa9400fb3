//! Placeholders of format strings, `{}`, as they are written in the source.

use std::ops::Range;

pub(crate) struct Placeholder {
    /// Its bytes in the literal, braces included.
    pub(crate) range: Range<usize>,
    /// Whether it prints the next argument, as `{}` does, not one that it names.
    pub(crate) is_next: bool,
    /// The names in it: of what it prints, of its width and its precision.
    pub(crate) names: Vec<Range<usize>>,
}

/// The placeholders of the format string that `literal` may be, as written, quotes included.
/// Braces of escapes such as `\u{..}` are none.
pub(crate) fn placeholders(literal: &str) -> Vec<Placeholder> {
    let bytes = literal.as_bytes();
    let raw = literal.trim_start_matches(['b', 'c']).starts_with('r');
    let mut placeholders = Vec::new();
    let mut position = 0;
    while position < bytes.len() {
        match &bytes[position..] {
            [b'\\', b'u', b'{', ..] if !raw => position += close(literal, position + 2).unwrap_or(3),
            [b'\\', _, ..] if !raw => position += 2,
            [b'{', b'{', ..] => position += 2,
            [b'{', ..] => {
                let Some(len) = close(literal, position) else { break };
                placeholders.push(placeholder(literal, position..position + len));
                position += len;
            }
            _ => position += 1,
        }
    }
    placeholders
}

/// How many bytes there are from `start` to behind the next closing brace.
fn close(literal: &str, start: usize) -> Option<usize> {
    literal[start..].find('}').map(|end| end + 1)
}

fn placeholder(literal: &str, range: Range<usize>) -> Placeholder {
    let inner = range.start + 1..range.end - 1;
    let argument_end = literal[inner.clone()].find(':').map_or(inner.end, |colon| inner.start + colon);
    let argument = literal[inner.start..argument_end].trim();
    let mut names = Vec::new();
    if is_name(argument) {
        let start = inner.start + literal[inner.start..argument_end].find(argument).unwrap_or(0);
        names.push(start..start + argument.len());
    }
    // Width and precision: names that end in `$`.
    for (dollar, _) in literal[argument_end..inner.end].match_indices('$') {
        let end = argument_end + dollar;
        let before = literal[argument_end..end].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        let start = argument_end + before.len();
        if is_name(&literal[start..end]) {
            names.push(start..end);
        }
    }
    Placeholder { is_next: argument.is_empty(), range, names }
}

fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the placeholders with their names.
    #[track_caller]
    fn check(literal: &str, expected: &[(&str, &[&str])]) {
        let found = placeholders(literal);
        let found: Vec<(&str, Vec<&str>)> = found
            .iter()
            .map(|found| {
                let names = found.names.iter().map(|name| &literal[name.clone()]).collect();
                (&literal[found.range.clone()], names)
            })
            .collect();
        let expected: Vec<(&str, Vec<&str>)> = expected.iter().map(|(text, names)| (*text, names.to_vec())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn placeholders_name_what_they_print_and_how_wide() {
        check(
            "\"{} {a} {0:?} {b:>c$.d$} {:.*}\"",
            &[("{}", &[]), ("{a}", &["a"]), ("{0:?}", &[]), ("{b:>c$.d$}", &["b", "c", "d"]), ("{:.*}", &[])],
        );
        check("\"{ a :}\"", &[("{ a :}", &["a"])]);
    }

    #[test]
    fn escapes_are_no_placeholders() {
        check("\"{{a}} \\u{1f} \\{ {é}\"", &[("{é}", &["é"])]);
        check("r\"\\u{a} \\\"", &[("{a}", &["a"])]);
    }

    #[test]
    fn what_is_never_closed_is_no_placeholder() {
        check("\"{a \\u{\"", &[]);
        check("\"\\", &[]);
    }
}
