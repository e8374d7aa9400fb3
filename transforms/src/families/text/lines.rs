//! Lines of text that was not understood.

use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Source, Understanding};

family! {
    "lines", "Deletes lines of text that cannot be parsed.", in Text;

    /// Delete a line.
    ///
    /// Only where the delimiters do not match; token trees are better reductions of what syn does not know.
    DELETE_LINE = "delete-line", Rule::Text(delete_line),
        "fn f( {\n    g();\n\
         }"
        => "fn f( {\n\
            }";
}

fn delete_line(source: &Source, out: &mut Proposals<'_>) {
    let mut start = 0;
    for line in source.text().split_inclusive('\n').filter(|_| source.understanding() == Understanding::Text) {
        out.delete(start..start + line.len());
        start += line.len();
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
    fn lines_that_were_understood_stay() {
        check_lines("fn f() {\n    m!(\n=>\n)\n}", &[]);
        check_lines("fn 1() {}\n", &[]);
        check_lines("", &[]);
    }
}
