//! Code that the compiler reports as unused: finds the reductions of all transforms that remove it.

use std::cmp::Reverse;
use std::ops::Range;

use syn::Item;

use crate::families::data::{declaration_lists, fields};
use crate::families::expressions::lists;
use crate::families::functions::parameters;
use crate::families::items::attrs;
use crate::families::items::whole_items as items;
use crate::families::macros::macro_rules;
use crate::families::statements::{labels, stmts};
use crate::families::text::suggestions;
use crate::names::Analysis;
use crate::rule::enumerate::{enumerate, enumerate_hinted};
use crate::rule::{Hint, Reduction, Transform};
use crate::syntax::types::heads;
use crate::syntax::{Syntax, Tree};
use crate::text::covers;

/// How a reduction is found for the site of a hint.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Its site is the smallest that holds it.
    Holds,
    /// Its site also begins with it, but for a `let`: what is only a part of a pattern or of an expression stays.
    Begins,
}

/// The lints, each with what follows its hints, in the order in which they are best followed: users of something go before it. The edits of any other lint
/// are followed, too.
static ADVICE: &[(&str, Reach, &[&Transform])] = &[
    ("unused_imports", Reach::Holds, &[]),
    ("unused_macros", Reach::Holds, &[&items::DELETE_ITEM]),
    ("unused_macro_rules", Reach::Holds, &[&macro_rules::DELETE_MACRO_RULE]),
    ("unreachable_code", Reach::Begins, &[&stmts::DELETE_STATEMENT]),
    ("unreachable_patterns", Reach::Begins, &[&lists::DELETE_ARM]),
    ("unused_must_use", Reach::Begins, &[&stmts::DELETE_STATEMENT]),
    ("path_statements", Reach::Begins, &[&stmts::DELETE_STATEMENT]),
    ("unused_assignments", Reach::Begins, &[&stmts::DELETE_STATEMENT]),
    (
        "unused_variables",
        Reach::Begins,
        &[&stmts::DELETE_STATEMENT, &parameters::DELETE_PARAMETER_AND_ARGUMENTS, &declaration_lists::DELETE_PARAMETER],
    ),
    (
        "dead_code",
        Reach::Holds,
        &[
            &items::DELETE_ITEM,
            &items::DELETE_ASSOCIATED_ITEM,
            &declaration_lists::DELETE_VARIANT,
            &fields::DELETE_FIELD,
        ],
    ),
    ("unused_labels", Reach::Holds, &[&labels::DROP_LABEL]),
    ("unused_attributes", Reach::Holds, &[&attrs::DELETE_ATTRIBUTE]),
    ("unused_doc_comments", Reach::Holds, &[&attrs::DELETE_DOC]),
];

/// The lints of `hints`, each once, in the order in which they are best followed.
pub fn lints(hints: &[Hint]) -> Vec<&str> {
    let mut lints: Vec<&str> = hints.iter().map(|hint| &*hint.lint).collect();
    lints.sort_by_key(|lint| (ADVICE.iter().position(|(known, ..)| known == lint).unwrap_or(ADVICE.len()), *lint));
    lints.dedup();
    lints
}

/// The reductions that follow `hints` of `lint`, from the transforms that are `enabled`, in source order.
///
/// These transforms propose most of them anyway; the hints show which of them go together.
pub fn follow_hints(
    names: &Analysis<'_>,
    hints: &[Hint],
    lint: &str,
    enabled: &dyn Fn(&'static Transform) -> bool,
) -> Vec<Reduction> {
    let hints: Vec<Hint> = hints.iter().filter(|hint| hint.lint == lint).cloned().collect();
    let mut heeded = Vec::new();
    if enabled(&suggestions::FOLLOW_SUGGESTION) {
        heeded = enumerate_hinted(names, &suggestions::FOLLOW_SUGGESTION, &hints);
    }
    if let Some((_, reach, transforms)) = ADVICE.iter().find(|(known, ..)| *known == lint) {
        let transforms = transforms.iter().filter(|transform| enabled(transform));
        let mut all: Vec<Reduction> = transforms.flat_map(|transform| enumerate(names, transform)).collect();
        all.retain(|reduction| reduction.rank == 0);
        let text = names.source().text();
        let mut sites: Vec<Range<usize>> = hints.iter().filter_map(|hint| reach.site(text, &hint.site, &all)).collect();
        sites.extend(impls(names, &sites));
        sites.sort_by_key(|site| (site.start, site.end));
        sites.dedup();
        // Of several transforms with this site the first one knows most of what goes along.
        heeded.extend(sites.iter().filter_map(|site| all.iter().find(|reduction| reduction.site == *site)).cloned());
    }
    heeded.sort_by_key(|reduction| (reduction.site.start, Reverse(reduction.site.end)));
    heeded
}

impl Reach {
    /// The site of the one of `all` that a hint at `hint` means.
    fn site(self, text: &str, hint: &Range<usize>, all: &[Reduction]) -> Option<Range<usize>> {
        let holding = all.iter().map(|reduction| &reduction.site).filter(|site| covers(site, hint));
        let smallest = holding.min_by_key(|site| site.len())?;
        let before = text[smallest.start..hint.start].trim();
        (self == Self::Holds || before.is_empty() || before == "let").then(|| smallest.clone())
    }
}

/// The impls for types and of traits that are among the items at `sites`: without those they make no sense.
fn impls(tree: &Tree<'_>, sites: &[Range<usize>]) -> Vec<Range<usize>> {
    let (mut names, mut impls) = (Vec::new(), Vec::new());
    for node in tree.nodes() {
        let Syntax::Item(item) = node.syntax() else { continue };
        let name = match item {
            Item::Enum(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::Union(item) => &item.ident,
            Item::Impl(item) => {
                impls.push((node.range(), item));
                continue;
            }
            _ => continue,
        };
        if sites.contains(&node.range()) {
            names.push(name);
        }
    }
    impls.retain(|(_, item)| heads(item).into_iter().flatten().any(|head| names.contains(&head)));
    impls.into_iter().map(|(site, _)| site).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::normal;
    use crate::{Source, apply};

    /// Checks the result of following hints of `lint` at the `[[..]]` of `text`.
    #[track_caller]
    fn check(lint: &str, text: &str, expected: &str) {
        let mut plain = String::new();
        let mut hints = Vec::new();
        for part in text.split("]]") {
            let Some((before, site)) = part.split_once("[[") else {
                plain.push_str(part);
                continue;
            };
            plain.push_str(before);
            let start = plain.len();
            plain.push_str(site);
            hints.push(Hint { lint: lint.to_owned(), site: start..plain.len(), edits: Vec::new() });
        }
        let source = Source::parse(&*plain);
        let heeded = follow_hints(&Analysis::of(&Tree::new(&source)), &hints, lint, &|_| true);
        assert_eq!(normal(&apply(&plain, &heeded)), normal(expected));
    }

    #[test]
    fn dead_items_go_with_their_impls() {
        check("dead_code", "fn [[f]]() {} fn g() {} mod m { pub const [[A]]: u8 = 1; }", "fn g() {} mod m { }");
        check("dead_code", "struct [[S]]; impl S {} impl T for &S {} impl U for A<S> {}", "impl U for A<S> {}");
        check("dead_code", "trait [[T]] {} struct S; impl T for S {}", "struct S;");
        check("dead_code", "impl S { fn [[f]](&self) {} fn g() {} }", "impl S { fn g() {} }");
    }

    #[test]
    fn dead_parts_of_types_go_without_the_type() {
        check("dead_code", "enum E { [[A]](u8), B }", "enum E { B }");
        check(
            "dead_code",
            "struct S { [[a]]: u8, b: u8 } fn f() { S { a: 1, b: 2 } }",
            "struct S { b: u8 } fn f() { S { b: 2 } }",
        );
    }

    #[test]
    fn only_what_a_statement_is_all_about_takes_it_along() {
        check("unused_variables", "fn f() { let [[a]] = 1; let [[mut b]] = 2; }", "fn f() { }");
        let text = "fn f() { let (a, [[b]]) = c; d(|[[e]]| 1); }";
        check("unused_variables", text, "fn f() { let (a, b) = c; d(|e| 1); }");
        check("unused_must_use", "fn f() { [[g()]]; h(); }", "fn f() { h(); }");
        check("unreachable_code", "fn f() { a([[b]]); [[c()]]; }", "fn f() { a(b); }");
    }

    #[test]
    fn unused_parameters_go_with_their_arguments() {
        check("unused_variables", "fn f([[a]]: A, b: B) {} fn g() { f(1, 2) }", "fn f(b: B) {} fn g() { f(2) }");
        check("unused_variables", "fn f((a, [[b]]): A) {}", "fn f((a, b): A) {}");
    }

    #[test]
    fn other_parts_go_where_the_lint_says() {
        check("unused_macros", "macro_rules! [[m]] { () => {} }", "");
        check("unused_macro_rules", "macro_rules! m { () => {}; [[(a)]] => {} }", "macro_rules! m { () => {} }");
        check("unused_labels", "fn f() { [['a]]: loop {} }", "fn f() { loop {} }");
        check("unused_attributes", "[[#[inline]]] struct S;", "struct S;");
        check("unreachable_patterns", "fn f() { match a { _ => {} [[b]] => {} } }", "fn f() { match a { _ => {} } }");
    }

    #[test]
    fn what_nobody_advises_on_is_left_alone() {
        check("unknown", "fn [[f]]() {}", "fn f() {}");
        check("unused_labels", "fn [[f]]() {}", "fn f() {}");
    }

    #[test]
    fn lints_come_in_the_order_of_the_table() {
        let hint = |lint: &str| Hint { lint: lint.to_owned(), site: 0..0, edits: Vec::new() };
        let hints = ["z", "dead_code", "unused_imports", "dead_code", "a"].map(hint);
        assert_eq!(lints(&hints), ["unused_imports", "dead_code", "a", "z"]);
    }

    #[test]
    fn what_is_disabled_is_not_proposed() {
        let source = Source::parse("fn f() {}");
        let hints = [Hint { lint: "dead_code".to_owned(), site: 3..4, edits: Vec::new() }];
        let heeded =
            |enabled: bool| follow_hints(&Analysis::of(&Tree::new(&source)), &hints, "dead_code", &|_| enabled).len();
        assert_eq!((heeded(true), heeded(false)), (1, 0));
    }
}
