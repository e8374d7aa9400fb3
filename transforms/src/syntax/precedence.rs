//! The outward properties of an expression: how tightly it binds, how it begins and how it ends.

use syn::{BinOp, Expr, Label, MacroDelimiter, Member, ReturnType};

/// How tightly an expression binds, loosest first, as in the table of the Rust reference, "Expression precedence".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Precedence {
    /// `return`, `break`, closures.
    Jump,
    /// `=` and its kin.
    Assign,
    /// `..` and `..=`.
    Range,
    /// `||`.
    Or,
    /// `&&`.
    And,
    /// `let` in a condition.
    Let,
    /// `==` and its kin; they do not associate.
    Compare,
    /// `|`.
    BitOr,
    /// `^`.
    BitXor,
    /// `&`.
    BitAnd,
    /// `<<` and `>>`.
    Shift,
    /// `+` and `-`.
    Sum,
    /// `*`, `/` and `%`.
    Product,
    /// `as`.
    Cast,
    /// Unary operators.
    Prefix,
    /// Everything else.
    Postfix,
}

impl Precedence {
    /// The precedence of an operator between two operands.
    pub(crate) fn of_operator(op: &BinOp) -> Self {
        match op {
            BinOp::Add(_) | BinOp::Sub(_) => Self::Sum,
            BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => Self::Product,
            BinOp::And(_) => Self::And,
            BinOp::Or(_) => Self::Or,
            BinOp::BitXor(_) => Self::BitXor,
            BinOp::BitAnd(_) => Self::BitAnd,
            BinOp::BitOr(_) => Self::BitOr,
            BinOp::Shl(_) | BinOp::Shr(_) => Self::Shift,
            BinOp::Eq(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Ne(_) | BinOp::Ge(_) | BinOp::Gt(_) => Self::Compare,
            _ => Self::Assign,
        }
    }

    /// The precedence of the outermost operation of `expr`.
    fn of(expr: &Expr) -> Self {
        match expr {
            Expr::Break(_) | Expr::Closure(_) | Expr::Return(_) | Expr::Verbatim(_) | Expr::Yield(_) => Self::Jump,
            Expr::Assign(_) => Self::Assign,
            Expr::Range(_) => Self::Range,
            Expr::Binary(expr) => Self::of_operator(&expr.op),
            Expr::Let(_) => Self::Let,
            Expr::Cast(_) => Self::Cast,
            Expr::RawAddr(_) | Expr::Reference(_) | Expr::Unary(_) => Self::Prefix,
            _ => Self::Postfix,
        }
    }

    /// How tightly `expr` binds as an operand: as loosely as the loosest operation that is open to the right.
    pub(crate) fn of_operand(expr: &Expr) -> Self {
        trail(expr).map(Self::of).min().unwrap_or(Self::Jump)
    }
}

/// The operators that take operands of the same types as `op`, the plainest first.
pub(crate) fn alike(op: &BinOp) -> &'static [&'static str] {
    match op {
        BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => &["+", "-", "*", "/", "%"],
        BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_) => &["&", "|", "^"],
        op if Precedence::of_operator(op) == Precedence::Compare => &["==", "!=", "<", "<=", ">", ">="],
        _ => &[],
    }
}

/// The operand with which `expr` begins.
pub(crate) fn first(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Assign(expr) => Some(&expr.left),
        Expr::Await(expr) => Some(&expr.base),
        Expr::Binary(expr) => Some(&expr.left),
        Expr::Call(expr) => Some(&expr.func),
        Expr::Cast(expr) => Some(&expr.expr),
        Expr::Field(expr) => Some(&expr.base),
        Expr::Index(expr) => Some(&expr.expr),
        Expr::MethodCall(expr) => Some(&expr.receiver),
        Expr::Range(expr) => expr.start.as_deref(),
        Expr::Try(expr) => Some(&expr.expr),
        _ => None,
    }
}

/// The operand with which `expr` ends.
pub(crate) fn last(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Assign(expr) => Some(&expr.right),
        Expr::Binary(expr) => Some(&expr.right),
        Expr::Break(expr) => expr.expr.as_deref(),
        Expr::Closure(expr) => Some(&expr.body),
        Expr::Let(expr) => Some(&expr.expr),
        Expr::Range(expr) => expr.end.as_deref(),
        Expr::RawAddr(expr) => Some(&expr.expr),
        Expr::Reference(expr) => Some(&expr.expr),
        Expr::Return(expr) => expr.expr.as_deref(),
        Expr::Unary(expr) => Some(&expr.expr),
        Expr::Yield(expr) => expr.expr.as_deref(),
        _ => None,
    }
}

/// `expr`, the operand with which it ends, the operand with which that ends, and so on.
fn trail(expr: &Expr) -> impl Iterator<Item = &Expr> {
    std::iter::successors(Some(expr), |expr| last(expr))
}

/// The base of the postfix expression `expr`: `x` for `x.a`, `x.a()`, `x[a]`, `x?`, `x.await`, `x(a)`.
pub(crate) fn base(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Await(_) | Expr::Call(_) | Expr::Field(_) | Expr::Index(_) | Expr::MethodCall(_) | Expr::Try(_) => {
            first(expr)
        }
        _ => None,
    }
}

/// Whether `expr` is a link that begins with a dot or a question mark.
pub(crate) fn is_dotted(expr: &Expr) -> bool {
    matches!(expr, Expr::Await(_) | Expr::Field(_) | Expr::MethodCall(_) | Expr::Try(_))
}

/// Whether `expr` needs no semicolon to be a statement.
pub(crate) fn is_block_like(expr: &Expr) -> bool {
    match expr {
        Expr::Block(_)
        | Expr::Const(_)
        | Expr::ForLoop(_)
        | Expr::If(_)
        | Expr::Loop(_)
        | Expr::Match(_)
        | Expr::TryBlock(_)
        | Expr::Unsafe(_)
        | Expr::While(_) => true,
        Expr::Macro(expr) => matches!(expr.mac.delimiter, MacroDelimiter::Brace(_)),
        _ => false,
    }
}

/// Whether `expr` would be cut in two at the beginning of a statement or of a match arm: `{ a } + b`.
pub(crate) fn is_cut(expr: &Expr) -> bool {
    let mut outer = expr;
    while let Some(inner) = first(outer) {
        if is_block_like(inner) {
            return !is_dotted(outer);
        }
        outer = inner;
    }
    false
}

/// Whether `expr` holds a struct literal or a `return` outside delimiters, which would take a `{` after it along.
pub(crate) fn takes_brace(expr: &Expr) -> bool {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        if matches!(expr, Expr::Struct(_) | Expr::Return(_) | Expr::Break(_) | Expr::Yield(_) | Expr::Verbatim(_)) {
            return true;
        }
        open.extend(first(expr));
        open.extend(last(expr));
    }
    false
}

/// Whether `expr` holds a `let` outside delimiters, which only a condition may.
pub(crate) fn holds_let(expr: &Expr) -> bool {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        match expr {
            Expr::Let(_) => return true,
            Expr::Binary(expr) if matches!(expr.op, BinOp::And(_) | BinOp::Or(_)) => {
                open.extend([&*expr.left, &*expr.right]);
            }
            // It is no condition, but begins with one.
            Expr::Assign(expr) => open.push(&expr.left),
            _ => {}
        }
    }
    false
}

/// Whether `let .. else` does not allow `expr`: its last token may be a closing brace, an operand after it is missing, or
/// it is `&&` or `||`.
pub(crate) fn upsets_else(expr: &Expr) -> bool {
    let braced = |expr: &Expr| {
        is_block_like(expr)
            || matches!(expr, Expr::Async(_) | Expr::Cast(_) | Expr::Struct(_) | Expr::Verbatim(_) | Expr::Closure(_))
            || matches!(expr, Expr::Range(range) if range.end.is_none())
    };
    matches!(expr, Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_))) || trail(expr).any(braced)
}

/// Whether `expr` ends with a type, which a `<` after it would continue.
pub(crate) fn ends_with_type(expr: &Expr) -> bool {
    trail(expr).any(|expr| matches!(expr, Expr::Cast(_)))
}

pub(crate) fn begins_with_label(expr: &Expr) -> bool {
    std::iter::successors(Some(expr), |expr| first(expr)).any(|expr| label(expr).is_some())
}

pub(crate) fn label(expr: &Expr) -> Option<&Label> {
    match expr {
        Expr::Block(expr) => expr.label.as_ref(),
        Expr::ForLoop(expr) => expr.label.as_ref(),
        Expr::Loop(expr) => expr.label.as_ref(),
        Expr::While(expr) => expr.label.as_ref(),
        _ => None,
    }
}

/// Whether parentheses after `expr` would make a method call of it: `x.f`.
pub(crate) fn becomes_method(expr: &Expr) -> bool {
    matches!(expr, Expr::Field(expr) if matches!(expr.member, Member::Named(_)))
}

/// Whether `expr` is `{ .. }`, without attributes and label.
pub(crate) fn is_plain_block(expr: &Expr) -> bool {
    matches!(expr, Expr::Block(expr) if expr.attrs.is_empty() && expr.label.is_none())
}

/// What `expr` assigns to, and the value, if it is an assignment: `a = b`, `a += b`.
pub(crate) fn assignment(expr: &Expr) -> Option<(&Expr, &Expr)> {
    match expr {
        Expr::Assign(expr) => Some((&expr.left, &expr.right)),
        Expr::Binary(expr) if Precedence::of_operator(&expr.op) == Precedence::Assign => {
            Some((&expr.left, &expr.right))
        }
        _ => None,
    }
}

/// Whether `expr` is of type `()` for certain.
pub(crate) fn is_unit(expr: &Expr) -> bool {
    match expr {
        Expr::ForLoop(_) | Expr::While(_) => true,
        Expr::If(expr) => expr.else_branch.is_none(),
        Expr::Tuple(expr) => expr.elems.is_empty(),
        expr => assignment(expr).is_some(),
    }
}

/// Whether `expr` can be the end of a block without value as it is: it is of type `()`, or `!`.
pub(crate) fn fits_unit(expr: &Expr) -> bool {
    is_unit(expr) || matches!(expr, Expr::Break(_) | Expr::Continue(_) | Expr::Return(_))
}

/// Whether the body of a closure must stay a block.
pub(crate) fn is_typed_closure(expr: &Expr) -> bool {
    matches!(expr, Expr::Closure(expr) if matches!(expr.output, ReturnType::Type(..)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(predicate: fn(&Expr) -> bool, yes: &[&str], no: &[&str]) {
        let parse = |text: &str| syn::parse_str::<Expr>(text).expect("the tests hold expressions");
        for text in yes {
            assert!(predicate(&parse(text)), "{text}");
        }
        for text in no {
            assert!(!predicate(&parse(text)), "{text}");
        }
    }

    #[test]
    fn an_operand_binds_as_loosely_as_its_open_end() {
        let of = |text: &str| Precedence::of_operand(&syn::parse_str(text).expect("an expression"));
        assert_eq!(of("a + b * c"), Precedence::Sum);
        assert_eq!(of("-a.b()"), Precedence::Prefix);
        assert_eq!(of("&|x| x"), Precedence::Jump);
        assert_eq!(of("(a = b)"), Precedence::Postfix);
        assert_eq!(of("a as u8"), Precedence::Cast);
    }

    #[test]
    fn a_statement_ends_after_a_block_unless_a_dot_follows() {
        check(
            is_cut,
            &["{ a } + b", "unsafe { f } (x)", "if a { b } else { c } as u8", "{ a }[0].b", "m! { a } == b"],
            &["{ a }", "{ a }.b + c", "match a {}?", "a + { b }", "m!(a) + b", "async { a } | b"],
        );
    }

    #[test]
    fn a_head_is_upset_by_open_struct_literals_and_jumps() {
        check(
            takes_brace,
            &["S {}", "a == S {}", "&S {}.b", "|| S {}", "return", "!return a", "S { a }.b()"],
            &["(S {})", "f(S {})", "[S {}]", "{ S {} }", "a", "|| {}", "a.b(return)"],
        );
    }

    #[test]
    fn only_open_lets_count() {
        let parse = |text: &str| syn::parse_str::<Expr>(text).expect("an expression");
        assert!(holds_let(&parse("a && let Some(b) = c && d")));
        assert!(!holds_let(&parse("a && (if let b = c { d } else { e })")));
    }

    #[test]
    fn let_else_takes_no_brace_and_no_lazy_operator() {
        check(upsets_else, &["a && b", "S {}", "-{ a }", "a = m! {}"], &["(a && b)", "f({})", "a.b", "a == b"]);
    }
}
