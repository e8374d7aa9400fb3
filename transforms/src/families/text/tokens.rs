//! Tokens and brackets of text whose brackets do not match.

use std::ops::Range;

use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Source, Understanding};

family! {
    "tokens", "Deletes tokens and brackets of text whose brackets do not match.", in Text;

    /// Delete a pair of brackets with what stands between them.
    DELETE_BRACKETED = "delete-bracketed",
        Rule::Text(|source, out| brackets(source).into_iter().for_each(|(open, close)| out.delete(open.start..close.end))),
        "fn f( { (a) }" => "fn f( { }";

    /// Delete a pair of brackets, not what stands between them.
    UNWRAP_BRACKETED = "unwrap-bracketed", Rule::Text(|source, out| {
            let all = brackets(source).into_iter();
            all.for_each(|(open, close)| out.keep(open.start..close.end, open.end..close.start));
        }),
        "fn f( { (a) }" => "fn f( { a }";

    /// Delete a token.
    DELETE_TOKEN = "delete-token", Rule::Text(delete_token), "fn f( { a }" => "fn ( { a }";
}

/// The brackets that match, outermost first, if that is all that is known of the text.
fn brackets(source: &Source) -> Vec<(Range<usize>, Range<usize>)> {
    let known = source.understanding() == Understanding::Text;
    if known { source.brackets(0..source.text().len()) } else { Vec::new() }
}

fn delete_token(source: &Source, out: &mut Proposals<'_>) {
    if source.understanding() == Understanding::Text {
        source.code(0..usize::MAX).for_each(|(_, token)| out.delete(token));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn brackets_that_match_go_outermost_first() {
        check(&DELETE_BRACKETED, "{ a(b [c]) ) d", &["{ a ) d", "{ a(b) ) d"]);
        check(&UNWRAP_BRACKETED, "{ a(b [c]) ) d", &["{ a b [c] ) d", "{ a(b c) ) d"]);
    }

    #[test]
    fn brackets_that_cross_do_not_match() {
        check(&DELETE_BRACKETED, "( [ )", &[]);
        check(&UNWRAP_BRACKETED, ") (", &[]);
    }

    #[test]
    fn each_token_goes() {
        check(&DELETE_TOKEN, "a => (", &["=> (", "a (", "a =>"]);
    }

    #[test]
    fn where_brackets_match_there_are_better_reductions() {
        check(&DELETE_TOKEN, "fn 1() { a }", &[]);
        check(&DELETE_BRACKETED, "fn f() { a }", &[]);
        check(&UNWRAP_BRACKETED, "", &[]);
    }
}
