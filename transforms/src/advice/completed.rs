//! What a program completes before it fails: instruments it so that a run reports the calls and statements around the failure
//! that were completed earlier in the same run.
//!
//! Such a program does not always fail: it depends on its data. One that fails at its first attempt may fail for any reason.

use std::collections::HashSet;

use syn::{Expr, Stmt};

use super::coverage::{Coverage, with_insertions};
use super::mutants::function;
use super::observed::permitted;
use super::runtime::add_reports;
use crate::syntax::{Node, Syntax, Tree};
use crate::text::covers;

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

impl Completed {
    /// The program of `tree`, which fails at `byte`, instrumented; `None` if that is in no function.
    #[must_use]
    pub fn program(tree: &Tree<'_>, byte: usize) -> Option<String> {
        let text = permitted(tree);
        let failing = function(tree, &(byte..byte));
        let is_there = |node: &Node<'_>| covers(&failing, &node.range()) && node.range().contains(&byte);
        let statements = tree.nodes().filter(|node| is_there(node) && is_followed(*node));
        let mut insertions: Vec<(usize, String)> = statements
            .map(|node| (node.range().end, format!(" crate::mcve_reports::complete({STATEMENT});")))
            .collect();
        let bodies = Coverage::bodies(tree);
        if failing.is_empty() || !bodies.iter().any(|body| covers(&failing, body)) {
            return None;
        }
        let is_failing = |body: &std::ops::Range<usize>| covers(body, &(byte..byte)) && covers(&failing, body);
        for (index, body) in bodies.iter().enumerate() {
            let number = if is_failing(body) { FUNCTION } else { FUNCTION + 1 + index };
            insertions.push((body.start, format!(" let _mcve = crate::mcve_reports::Call({number}usize);")));
        }
        insertions.sort_by_key(|(byte, _)| *byte);
        let mut out = with_insertions(&text, insertions);
        add_reports(&mut out, bodies.len() + FUNCTION + 1);
        Some(out)
    }

    /// Reads the `output` of the instrumented program; `None` if nothing around the failure was completed.
    #[must_use]
    pub fn read(output: &str) -> Option<Self> {
        let mut completed: HashSet<&str> = HashSet::new();
        let mut found = Vec::new();
        for line in output.lines() {
            match line.strip_prefix('!') {
                Some(number) if completed.contains(number) => found.push(number),
                Some(_) => {}
                None => {
                    completed.insert(line);
                }
            }
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
    use crate::syntax::source::{Source, Understanding};

    #[test]
    fn statements_and_functions_report() {
        let text = "fn f(a: u8) { g(); if a > 1 { §panic!() } } fn g() {} fn main() { f(1); f(2) }";
        let byte = text.find('§').expect("it is marked");
        let source = Source::parse(text.replace('§', ""));
        let program = Completed::program(&Tree::new(&source), byte).expect("it is in a function");
        assert_eq!(Source::parse(&*program).understanding(), Understanding::Full, "{program}");
        assert!(program.contains("fn f(a: u8) { let _mcve = crate::mcve_reports::Call(1usize); g();"), "{program}");
        assert!(!program.contains("complete(0);"), "what ends a block has no statement behind it: {program}");
        let text = text.replace("} } fn g", "} g() } fn g").replace('§', "");
        let source = Source::parse(text);
        let program = Completed::program(&Tree::new(&source), byte).expect("it is in a function");
        assert!(program.contains("} crate::mcve_reports::complete(0); g() }"), "{program}");
    }

    #[test]
    fn the_innermost_part_that_was_completed_counts() {
        assert_eq!(Completed::read("3\n1\n0\n!1\n!4\n"), Some(Completed::Statement));
        assert_eq!(Completed::read("3\n1\n!1\n!4\n"), Some(Completed::Function));
        assert_eq!(Completed::read("3\n4\n!1\n!4\n"), Some(Completed::Caller));
        assert_eq!(Completed::read("3\n!1\n!4\n"), None);
    }
}
