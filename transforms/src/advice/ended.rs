//! Where a run ends that leaves no place: instruments a program so that a run reports the statement that it began last.
//!
//! A panic names its place. An exit code, a signal or an error that `main` returns do not. They come from the statement that
//! began last, or they were passed on from there: where another function ends the run, what was begun before its last block
//! counts as well.

use std::ops::Range;

use syn::{Expr, Stmt};

use super::runtime::{add_reports, is_run, permitted};
use crate::syntax::surroundings::signature;
use crate::syntax::{Node, Syntax, Tree, range};
use crate::text::Edit;
use crate::text::splice::splice;

/// The statements by which a run ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// The byte at which the statement begins that began last in the run.
    pub last: usize,
    /// The same for what began last before the block of that statement, if another function has it.
    pub before: Option<usize>,
}

impl Ended {
    /// The program of `tree`, instrumented; `None` if it has no statement that is run. It reports the bytes that `origin` gives for
    /// those at which statements begin. Nothing is known about a statement without such a byte.
    pub fn program(tree: &Tree<'_>, origin: impl Fn(usize) -> Option<usize>) -> Option<String> {
        let (mut insertions, mut blocks) = (Vec::new(), 0);
        for block in tree.nodes() {
            let statements = statements(block);
            let is_bare = matches!(block.syntax(), Syntax::Arm(_));
            let owner =
                block.ancestors().find(|outer| signature(*outer).is_some()).map_or(0, |outer| outer.range().start + 1);
            for (index, statement) in statements.iter().enumerate() {
                let begun = origin(statement.start).map_or(0, |byte| byte + 1);
                let call = format!("crate::mcve_reports::begin({blocks}, {}, {owner}, {begun}); ", index == 0);
                let begin = if is_bare { format!("{{ {call}") } else { call };
                insertions.push((1, Edit::replace(statement.start..statement.start, begin)));
                if is_bare {
                    insertions.push((0, Edit::replace(statement.end..statement.end, " }")));
                }
            }
            blocks += usize::from(!statements.is_empty());
        }
        if insertions.is_empty() {
            return None;
        }
        // What ends where another begins ends first.
        insertions.sort_by_key(|(order, insertion)| (insertion.range.start, *order));
        let insertions: Vec<&Edit> = insertions.iter().map(|(_, insertion)| insertion).collect();
        let mut out = splice(&permitted(tree), &insertions);
        add_reports(&mut out, blocks);
        Some(out)
    }

    /// Reads the `output` of the instrumented program; `None` if it began no statement, or nothing is known about the last.
    pub fn read(output: &str) -> Option<Self> {
        let mut bytes = output.split_whitespace().map(|number| number.parse::<usize>().ok()?.checked_sub(1));
        Some(Self { last: bytes.next()??, before: bytes.next().flatten() })
    }

    /// The statement of `tree` that begins at this byte.
    pub fn statement(tree: &Tree<'_>, byte: usize) -> Range<usize> {
        let found = tree.nodes().flat_map(statements).find(|statement| statement.start == byte);
        found.unwrap_or(byte..byte + 1)
    }
}

/// The statements of `block` that report that they begin, and the expression of a match arm without braces.
fn statements(block: Node<'_>) -> Vec<Range<usize>> {
    let is_length = |outer: Node<'_>| matches!(outer.syntax(), Syntax::Expr(Expr::Repeat(_)));
    let runs =
        |node: Node<'_>| std::iter::once(node).chain(node.ancestors()).all(|outer| is_run(outer) && !is_length(outer));
    match block.syntax() {
        Syntax::Block(_) if runs(block) => {
            let is_code =
                |node: &Node<'_>| matches!(node.syntax(), Syntax::Stmt(stmt) if !matches!(stmt, Stmt::Item(_)));
            block.children().filter(is_code).map(Node::range).collect()
        }
        Syntax::Arm(arm) if !matches!(&*arm.body, Expr::Block(_)) && runs(block) => vec![range(&*arm.body)],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::source::{Source, Understanding};

    #[test]
    fn statements_and_arms_report_that_they_begin() {
        let text = "const A: u8 = { 1 }; fn main() { let a = f(); match a { 1 => g(), _ => { h() } } }";
        let source = Source::parse(text);
        let tree = Tree::new(&source);
        let program = Ended::program(&tree, Some).expect("it has statements");
        assert_eq!(Source::parse(&*program).understanding(), Understanding::Full, "{program}");
        assert!(
            program.starts_with("const A: u8 = { 1 }; fn main() { crate::mcve_reports::begin(0, true, 22, 34); let")
        );
        assert!(program.contains("f(); crate::mcve_reports::begin(0, false, 22, 47); match a"), "{program}");
        assert!(program.contains("1 => { crate::mcve_reports::begin(1, true, 22, 62); g() }, _ => {"), "{program}");
        assert_eq!(Ended::statement(&tree, 33), 33..45);
        let source = Source::parse("const A: u8 = 1;");
        assert_eq!(Ended::program(&Tree::new(&source), Some), None);
    }

    #[test]
    fn what_is_not_known_is_zero() {
        assert_eq!(Ended::read("  35    0\n"), Some(Ended { last: 34, before: None }));
        assert_eq!(Ended::read("  35   12\n"), Some(Ended { last: 34, before: Some(11) }));
        assert_eq!(Ended::read("   0   12\n"), None);
        assert_eq!(Ended::read(""), None);
    }
}
