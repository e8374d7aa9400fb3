//! The report of a panic, as the standard library writes it to standard error.

/// Beginnings of lines that can follow a panic's message.
const AFTER_MESSAGE: [&str; 6] =
    ["note: ", "stack backtrace:", "error: ", "query stack ", "thread '", "fatal runtime error: "];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Panic<'a> {
    /// The thread that panicked, by its name and number.
    pub(crate) thread: &'a str,
    /// Where it was raised: `path.rs:1:2`.
    pub(crate) place: &'a str,
    pub(crate) message: String,
    /// The lines behind the first one of its report, up to the next panic.
    pub(crate) lines: &'a [String],
}

impl<'a> Panic<'a> {
    pub(crate) fn first(lines: &'a [String]) -> Option<Self> {
        (0..lines.len()).find_map(|at| Self::parse(&lines[at..]))
    }

    pub(crate) fn all(lines: &'a [String]) -> impl Iterator<Item = Self> {
        (0..lines.len()).filter_map(|at| Self::parse(&lines[at..]))
    }

    /// The panic whose report begins with the first of `lines`.
    fn parse(lines: &'a [String]) -> Option<Self> {
        let (first, rest) = lines.split_first()?;
        let (thread, panic) = reported(first)?;
        let next = rest.iter().position(|line| reported(line).is_some());
        let lines = &rest[..next.unwrap_or(rest.len())];
        let Some(begun) = panic.strip_prefix('\'') else {
            let is_message = |line: &&String| !AFTER_MESSAGE.iter().any(|next| line.starts_with(next));
            let message: Vec<&str> = rest.iter().take_while(is_message).map(String::as_str).collect();
            return Some(Self { thread, place: panic.strip_suffix(':')?, message: message.join("\n"), lines });
        };
        // Before Rust 1.73 the message stood between quotes before the place, over as many lines as it had.
        let mut message = String::new();
        for line in std::iter::once(begun).chain(rest.iter().map(String::as_str)) {
            if let Some((end, place)) = line.rsplit_once("', ").filter(|(_, place)| is_place(place)) {
                message.push_str(end);
                return Some(Self { thread, place, message, lines });
            }
            message.push_str(line);
            message.push('\n');
        }
        None
    }
}

/// The thread and what follows, if a line begins the report of a panic.
fn reported(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("thread '")?.split_once(" panicked at ")
}

/// Whether it is `path.rs:1:2`.
pub(crate) fn is_place(text: &str) -> bool {
    let mut parts = text.rsplitn(3, ':');
    let mut number = || parts.next().is_some_and(|part| part.parse::<u32>().is_ok());
    number() && number() && parts.next().is_some_and(|file| file.ends_with(".rs"))
}
