//! The data of a program that fails when it is run: what its `main` or its tests hand to the code, and the files that it reads.
//!
//! Other data give other values, so nothing else is reduced at the same time.

use std::ops::Range;

use mcve_transforms::{Reduction, Syntax, Tree, covers, is_entry};
use syn::Expr;

/// The transform that shortens strings bit by bit.
pub(super) const STRING_PART: &str = "delete-string-part";

/// The transform that deletes statements, of which only calls are data.
const STATEMENT: &str = "delete-statement";

/// The transforms that take away whole data.
const WHOLE: [&str; 4] = ["delete-data", "delete-data-line", "delete-element", "delete-macro-argument"];

/// The transforms that take away parts of data, such as the sign of a number, or a call that makes some. What is left may be wrong for
/// another reason, which only a change shows with which the program passes.
const PARTS: [&str; 3] = [STATEMENT, STRING_PART, "halve-data-line"];

pub(super) struct Data<'t> {
    text: &'t str,
    places: Vec<Range<usize>>,
    /// The closures, which are code.
    closures: Vec<Range<usize>>,
}

impl<'t> Data<'t> {
    pub(super) fn of(tree: &'t Tree<'_>) -> Self {
        let text = tree.source().text();
        let functions = tree.nodes().filter(|node| is_entry(*node));
        let lists = text.find("mcve::data!(").map(|start| start..text.len());
        let closures = tree.nodes().filter(|node| matches!(node.syntax(), Syntax::Expr(Expr::Closure(_))));
        let places = functions.map(|node| node.range()).chain(lists).collect();
        Self { text, places, closures: closures.map(|node| node.range()).collect() }
    }

    /// Whether a reduction takes away data, and no code; also parts of them if `has_cause`.
    pub(super) fn may_lose(&self, reduction: &Reduction, has_cause: bool) -> bool {
        let name = &reduction.transform.name;
        let is_in = |places: &[Range<usize>], bytes: &Range<usize>| places.iter().any(|place| covers(place, bytes));
        let is_data = |bytes: &Range<usize>| is_in(&self.places, bytes) && !is_in(&self.closures, bytes);
        let is_call = |statement: &str| {
            let statement = statement.trim().trim_end_matches(';');
            statement.starts_with("let ")
                || syn::parse_str(statement).is_ok_and(|expr| {
                    matches!(expr, Expr::Await(_) | Expr::Call(_) | Expr::Macro(_) | Expr::MethodCall(_) | Expr::Try(_))
                })
        };
        (WHOLE.contains(name) || has_cause && PARTS.contains(name))
            && reduction.edits.iter().all(|edit| is_data(&edit.range))
            && (*name != STATEMENT || is_call(&self.text[reduction.site.clone()]))
    }
}

#[cfg(test)]
mod tests {
    use mcve_transforms::{Analysis, Source, enumerate, named};

    use super::*;

    #[test]
    fn what_a_test_hands_to_the_code_is_data() {
        let text =
            "fn f(x: &str) { g([1, 2]); h(\"a\"); } #[test] fn t() { n += 1; f(\"b\"); for x in [3] { g(|| \"c\") } }";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let data = Data::of(&tree);
        for (has_cause, expected) in [(false, &["3"][..]), (true, &["3", "b", "f(\"b\");", "g(|| \"c\")"])] {
            let proposed = WHOLE.into_iter().chain(PARTS).chain(["delete-argument"]).flat_map(named);
            let proposed = proposed.flat_map(|transform| enumerate(&names, transform));
            let lost = proposed.filter(|one| data.may_lose(one, has_cause));
            let mut lost: Vec<&str> = lost.map(|reduction| &text[reduction.site]).collect();
            lost.sort_unstable();
            assert_eq!(lost, expected);
        }
    }
}
