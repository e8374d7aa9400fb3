//! Mutation operators for expressions: other operators, operands changed by a step, other variables, other methods.
//! Source: the operators of method-level mutation (Ma, Offutt and Kwon, *MuJava*, 2005), as far as Rust has them.

use std::ops::Range;

use syn::punctuated::Punctuated;
use syn::{BinOp, Expr, ExprBinary, ExprIf, ExprPath, Item, Lit, Pat, RangeLimits, Stmt, Token};

use super::forgotten::{forgotten_calls, forgotten_conditions, forgotten_statements};
use crate::syntax::{Node, Syntax, precedence, range};
use crate::text::covers;

/// The maximum number of other variables that replace one.
const VARIABLES: usize = 6;

/// Methods that replace each other.
const METHODS: [&[&str]; 20] = [
    &["contains", "starts_with", "ends_with"],
    &["trim", "trim_start", "trim_end"],
    &["find", "rfind"],
    &["split_once", "rsplit_once"],
    &["first", "last"],
    &["next", "next_back"],
    &["push", "push_front", "push_back"],
    &["pop", "pop_front", "pop_back"],
    &["min", "max"],
    &["any", "all"],
    &["is_some", "is_none"],
    &["is_ok", "is_err"],
    &["floor", "ceil", "round"],
    &["to_lowercase", "to_uppercase"],
    &["to_ascii_lowercase", "to_ascii_uppercase"],
    &["is_alphabetic", "is_alphanumeric", "is_numeric", "is_whitespace", "is_ascii"],
    &["is_ascii_alphabetic", "is_ascii_alphanumeric", "is_ascii_digit", "is_ascii_hexdigit", "is_ascii_graphic"],
    &["is_lowercase", "is_uppercase"],
    &["saturating_sub", "wrapping_sub"],
    &["saturating_add", "wrapping_add"],
];

/// The variants of `std::cmp::Ordering`.
const ORDERINGS: [&str; 3] = ["Less", "Equal", "Greater"];

/// The maximum number of texts that are shorter by a character, or by some at once where there are more.
const SHORTER: usize = 120;

/// The operators that can take the place of one.
const OPERATORS: [&[&str]; 5] = [
    &["<", "<=", ">", ">=", "==", "!="],
    &["&&", "||"],
    &["+", "-", "*", "/", "%"],
    &["&", "|", "^", "<<", ">>"],
    &["=", "+=", "-=", "*=", "|=", "&=", "^="],
];

/// A kind of node that has mutants.
pub(super) enum Kind {
    /// An expression, which others replace.
    Expression,
    /// A statement, whose only mutant is its deletion.
    Statement,
    /// An arm of a `match`, whose pattern others replace.
    Arm(Arm),
}

/// The bytes of the parts of an arm.
pub(super) struct Arm {
    pub(super) pattern: Range<usize>,
    pub(super) guard: Option<Range<usize>>,
    pub(super) body: Range<usize>,
}

/// The kind of a node, and its possible replacements; `None` if there are none.
pub(super) fn alternatives(node: Node<'_>) -> Option<(Kind, Vec<String>)> {
    let (kind, texts) = match node.syntax() {
        Syntax::Stmt(statement) => {
            return is_removable(node, statement).then(|| (Kind::Statement, vec![String::new()]));
        }
        Syntax::Expr(expr) if precedence::holds_let(expr) => return None,
        Syntax::Expr(expr) => (Kind::Expression, of_expression(node, expr)),
        Syntax::Arm(arm) => {
            let (pattern, guard) = match &arm.pat {
                Pat::Guard(guarded) => (range(&*guarded.pat), Some(range(&*guarded.guard))),
                pattern => (range(pattern), None),
            };
            let arm = Arm { pattern, guard, body: range(&*arm.body) };
            let mut texts = wider_patterns(node, &arm.pattern);
            texts.extend(wider_ranges(node, &arm.pattern));
            (Kind::Arm(arm), texts)
        }
        _ => return None,
    };
    (!texts.is_empty()).then_some((kind, texts))
}

/// The pattern of the arm at `node`, with `_` for each constant in it beside others: it may have forgotten a case. An arm without
/// any constant would take what any later arm is for.
fn wider_patterns(node: Node<'_>, pattern: &Range<usize>) -> Vec<String> {
    let is_constant = |pat: &Pat| match pat {
        Pat::Path(_) | Pat::Lit(_) | Pat::Range(_) => true,
        Pat::Ident(name) => name.subpat.is_none() && name.ident.to_string().starts_with(char::is_uppercase),
        _ => false,
    };
    let parts = node.descendants().filter(|part| matches!(part.syntax(), Syntax::Pat(pat) if is_constant(pat)));
    let parts = parts.filter(|part| !part.ancestors().any(|outer| matches!(outer.syntax(), Syntax::Pat(Pat::Or(_)))));
    let parts: Vec<Range<usize>> =
        parts.map(Node::range).filter(|part| pattern.start <= part.start && part.end <= pattern.end).collect();
    if parts.len() < 2 {
        return Vec::new();
    }
    let text = node.source_text();
    parts.iter().map(|part| format!("{}_{}", &text[pattern.start..part.start], &text[part.end..pattern.end])).collect()
}

/// The pattern of the arm at `node`, with each range in it by one step wider.
fn wider_ranges(node: Node<'_>, pattern: &Range<usize>) -> Vec<String> {
    let text = node.source_text();
    let ranges = node.descendants().filter_map(|part| match part.syntax() {
        Syntax::Pat(Pat::Range(of)) if covers(pattern, &part.range()) => Some(of),
        _ => None,
    });
    let wider = ranges.flat_map(|of| {
        let limits = match of.limits {
            RangeLimits::HalfOpen(limits) => of.end.is_some().then(|| (range(&limits), "..=".to_owned())),
            RangeLimits::Closed(_) => of.end.as_deref().and_then(|end| next_to(end, 1)),
        };
        limits.into_iter().chain(of.start.as_deref().and_then(|start| next_to(start, -1)))
    });
    let around = |(at, new): (Range<usize>, String)| {
        format!("{}{new}{}", &text[pattern.start..at.start], &text[at.end..pattern.end])
    };
    wider.map(around).collect()
}

/// The bytes of a bound that is a literal, and the literal so many steps on.
fn next_to(bound: &Expr, step: i8) -> Option<(Range<usize>, String)> {
    let Expr::Lit(literal) = bound else { return None };
    let next = match &literal.lit {
        Lit::Int(number) => {
            format!("{}{}", number.base10_parse::<u128>().ok()?.checked_add_signed(step.into())?, number.suffix())
        }
        Lit::Byte(byte) => {
            let next = byte
                .value()
                .checked_add_signed(step)
                .filter(|next| next.is_ascii_graphic() && *next != b'\'' && *next != b'\\')?;
            format!("b'{}'", char::from(next))
        }
        Lit::Char(char) => {
            format!("{:?}", char::from_u32(u32::from(char.value()).checked_add_signed(step.into())?)?)
        }
        _ => return None,
    };
    Some((range(literal), next))
}

/// Whether a statement is one that may go and has no value: also a macro call, and an `if` or a loop before others.
pub(crate) fn may_be_left_out(node: Node<'_>, statement: &Stmt) -> bool {
    match statement {
        Stmt::Macro(call) => call.semi_token.is_some(),
        Stmt::Expr(_, None) => !node.is_last(),
        _ => is_removable(node, statement),
    }
}

/// Whether a statement can be deleted, judging by its place: the last one of a block may be its value.
fn is_removable(node: Node<'_>, statement: &Stmt) -> bool {
    let Stmt::Expr(expr, Some(_)) = statement else { return false };
    let diverges = matches!(expr, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_));
    let is_body = || {
        node.parent().and_then(Node::parent).is_some_and(|outer| !matches!(outer.syntax(), Syntax::Expr(Expr::If(_))))
    };
    !(diverges && node.is_last() && is_body())
}

fn of_expression(node: Node<'_>, expr: &Expr) -> Vec<String> {
    let text = node.source_text();
    let of = |expr: &Expr| text[range(expr)].to_owned();
    let mut texts = match expr {
        Expr::Binary(binary) => {
            let (left, right) = (of(&binary.left), of(&binary.right));
            let own = text[range(&binary.op)].to_owned();
            let others =
                OPERATORS.iter().filter(|operators| operators.contains(&&*own)).flat_map(|operators| operators.iter());
            let mut others: Vec<&str> = others.copied().filter(|other| *other != own).collect();
            // Operators that differ only at the boundary come first, and the opposite.
            others.sort_by_key(|other| !other.starts_with(&own[..1]) && !is_opposite(&own, other));
            let mut texts: Vec<String> = others.into_iter().map(|other| format!("{left} {other} {right}")).collect();
            texts.extend(grouped(binary, text));
            if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) {
                texts.extend([format!("!({left}) {own} {right}"), format!("{left} {own} !({right})")]);
            }
            let is_value = !own.ends_with('=') || own == "==" || own == "<=" || own == ">=" || own == "!=";
            if is_value && !is_comparison(&binary.op) {
                texts.extend([left, right]);
            }
            texts
        }
        Expr::Assign(assign) => {
            let (left, right) = (of(&assign.left), of(&assign.right));
            ["+=", "-=", "|="].iter().map(|operator| format!("{left} {operator} {right}")).collect()
        }
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => {
                let value = number.base10_parse::<u128>().unwrap_or_default();
                let near = [value.checked_add(1), value.checked_sub(1)].into_iter().flatten();
                let near = near.map(|near| format!("{near}{}", number.suffix()));
                near.chain(beside(node)).collect()
            }
            Lit::Bool(value) => vec![(!value.value).to_string()],
            Lit::Str(string) => {
                let value = string.value();
                beside(node).chain(shorter(&value).map(|text| format!("{text:?}"))).collect()
            }
            _ => Vec::new(),
        },
        Expr::MethodCall(call) => {
            let own = call.method.to_string();
            let others = METHODS.iter().filter(|methods| methods.contains(&&*own)).flat_map(|methods| methods.iter());
            let (start, name) = (range(call).start, range(&call.method));
            let around = [&text[start..name.start], &text[name.end..range(call).end]];
            let others = others.filter(|other| **other != own);
            let others = others.map(|other| format!("{}{other}{}", around[0], around[1]));
            others.chain(of_arguments(&call.args, range(call), text)).collect()
        }
        Expr::Call(call) => of_arguments(&call.args, range(call), text).collect(),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Not(_) | syn::UnOp::Neg(_)) => vec![of(&unary.expr)],
        Expr::Path(path) => other_variants(node, path),
        // A loop was forgotten.
        Expr::If(outer) if outer.else_branch.is_none() && is_repeatable(outer) => {
            vec![format!("while{}", &of(expr)["if".len()..])]
        }
        _ => Vec::new(),
    };
    let own = of(expr);
    if is_condition(node, expr) && !matches!(expr, Expr::Lit(_)) {
        texts.push(format!("!({own})"));
        texts.extend(forgotten_conditions(node, expr));
    }
    if let Some(operand) = operand(node, expr) {
        if operand != Operand::Arithmetic && !matches!(expr, Expr::Lit(_)) {
            texts.extend([format!("{own} + 1"), format!("{own} - 1")]);
        }
        if operand != Operand::Number && !matches!(expr, Expr::Binary(_)) {
            texts.extend(forgotten_calls(&own));
        }
        if let Expr::Path(_) = expr {
            texts.push(format!("-{own}"));
            texts.extend(variables(node, &own));
        }
    }
    texts.extend(forgotten_statements(node, expr));
    texts
}

/// Whether the body of an `if` can be that of a loop: it does not leave the function or a loop.
fn is_repeatable(outer: &ExprIf) -> bool {
    let [.., Stmt::Expr(last, _)] = &*outer.then_branch.stmts else { return false };
    !matches!(last, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_))
}

/// The call between these bytes with other arguments: the first two in each other's place, one in lower case.
fn of_arguments(args: &Punctuated<Expr, Token![,]>, call: Range<usize>, text: &str) -> impl Iterator<Item = String> {
    let name = |arg: &Expr| match arg {
        Expr::Path(path) => path.path.get_ident().map(|_| range(path)),
        Expr::Reference(reference) if matches!(&*reference.expr, Expr::Path(_)) => Some(range(&*reference.expr)),
        _ => None,
    };
    let lower = args.iter().filter_map(|arg| {
        let (arg, name) = (range(arg), name(arg)?);
        Some(format!(
            "{}{}.to_lowercase().as_str(){}",
            &text[call.start..arg.start],
            &text[name],
            &text[arg.end..call.end]
        ))
    });
    swapped(args, call.clone(), text).into_iter().chain(lower.collect::<Vec<_>>())
}

/// The call between these bytes with its first two arguments in each other's place.
fn swapped(args: &Punctuated<Expr, Token![,]>, call: Range<usize>, text: &str) -> Option<String> {
    let [one, other] = [range(args.first()?), range(args.get(1)?)];
    let between = &text[one.end..other.start];
    let (start, end) = (&text[call.start..one.start], &text[other.end..call.end]);
    let is_same = text[one.clone()] == text[other.clone()];
    (!is_same).then(|| format!("{start}{}{between}{}{end}", &text[other], &text[one]))
}

/// What an expression is an operand of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operand {
    /// Of something that takes numbers.
    Number,
    /// Of a calculation, where a step more or less is a mutant of the other operand.
    Arithmetic,
    /// Of something that takes numbers, texts and others.
    Any,
}

/// The literals of the same kind beside a literal in a list.
fn beside(node: Node<'_>) -> impl Iterator<Item = String> {
    let list: Vec<Node<'_>> = node.parent().map(|list| list.children().collect()).unwrap_or_default();
    let own = list.iter().position(|other| other.range() == node.range()).unwrap_or_default();
    let near = [own.checked_sub(1), own.checked_add(1)].into_iter().flatten();
    let near = near.filter_map(|index| list.get(index).copied());
    let kind = |node: Node<'_>| match node.syntax() {
        Syntax::Expr(Expr::Lit(literal)) => Some(std::mem::discriminant(&literal.lit)),
        _ => None,
    };
    let near = near.filter(|other| kind(*other) == kind(node));
    let texts: Vec<String> = near.map(|other| other.text().to_owned()).collect();
    let text = node.text().to_owned();
    texts.into_iter().filter(move |other| *other != text)
}

/// Whether two comparisons are each other's negation.
fn is_opposite(one: &str, other: &str) -> bool {
    [("==", "!="), ("<", ">="), (">", "<=")].iter().any(|pair| *pair == (one, other) || *pair == (other, one))
}

/// An operation with the operand of another operation as its own: `(a + b) * c` for `a + b * c`.
fn grouped(binary: &ExprBinary, text: &str) -> Vec<String> {
    let of = |expr: &Expr| &text[range(expr)];
    let op = |binary: &ExprBinary| text[range(&binary.op)].to_owned();
    let own = op(binary);
    if is_comparison(&binary.op) {
        return Vec::new();
    }
    let mut texts = Vec::new();
    if let Expr::Binary(left) = &*binary.left
        && !is_comparison(&left.op)
    {
        texts.push(format!("{} {} ({} {own} {})", of(&left.left), op(left), of(&left.right), of(&binary.right)));
    }
    if let Expr::Binary(right) = &*binary.right
        && !is_comparison(&right.op)
    {
        texts.push(format!("({} {own} {}) {} {}", of(&binary.left), of(&right.left), op(right), of(&right.right)));
    }
    texts
}

/// The texts without a character, and in lower case.
fn shorter(text: &str) -> impl Iterator<Item = String> {
    let chars: Vec<char> = text.chars().collect();
    let size = chars.len().div_ceil(SHORTER).max(1);
    let without = |at: usize| chars[..at].iter().chain(chars.iter().skip(at + size)).collect::<String>();
    let texts: Vec<String> = (0..chars.len()).step_by(size).map(without).collect();
    let (own, lower) = (text.to_owned(), text.to_lowercase());
    texts.into_iter().chain(Some(lower)).filter(move |other| *other != own)
}

fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_))
}

/// Whether an expression is a condition of control flow.
fn is_condition(node: Node<'_>, expr: &Expr) -> bool {
    let is = |other: &Expr| std::ptr::eq(other, expr);
    match node.parent().map(Node::syntax) {
        Some(Syntax::Expr(Expr::If(outer))) => is(&outer.cond),
        Some(Syntax::Expr(Expr::While(outer))) => is(&outer.cond),
        _ => false,
    }
}

/// What an expression is an operand of, if its value is used.
fn operand(node: Node<'_>, expr: &Expr) -> Option<Operand> {
    let is = |other: &Expr| std::ptr::eq(other, expr);
    let is_simple = match expr {
        Expr::Path(path) => path.path.get_ident().is_some_and(|name| name.to_string().starts_with(char::is_lowercase)),
        Expr::Field(_) | Expr::MethodCall(_) | Expr::Binary(_) => true,
        _ => false,
    };
    if !is_simple {
        return None;
    }
    match node.parent().map(Node::syntax) {
        Some(Syntax::Expr(outer)) => match outer {
            Expr::Index(outer) => is(&outer.index).then_some(Operand::Number),
            Expr::Range(_) => Some(Operand::Number),
            Expr::Call(outer) => (!is(&outer.func)).then_some(Operand::Any),
            Expr::MethodCall(outer) => (!is(&outer.receiver)).then_some(Operand::Any),
            Expr::Binary(outer) => {
                let assigns = precedence::Precedence::of_operator(&outer.op) == precedence::Precedence::Assign;
                let operand = if is_comparison(&outer.op) { Operand::Any } else { Operand::Arithmetic };
                (!assigns || is(&outer.right)).then_some(operand)
            }
            Expr::Assign(outer) => is(&outer.right).then_some(Operand::Any),
            Expr::Return(_) => Some(Operand::Any),
            _ => None,
        },
        // The value of a block, or that of a variable.
        Some(Syntax::Stmt(Stmt::Expr(_, None)) | Syntax::Local(_)) => Some(Operand::Any),
        _ => None,
    }
}

/// The path of a variant without fields, with each other such variant of its `enum` in the program.
fn other_variants(node: Node<'_>, path: &ExprPath) -> Vec<String> {
    let mut segments = path.path.segments.iter().rev();
    let (Some(own), Some(ty)) = (segments.next(), segments.next()) else { return Vec::new() };
    let Some(root) = node.ancestors().last() else { return Vec::new() };
    let variants = root.descendants().filter_map(|item| match item.syntax() {
        Syntax::Item(Item::Enum(item)) if item.ident == ty.ident => Some(&item.variants),
        _ => None,
    });
    let variants =
        variants.flatten().filter(|variant| variant.fields.is_empty()).map(|variant| variant.ident.to_string());
    let mut variants: Vec<String> = variants.collect();
    if variants.is_empty() && ty.ident == "Ordering" {
        let is_of_std = ORDERINGS.iter().any(|name| own.ident == name);
        variants.extend(ORDERINGS.iter().filter(|_| is_of_std).map(|name| (*name).to_owned()));
    }
    let before = &node.text()[..range(own).start - node.range().start];
    variants.into_iter().filter(|variant| own.ident != variant).map(|variant| format!("{before}{variant}")).collect()
}

/// The other variables of the function, the nearest before `node` first.
fn variables(node: Node<'_>, own: &str) -> Vec<String> {
    let is_function = |outer: &Node<'_>| crate::syntax::surroundings::signature(*outer).is_some();
    let Some(function) = node.ancestors().find(is_function) else { return Vec::new() };
    let bound = |pattern: Node<'_>| match pattern.syntax() {
        Syntax::Pat(Pat::Ident(name)) if name.subpat.is_none() => Some(name.ident.to_string()),
        _ => None,
    };
    let mut names: Vec<String> = Vec::new();
    let before = function.descendants().filter(|other| other.range().start < node.range().start);
    for name in before.filter_map(bound).filter(|name| name != own && name.starts_with(char::is_lowercase)) {
        names.retain(|other| *other != name);
        names.push(name);
    }
    names.into_iter().rev().take(VARIABLES).collect()
}
