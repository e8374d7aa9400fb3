//! Lines of text that was not understood.

use crate::proposals::Proposals;
use crate::source::Source;
use crate::transform::{Rule, family};
use crate::tree::gaps;

family! {
    "lines", "Deletes lines of text that cannot be parsed.";

    /// Delete a line.
    ///
    /// ```text
    /// fn f( {
    ///     g();
    /// }
    /// =>
    /// fn f( {
    /// }
    /// ```
    ///
    /// Only where syn does not know what the line is; a file that it parses has better reductions.
    DELETE_LINE = "delete-line", Rule::Text(delete_line);
}

fn delete_line(source: &Source, out: &mut Proposals<'_>) {
    for gap in gaps(source) {
        let mut start = gap.start;
        for line in source.text()[gap].split_inclusive('\n') {
            out.delete(start..start + line.len());
            start += line.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::candidates;

    #[track_caller]
    fn check_lines(text: &str, expected: &[&str]) {
        assert_eq!(candidates(&DELETE_LINE, text), expected);
    }

    #[test]
    fn lines_of_text_go_with_their_line_break() {
        check_lines("a(\n\nb\nc", &["\nb\nc", "a(\nb\nc", "a(\n\nc", "a(\n\nb\n"]);
    }

    #[test]
    fn lines_go_where_the_gaps_are() {
        check_lines(
            "fn f() {}\nfn 1()\n{ a }\nfn g() {}",
            &["fn f() {}\n{ a }\nfn g() {}", "fn f() {}\nfn 1()\nfn g() {}"],
        );
    }

    #[test]
    fn lines_that_were_understood_stay() {
        check_lines("fn f() {\n    m!(\n=>\n)\n}", &[]);
        check_lines("", &[]);
    }
}
