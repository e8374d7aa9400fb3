//! What decides in a program: which code runs, how often, and which value there is.
//!
//! A person who reads why a program fails has to see what decided. Whether a single decision matters is shown by a change with
//! which the program passes. Where none is known, each of them may matter.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use syn::Expr;

use super::observed::anchor;
use crate::rule::Reduction;
use crate::syntax::{Syntax, Tree, range};
use crate::text::covers;
use crate::text::lex::tokens;

/// What decides in a program: the keywords of its branches and loops, what their patterns name, and the
/// operators between values.
#[derive(Debug, Default)]
pub struct Decisions<'t>(Vec<Decision<'t>>);

#[derive(Debug)]
struct Decision<'t> {
    word: &'t str,
    at: Range<usize>,
    /// The bytes of the whole branch or condition.
    whole: Range<usize>,
}

impl<'t> Decisions<'t> {
    /// Those of the program of `tree`.
    pub fn of(tree: &'t Tree<'_>) -> Self {
        let text = tree.source().text();
        let decisions = tree.nodes().flat_map(|node| {
            let at = match node.syntax() {
                Syntax::Arm(arm) => return patterns(text, range(&arm.pat), node.range()),
                Syntax::Expr(Expr::Let(bound)) => return patterns(text, range(&*bound.pat), node.range()),
                Syntax::Expr(expr) => keyword(expr),
                _ => None,
            };
            at.map(|at| Decision { word: &text[at.clone()], at, whole: node.range() }).into_iter().collect()
        });
        let mut decisions: Vec<Decision<'t>> = decisions.collect();
        decisions.sort_by_key(|decision| decision.at.start);
        Self(decisions)
    }

    /// What decides about the code at these bytes of `tree`: of each branch, loop and pattern around them the bytes of its words. If they
    /// are a whole expression, also the operator or name by which it does what it does.
    pub fn around(&self, tree: &Tree<'_>, bytes: &Range<usize>) -> Vec<Vec<Range<usize>>> {
        let around = self.0.iter().filter(|decision| covers(&decision.whole, bytes) && !covers(&decision.at, bytes));
        let mut around: Vec<&Decision<'_>> = around.collect();
        around.sort_by_key(|decision| (decision.whole.start, Reverse(decision.whole.end)));
        // A guard decides besides the names before it.
        let is_guard = |decision: &Decision<'_>| decision.word == "if";
        let groups = around.chunk_by(|one, next| one.whole == next.whole && is_guard(one) == is_guard(next));
        let groups = groups.map(|group| group.iter().map(|decision| decision.at.clone()).collect());
        let does = tree.nodes().find_map(|node| match node.syntax() {
            Syntax::Expr(expr) if node.range() == *bytes => Some(anchor(expr)),
            _ => None,
        });
        let mut words = tree.source().tokens().iter().map(|token| &token.range);
        let does = does.and_then(|byte| words.find(|word| word.contains(&byte)));
        groups.chain(does.map(|word| vec![word.clone()])).collect()
    }

    /// Whether a reduction leaves something of a branch or condition, but not what decides there.
    pub fn are_left_out_by(&self, reduction: &Reduction) -> bool {
        let mut lost: HashMap<&str, usize> = HashMap::new();
        for edit in reduction.edits.iter().filter(|_| !reduction.is_endless()) {
            let first = self.0.partition_point(|decision| decision.at.start < edit.range.start);
            let inside = self.0[first..].iter().take_while(|decision| decision.at.start < edit.range.end);
            for decision in inside.filter(|decision| covers(&edit.range, &decision.at)) {
                let goes = covers(&edit.range, &decision.whole) && edit.text.trim().is_empty();
                *lost.entry(decision.word).or_default() += usize::from(!goes);
            }
        }
        let written = |word: &str| {
            reduction.edits.iter().flat_map(|edit| words(&edit.text)).filter(|other| *other == word).count()
        };
        lost.into_iter().any(|(word, lost)| lost > 0 && written(word) < lost)
    }
}

/// The word by which an expression decides what runs, how often, or which value there is.
fn keyword(expr: &Expr) -> Option<Range<usize>> {
    match expr {
        Expr::If(expr) => Some(range(&expr.if_token)),
        Expr::While(expr) => Some(range(&expr.while_token)),
        Expr::ForLoop(expr) => Some(range(&expr.for_token)),
        Expr::Loop(expr) => Some(range(&expr.loop_token)),
        Expr::Match(expr) => Some(range(&expr.match_token)),
        Expr::Binary(expr) => Some(range(&expr.op)),
        _ => None,
    }
}

/// The names and literals in a pattern that decide whether it matches, and the `if` of a guard.
fn patterns(text: &str, pattern: Range<usize>, whole: Range<usize>) -> Vec<Decision<'_>> {
    let pattern_text = &text[pattern.clone()];
    let tokens = tokens(pattern_text);
    let behind = tokens.iter().skip(1).map(|token| &pattern_text[token.range.clone()]).chain([""]);
    let is_value = |c: char| c.is_uppercase() || c.is_ascii_digit() || "\"'".contains(c);
    let decides = |word: &str| word == "if" || word.starts_with(is_value);
    let deciding = tokens
        .iter()
        .zip(behind)
        .filter(|(token, behind)| decides(&pattern_text[token.range.clone()]) && *behind != "::");
    let decision = |at: Range<usize>| Decision { word: &text[at.clone()], at, whole: whole.clone() };
    deciding.map(|(token, _)| decision(pattern.start + token.range.start..pattern.start + token.range.end)).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    tokens(text).into_iter().map(|token| &text[token.range])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Analysis, Source, apply, enumerate, named};

    /// Checks the results of these transforms on `text` that leave all that decides.
    #[track_caller]
    fn check(text: &str, transforms: &[&str], expected: &[&str]) {
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let decisions = Decisions::of(&tree);
        let proposed =
            transforms.iter().flat_map(|name| named(name)).flat_map(|transform| enumerate(&names, transform));
        let left = proposed.filter(|reduction| !decisions.are_left_out_by(reduction));
        assert_eq!(left.map(|reduction| apply(text, [&reduction])).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_branch_goes_with_what_it_decides_about() {
        let left = ["fn f() { c() }", "fn f() { if a() { } c() }", "fn f() { if a() { b(); } }"];
        check("fn f() { if a() { b(); } c() }", &["unwrap-if", "delete-statement"], &left);
        check("fn f() -> bool { a() && b() }", &["keep-operand"], &[]);
        check("fn f() { match a() { A::B(c) => d(c), _ => {} } }", &["replace-pattern", "underscore"], &[]);
        check("fn f() -> u8 { a() + b() }", &["keep-operand"], &[]);
    }

    #[test]
    fn a_branch_may_move() {
        let moved = "fn g() { h(1, 2) } fn h(a: u8, b: u8) { if a > b {} }";
        let source = Source::parse(moved);
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let inlined = enumerate(&names, named("inline-function")[0]);
        assert!(!inlined.is_empty());
        assert!(inlined.iter().all(|reduction| !Decisions::of(&tree).are_left_out_by(reduction)));
    }

    #[test]
    fn what_decides_about_code_is_around_it() {
        let text = "fn f() { if a { match b { C::D(1) if e => g(), _ => {} } } }";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let at = text.find("g()").expect("it is there");
        let around = Decisions::of(&tree).around(&tree, &(at..at + 3));
        let shown: Vec<Vec<&str>> =
            around.into_iter().map(|group| group.into_iter().map(|at| &text[at]).collect()).collect();
        assert_eq!(shown, [vec!["if"], vec!["match"], vec!["D", "1"], vec!["if"], vec!["g"]]);
    }
}
