//! Parentheses that stand around nothing but parentheses.

use syn::{Expr, Pat, Type};

use crate::rule::proposals::Proposals;
use crate::rule::transform::{Rule, family};
use crate::syntax::tree::{Node, Syntax};

family! {
    "parentheses", "Drops parentheses around parentheses.", in Modifiers;

    /// Drop parentheses around parentheses.
    ///
    /// ```text
    /// fn f() -> (((u8))) { ((1)) }
    /// =>
    /// fn f() -> ((u8)) { ((1)) }
    /// ```
    DROP_PARENTHESES = "drop-parentheses", Rule::Node(drop_parentheses);
}

fn drop_parentheses(node: Node<'_>, out: &mut Proposals<'_>) {
    let is_doubled = match node.syntax() {
        Syntax::Expr(Expr::Paren(outer)) => matches!(*outer.expr, Expr::Paren(_)),
        Syntax::Type(Type::Paren(outer)) => matches!(*outer.elem, Type::Paren(_)),
        Syntax::Pat(Pat::Paren(outer)) => matches!(*outer.pat, Pat::Paren(_)),
        _ => false,
    };
    if let (true, Some(inner)) = (is_doubled, node.children().last()) {
        out.keep(node.range(), inner.range());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn parentheses_in_parentheses_go_a_pair_at_a_time() {
        check(&DROP_PARENTHESES, "const A: u8 = (((1)));", &["const A: u8 = ((1));", "const A: u8 = ((1));"]);
        check(&DROP_PARENTHESES, "fn f(((a)): ((u8))) {}", &["fn f((a): ((u8))) {}", "fn f(((a)): (u8)) {}"]);
        check(&DROP_PARENTHESES, "fn f() { (1); ((1,),); f((a)); (&(a)) }", &[]);
    }
}
