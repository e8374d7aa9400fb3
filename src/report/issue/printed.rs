//! What a command printed, in the parts that an issue shows apart.

use std::sync::LazyLock;

use regex::Regex;

/// What a command printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Printed {
    /// All but what follows.
    pub(crate) message: String,
    pub(crate) backtrace: String,
    /// The queries of the compiler that a crash interrupted.
    pub(crate) queries: String,
}

impl Printed {
    /// Reads what was printed.
    pub(crate) fn read(text: &str) -> Self {
        let mut printed = Self::default();
        let (mut is_backtrace, mut is_queries) = (false, false);
        for line in text.lines() {
            match line.trim_end() {
                "stack backtrace:" => is_backtrace = true,
                "query stack during panic:" => is_queries = true,
                "end of query stack" => is_queries = false,
                line if is_backtrace && is_frame(line) => add(&mut printed.backtrace, line),
                line if is_queries => add(&mut printed.queries, line),
                line => {
                    is_backtrace = false;
                    add(&mut printed.message, line);
                }
            }
        }
        // The number of a thread is another one in each run.
        static THREAD: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"(?m)^(thread '.*') \(\d+\) panicked").expect("it is well-formed"));
        printed.message = THREAD.replace_all(printed.message.trim(), "$1 panicked").into_owned();
        printed
    }
}

/// Whether a line is a frame, or the place of one.
fn is_frame(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.split(':').next().unwrap_or_default();
    line.starts_with("at ")
        || line.starts_with("[..")
        || !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit())
}

fn add(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backtrace_and_queries_stand_apart() {
        let text = "thread 'rustc' (28) panicked at a.rs:1:2:\nno\nstack backtrace:\n   0: f\n             at ./a.rs:1:2\n   1: <T as U>::g\nnote: x\n\nquery stack during panic:\n#0 [typeck] typing `f`\nend of query stack\nerror: aborting\n";
        let printed = Printed::read(text);
        assert_eq!(printed.message, "thread 'rustc' panicked at a.rs:1:2:\nno\nnote: x\n\nerror: aborting");
        assert_eq!(printed.backtrace, "   0: f\n             at ./a.rs:1:2\n   1: <T as U>::g\n");
        assert_eq!(printed.queries, "#0 [typeck] typing `f`\n");
        assert_eq!(Printed::read("error: x\n"), Printed { message: "error: x".to_owned(), ..Printed::default() });
    }
}
