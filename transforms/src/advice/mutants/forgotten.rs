//! Mutation operators for what was forgotten: a call around a value, an assignment behind a call, the order of a list.
//! Repairs often repeat what stands elsewhere in the program (Le Goues et al., *GenProg*, 2012).

use std::ops::Range;

use syn::{BinOp, Expr, ExprBinary, FnArg, Item, Pat, Stmt, Type};

use crate::names::functions::self_name;
use crate::syntax::surroundings::signature;
use crate::syntax::{Node, Syntax, precedence, range};
use crate::text::covers;

/// Calls that are forgotten behind a value.
const CALLS: [&str; 3] = [".trim()", ".to_lowercase()", ".abs()"];

/// What makes a list, which may have to be sorted.
const LISTS: [&str; 3] = ["vec!", "collect", "to_vec"];

/// The maximum number of assignments that may be missing behind a call.
const ASSIGNMENTS: usize = 6;

/// The maximum number of flags that may be missing in a condition.
const FLAGS: usize = 4;

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
    let is_arm = matches!(node.parent().map(Node::syntax), Some(Syntax::Arm(_)));
    let may_be_followed = match expr {
        // In an arm, what it binds may be borrowed.
        Expr::Assign(_) => !is_arm,
        expr => matches!(expr, Expr::Call(_) | Expr::MethodCall(_)),
    };
    if is_whole_statement(node) && may_be_followed {
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

/// The condition at `node` with one more that may have been forgotten: a parameter or a field of `self` that is `bool`.
pub(super) fn forgotten_conditions(node: Node<'_>, expr: &Expr) -> Vec<String> {
    let own = node.text();
    let flags = flags(node).into_iter().filter(|flag| !own.contains(flag.as_str())).take(FLAGS);
    let with = |flag: String| {
        let own = match expr {
            Expr::Binary(binary) if matches!(binary.op, BinOp::Or(_)) => format!("({own})"),
            _ => own.to_owned(),
        };
        [format!("{own} && {flag}"), format!("{own} && !{flag}"), format!("{own} || {flag}")]
    };
    flags.flat_map(with).collect()
}

/// The parameters of the function around `node` that are `bool`, and the fields of its `self`.
fn flags(node: Node<'_>) -> Vec<String> {
    let is_bool = |ty: &Type| matches!(ty, Type::Path(ty) if ty.path.is_ident("bool"));
    let Some(signature) = node.ancestors().find_map(signature) else { return Vec::new() };
    let mut flags: Vec<String> = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(_) => {
                let of_type = self_name(node);
                let root = node.ancestors().last();
                let fields = root.into_iter().flat_map(Node::descendants).filter_map(|item| match item.syntax() {
                    Syntax::Item(Item::Struct(item)) if item.ident == of_type => Some(&item.fields),
                    _ => None,
                });
                let fields = fields.flatten().filter(|field| is_bool(&field.ty));
                flags.extend(fields.filter_map(|field| Some(format!("self.{}", field.ident.as_ref()?))));
            }
            FnArg::Typed(input) if is_bool(&input.ty) => {
                if let Pat::Ident(name) = &*input.pat {
                    flags.push(name.ident.to_string());
                }
            }
            FnArg::Typed(_) => {}
        }
    }
    flags
}

/// Whether an expression is all of a statement, or of the arm of a `match`.
fn is_whole_statement(node: Node<'_>) -> bool {
    match node.parent().map(Node::syntax) {
        Some(Syntax::Stmt(Stmt::Expr(_, semicolon))) => semicolon.is_some(),
        Some(Syntax::Arm(arm)) => range(&*arm.body) == node.range(),
        _ => false,
    }
}

/// The assignments of short values elsewhere in the function, and to `self` elsewhere in its `impl`, one of which may be missing here.
fn assignments(node: Node<'_>) -> impl Iterator<Item = String> {
    let is_function = |outer: &Node<'_>| signature(*outer).is_some();
    let is_impl = |outer: &Node<'_>| matches!(outer.syntax(), Syntax::Item(Item::Impl(_)));
    let function = node.ancestors().find(is_function);
    let around = node.ancestors().find(is_impl).or(function);
    let (mut own, mut others): (Vec<String>, Vec<String>) = Default::default();
    for other in around.into_iter().flat_map(Node::descendants) {
        let Syntax::Expr(expr) = other.syntax() else { continue };
        let is_short = other.text().len() <= SHORT
            && precedence::assignment(expr).is_some_and(|(left, _)| matches!(left, Expr::Path(_) | Expr::Field(_)));
        let is_own = function.is_some_and(|function| covers(&function.range(), &other.range()));
        let found = if is_own { &mut own } else { &mut others };
        if is_short && (is_own || other.text().starts_with("self.")) && !found.iter().any(|text| text == other.text()) {
            found.push(other.text().to_owned());
        }
    }
    let text = node.text().to_owned();
    own.into_iter().chain(others).filter(move |other| *other != text).take(ASSIGNMENTS)
}
