//! Changes that the compiler suggests.

use crate::rule::propose::follow;
use crate::rule::{Rule, family};

family! {
    "suggestions", "Follows the suggestions of the compiler.", in RustcHints, LateHints;

    /// Make the changes that the compiler suggests and is sure of.
    ///
    /// Unused imports, needless parentheses, `mut` and qualifications, and whatever else rustc has a suggestion for that
    /// can be applied by a machine and makes the program smaller.
    FOLLOW_SUGGESTION = "follow-suggestion", Rule::Hinted(follow),
        "fn f() { if (a) { b() } }" => "fn f() { if a { b() } }";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Analysis, Edit, Hint, Source, Tree, apply, enumerate_hinted};

    /// Checks the candidate for one suggestion, if one is proposed.
    #[track_caller]
    fn check(text: &str, edits: &[(std::ops::Range<usize>, &str)], expected: Option<&str>) {
        let edits = edits.iter().map(|(range, text)| Edit::replace(range.clone(), *text)).collect();
        let hint = Hint { lint: "l".to_owned(), site: 0..0, edits };
        let source = Source::parse(text);
        let found = enumerate_hinted(&Analysis::of(&Tree::new(&source)), &FOLLOW_SUGGESTION, &[hint]);
        assert_eq!(found.first().map(|reduction| apply(text, [reduction])).as_deref(), expected);
    }

    #[test]
    fn all_changes_of_a_suggestion_are_made() {
        check("fn f() { if (a) {} }", &[(12..13, ""), (14..15, "")], Some("fn f() { if a {} }"));
        check("fn f() { if (a) {} }", &[(14..15, ""), (12..13, "")], Some("fn f() { if a {} }"));
    }

    #[test]
    fn what_makes_the_program_larger_or_does_not_fit_is_not_followed() {
        check("fn f(a: u8) {}", &[(5..6, "_a")], None);
        check("fn f() {}", &[], None);
        check("fn f() {}", &[(3..100, "")], None);
        check("fn f() { \"ä\" }", &[(11..12, "")], None);
        check("fn f() {}", &[(0..4, ""), (3..9, "")], None);
    }
}
