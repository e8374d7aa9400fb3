//! Text that the compiler ignores: comments that are not documentation, blank lines, blanks at the ends of lines.

use std::ops::Range;

use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::text::Edit;
use crate::text::lex::{Kind, prefix};

family! {
    "comments", "Deletes comments and blank lines.", in Comments, Layout;

    /// Delete a comment that is no documentation.
    ///
    /// Headers of rustc's test suite stay where they say how the file is compiled: `//@ edition: 2024`.
    DELETE_COMMENT = "delete-comment", Rule::Tree(delete_comment),
        "// What the compiler skips.\n\
         fn f() {}"
        => "fn f() {}";

    /// Delete blank lines, and the blanks at the end of a line.
    DELETE_BLANK_LINES = "delete-blank-lines", Rule::Tree(delete_blank_lines),
        "fn f() {}\n\n\n\
         fn g() {}"
        => "fn f() {}\n\
            fn g() {}";
}

fn delete_comment(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for token in analysis.source().tokens() {
        if token.kind == Kind::Comment && !is_header(&analysis.source().text()[token.range.clone()]) {
            out.delete(token.range.clone());
        }
    }
}

/// Headers that say how a file is compiled.
const HEADERS: [&str; 6] = ["compile-flags", "edition", "incremental", "revisions", "rustc-env", "unset-rustc-env"];

/// Whether a comment says how a file is compiled.
pub(crate) fn is_header(comment: &str) -> bool {
    let Some(header) = comment.strip_prefix("//@").map(str::trim_start) else { return false };
    // Those of one revision name it first.
    let header = header.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(header, |(_, header)| header);
    let name = header.trim_start().split(|c: char| c == ':' || c.is_whitespace()).next();
    name.is_some_and(|name| HEADERS.contains(&name))
}

fn delete_blank_lines(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let text = analysis.source().text();
    let mut start = prefix(text);
    for token in analysis.source().tokens() {
        blank(text, start..token.range.start, out);
        start = token.range.end;
    }
    let newline = if text[start..].contains('\n') { "\n" } else { "" };
    out.edit(start..text.len(), vec![Edit::replace(start..text.len(), newline)]);
}

/// Proposes to leave of a gap between two tokens one line break and the indentation after it.
fn blank(text: &str, gap: Range<usize>, out: &mut Proposals<'_>) {
    let Some(last) = text[gap.clone()].rfind('\n') else { return };
    // Nothing stands before the first token of a file that needs the line break.
    let kept = if gap.start == 0 { last + 1 } else { last };
    out.delete_in(gap.clone(), gap.start..gap.start + kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::candidates, testing::check};

    #[track_caller]
    fn check_layout(text: &str, expected: &[&str]) {
        assert_eq!(candidates(&DELETE_BLANK_LINES, text), expected);
    }

    #[test]
    fn each_comment_goes() {
        check(
            &DELETE_COMMENT,
            "// a\nfn f() { /* b */ g() // c\n}",
            &["fn f() { /* b */ g() // c\n}", "// a\nfn f() { g() // c\n}", "// a\nfn f() { /* b */ g() }"],
        );
        check(&DELETE_COMMENT, "fn/**/f() {}", &["fn f() {}"]);
        check(&DELETE_COMMENT, "m! { //// a\n }", &["m! { }"]);
    }

    #[test]
    fn headers_documentation_and_strings_are_no_comments() {
        check(&DELETE_COMMENT, "//@ edition: 2024\n//@[a] compile-flags: -O\n/// a\nfn f() {}", &[]);
        check(&DELETE_COMMENT, "//@ known-bug: #1\nfn f() {}", &["fn f() {}"]);
        check(&DELETE_COMMENT, "//@ only-x86_64\nfn f() {}", &["fn f() {}"]);
        check(&DELETE_COMMENT, "const S: &str = \"// a\";", &[]);
        check(&DELETE_COMMENT, "#!/usr/bin/env // a\nfn f() {}", &[]);
    }

    #[test]
    fn one_line_break_and_the_indentation_are_left_of_a_gap() {
        check_layout("fn f() {\n\n  \n    g()\n}", &["fn f() {\n    g()\n}"]);
        check_layout("a!();  \n b!();", &["a!();\n b!();"]);
        check_layout("\n\n// a\n\nfn f() {}", &["// a\n\nfn f() {}", "\n\n// a\nfn f() {}"]);
        check_layout("#!/bin/x\n\nfn f() {}", &["#!/bin/x\nfn f() {}"]);
        check_layout("fn f() {}\n\n", &["fn f() {}\n"]);
        check_layout("fn f() {}  ", &["fn f() {}"]);
    }

    #[test]
    fn text_of_comments_and_strings_keeps_its_lines() {
        check_layout("const S: &str = \"a \n\n\n\";\n", &[]);
        check_layout("/* a\n\n\nb */\nfn f() {}\n", &[]);
        check_layout("fn f() {  g()  }\n", &[]);
    }
}
