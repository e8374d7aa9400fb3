//! Mutation operators for what was forgotten: a call around a value, an assignment behind a call, the order of a list.
//! Repairs often repeat what stands elsewhere in the program (Le Goues et al., *GenProg*, 2012).

use std::ops::Range;

use syn::{BinOp, Expr, ExprBinary, Stmt};

use crate::syntax::surroundings::signature;
use crate::syntax::{Node, Precedence, Syntax, range};

/// Calls that are forgotten behind a value.
const CALLS: [&str; 2] = [".trim()", ".to_lowercase()"];

/// What makes a list, which may have to be sorted.
const LISTS: [&str; 3] = ["vec!", "collect", "to_vec"];

/// The maximum number of assignments that may be missing behind a call.
const ASSIGNMENTS: usize = 4;

/// The maximum number of bytes of such an assignment.
const SHORT: usize = 40;

/// The value `own` with each call that may be forgotten.
pub(super) fn forgotten_calls(own: &str) -> impl Iterator<Item = String> {
    CALLS.iter().map(move |call| format!("{own}{call}"))
}

/// The expression at `node` with a statement behind it that may be forgotten.
pub(super) fn forgotten_statements(node: Node<'_>, expr: &Expr) -> Vec<String> {
    let own = node.text();
    let mut texts = Vec::new();
    if is_whole_statement(node) && matches!(expr, Expr::Call(_) | Expr::MethodCall(_)) {
        texts.extend(assignments(node).map(|assignment| format!("{{ {own}; {assignment}; }}")));
    }
    if let Expr::Binary(ExprBinary { left, op: BinOp::Eq(_) | BinOp::Ne(_), right, .. }) = expr {
        let of = |part: Range<usize>| format!("{}.to_lowercase()", &node.source_text()[part]);
        let op = if own[range(&**left).len()..].trim_start().starts_with('!') { "!=" } else { "==" };
        texts.push(format!("{} {op} {}", of(range(&**left)), of(range(&**right))));
    }
    let is_value = matches!(node.parent().map(Node::syntax), Some(Syntax::Local(_)));
    if is_value && LISTS.iter().any(|list| own.contains(list)) {
        texts.push(format!("{{ let mut sorted: Vec<_> = {own}; sorted.sort(); sorted }}"));
    }
    texts
}

/// Whether an expression is all of a statement, or of the arm of a `match`.
fn is_whole_statement(node: Node<'_>) -> bool {
    match node.parent().map(Node::syntax) {
        Some(Syntax::Stmt(Stmt::Expr(_, semicolon))) => semicolon.is_some(),
        Some(Syntax::Arm(arm)) => range(&*arm.body) == node.range(),
        _ => false,
    }
}

/// The assignments of short values elsewhere in the function, one of which may be missing here.
fn assignments(node: Node<'_>) -> impl Iterator<Item = String> {
    let is_function = |outer: &Node<'_>| signature(*outer).is_some();
    let function = node.ancestors().find(is_function);
    let mut texts: Vec<String> = Vec::new();
    for other in function.into_iter().flat_map(Node::descendants) {
        let assigned = match other.syntax() {
            Syntax::Expr(Expr::Assign(assign)) => Some(&assign.left),
            Syntax::Expr(Expr::Binary(binary)) if Precedence::of_operator(&binary.op) == Precedence::Assign => {
                Some(&binary.left)
            }
            _ => None,
        };
        let is_short = other.text().len() <= SHORT
            && assigned.is_some_and(|left| matches!(**left, Expr::Path(_) | Expr::Field(_)));
        if is_short && !texts.iter().any(|text| text == other.text()) {
            texts.push(other.text().to_owned());
        }
    }
    texts.into_iter().take(ASSIGNMENTS)
}
