//! The lines of a file that are headers.

use std::ffi::OsString;
use std::ops::Range;

/// A header: `//@[revisions] name: value`.
pub(crate) struct Line<'a> {
    /// From 1.
    pub(crate) number: usize,
    /// The revisions that it is for; none: all.
    pub(crate) revisions: Option<&'a str>,
    /// The name, such as `compile-flags`.
    pub(crate) name: &'a str,
    /// The text after the colon.
    pub(crate) value: &'a str,
}

impl Line<'_> {
    pub(crate) fn is_in(&self, revision: Option<&str>) -> bool {
        self.revisions.is_none_or(|names| revision.is_some_and(|name| names.split(',').any(|it| it.trim() == name)))
    }
}

pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().zip(1..).filter_map(|(line, number)| {
        let header = line.trim_start().strip_prefix("//@")?.trim_start();
        let (revisions, header) = match header.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((names, header)) => (Some(names), header),
            None => (None, header),
        };
        let (name, value) = header.split_once(':').unwrap_or_else(|| {
            let header = header.trim_start();
            header.split_once(char::is_whitespace).unwrap_or((header, ""))
        });
        // A comment that begins like a header and goes on in words is none.
        let name = name.trim();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        (!name.is_empty() && name.chars().all(is_name)).then(|| Line { number, revisions, name, value: value.trim() })
    })
}

/// The value of the first header of this name, if there is one.
pub(crate) fn value_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    lines(text).find(|line| line.name == name && !line.value.is_empty()).map(|line| line.value)
}

/// The headers that are for all revisions: the name of each, and all behind the sign.
pub(crate) fn plain(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(move |line| {
        let header = lines(line).next().filter(|header| header.revisions.is_none())?;
        Some((header.name, line.trim_start().strip_prefix("//@")?.trim()))
    })
}

/// The bytes of each line that is a header.
pub(crate) fn ranges(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let all = text.split_inclusive('\n').map(|line| {
        start += line.len();
        (start - line.len()..start, lines(line).next().is_some())
    });
    all.filter(|(_, is_header)| *is_header).map(|(range, _)| range).collect()
}

/// The words of a line, in which single quotes keep spaces together.
pub fn words(line: &str) -> Vec<OsString> {
    let parts = line.split('\'').enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().map(OsString::from).collect(),
        _ => vec![OsString::from(part)],
    });
    words.collect()
}

/// An edition, or the first one of a range such as `2018..2024`.
pub(crate) fn edition(value: &str) -> &str {
    let value = value.split_whitespace().next().unwrap_or_default();
    match value.split_once("..") {
        Some(("", last)) => last.trim_start_matches('='),
        Some((first, _)) => first,
        None => value,
    }
}
