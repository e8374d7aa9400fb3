//! What a program completes before it fails: instruments it so that a run reports the calls and statements around the failure
//! that were completed earlier in the same run.
//!
//! Such a program does not always fail: it depends on its data. One that fails at its first attempt may fail for any reason.

use std::collections::HashSet;
use std::ops::Range;

use syn::{Expr, Stmt};

use super::coverage::Coverage;
use super::mutants::function;
use crate::syntax::{Node, Syntax, Tree};
use crate::text::covers;

/// What stands before the number of a part that was completed, and of one that failed.
const COMPLETED: char = '+';
const FAILED: char = '!';

/// The number of the statements around the failure.
const STATEMENT: usize = 0;

/// The number of the function around the failure. The others follow.
const FUNCTION: usize = 1;

/// The innermost part around a failure that was completed earlier in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Completed {
    /// A statement of the function that fails.
    Statement,
    /// That function.
    Function,
    /// A function that calls it, directly or indirectly.
    Caller,
}

/// The parts of a program around its failure.
pub(super) struct Parts {
    /// The bytes of the statements around it, with their number.
    pub(super) statements: Vec<(Range<usize>, usize)>,
    /// The bytes inside of the bodies of functions, with their numbers.
    pub(super) functions: Vec<(Range<usize>, usize)>,
}

impl Parts {
    /// Those of the program of `tree`, which fails at `byte`; `None` if that is in no function.
    pub(super) fn around(tree: &Tree<'_>, byte: usize) -> Option<Self> {
        let failing = function(tree, &(byte..byte));
        let is_there = |node: &Node<'_>| covers(&failing, &node.range()) && node.range().contains(&byte);
        let statements = tree.nodes().filter(|node| is_there(node) && is_followed(*node));
        let statements = statements.map(|node| (node.range(), STATEMENT)).collect();
        let bodies = Coverage::bodies(tree);
        if failing.is_empty() || !bodies.iter().any(|body| covers(&failing, body)) {
            return None;
        }
        let is_failing = |body: &Range<usize>| covers(body, &(byte..byte)) && covers(&failing, body);
        let number = |(index, body): (usize, Range<usize>)| {
            let number = if is_failing(&body) { FUNCTION } else { FUNCTION + 1 + index };
            (body, number)
        };
        Some(Self { statements, functions: bodies.into_iter().enumerate().map(number).collect() })
    }
}

impl Completed {
    /// Reads the `output` of the instrumented program; `None` if nothing around the failure was completed.
    #[must_use]
    pub fn read(output: &str) -> Option<Self> {
        let mut completed: HashSet<&str> = HashSet::new();
        let mut found = Vec::new();
        for line in output.lines() {
            if let Some(number) = line.strip_prefix(COMPLETED) {
                completed.insert(number);
            }
            found.extend(line.strip_prefix(FAILED).filter(|number| completed.contains(number)));
        }
        let statement = STATEMENT.to_string();
        let function = FUNCTION.to_string();
        if completed.contains(&*statement) {
            return Some(Self::Statement);
        }
        found.iter().map(|number| if *number == function { Self::Function } else { Self::Caller }).min()
    }
}

/// Whether another statement can follow on `node`.
fn is_followed(node: Node<'_>) -> bool {
    match node.syntax() {
        Syntax::Stmt(Stmt::Local(_) | Stmt::Expr(_, Some(_))) => true,
        Syntax::Stmt(Stmt::Macro(call)) => call.semi_token.is_some(),
        Syntax::Stmt(Stmt::Expr(
            Expr::If(_) | Expr::Match(_) | Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_),
            None,
        )) => !node.is_last(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Source;

    #[test]
    fn statements_and_functions_are_parts() {
        let parts = |marked: &str| {
            let byte = marked.find('§').expect("it is marked");
            let source = Source::parse(marked.replace('§', ""));
            let parts = Parts::around(&Tree::new(&source), byte).expect("it is in a function");
            let shown = |(range, number): &(Range<usize>, usize)| format!("{number}{}", &source.text()[range.clone()]);
            [&parts.statements, &parts.functions].map(|parts| parts.iter().map(shown).collect::<Vec<_>>())
        };
        let text = "fn f(a: u8) { g(); if a > 1 { §panic!() } } fn g() {} fn main() { f(1) }";
        // What ends a block has no statement behind it.
        assert_eq!(parts(text), [vec![], vec!["1 g(); if a > 1 { panic!() } ", "3", "4 f(1) "]]);
        let text = text.replace("} } fn g", "} g() } fn g");
        assert_eq!(parts(&text)[0], ["0if a > 1 { panic!() }"]);
    }

    #[test]
    fn the_innermost_part_that_was_completed_counts() {
        assert_eq!(Completed::read("+3\n+1\n+0\n!1\n!4\n"), Some(Completed::Statement));
        assert_eq!(Completed::read("+3\n+1\n!1\n!4\n"), Some(Completed::Function));
        assert_eq!(Completed::read("+3\n+4\n!1\n!4\n"), Some(Completed::Caller));
        assert_eq!(Completed::read("+3\n!1\n!4\n"), None);
    }
}
