//! Macro calls: their arguments, and format strings with what they print.

use std::ops::Range;

use syn::{Expr, ExprLit, Lit};

use crate::rule::{Proposals, Rule, family, parts};
use crate::syntax::generics::inside;
use crate::syntax::token_groups::{TokenGroup, segments, token_groups};
use crate::syntax::{List, Node, Syntax, range};
use crate::text::{Edit, format};

family! {
    "macros", "Reduces the arguments of macro calls.", in Macros;

    /// Delete all arguments of a macro call.
    EMPTY_MACRO = "empty-macro", parts!(of node,
            Syntax::Macro(mac) if !mac.path.is_ident("macro_rules") && !mac.tokens.is_empty() => inside(*mac.delimiter.span())),
        r#"fn f() { println!("{}", 1); }"# => "fn f() { println!(); }";

    /// Delete an argument of a format macro with its placeholder in the format string.
    DELETE_FORMAT_ARGUMENT = "delete-format-argument", Rule::Node(delete_format_argument),
        r#"fn f() { println!("{} {:?}", 1, 2); }"# => r#"fn f() { println!(" {:?}", 2); }"#;

    /// Delete an argument of a macro call.
    ///
    /// Also of a list in parentheses among tokens that could not be parsed.
    DELETE_MACRO_ARGUMENT = "delete-macro-argument", Rule::Node(delete_macro_argument),
        "fn f() { m!(a, b); }" => "fn f() { m!(a); }";

    /// Replace a macro that writes or prints text by `print!`.
    PRINT_PLAINLY = "print-plainly", Rule::Node(print_plainly),
        r#"fn f() { writeln!(a(), "{}", b); }"# => r#"fn f() { print!("{}", b); }"#;
}

fn print_plainly(node: Node<'_>, out: &mut Proposals<'_>) {
    let Syntax::Macro(mac) = node.syntax() else { return };
    let Some(name) = mac.path.get_ident().map(ToString::to_string) else { return };
    let mut edits = vec![Edit::replace(range(&mac.path), "print")];
    match &*name {
        "write" | "writeln" => {
            let pieces = token_groups(node.source_text(), &mac.tokens);
            let [first, _, ..] = &*segments(node.source_text(), &pieces, ",") else { return };
            edits.push(Edit::delete(first.range.clone()));
            edits.extend(first.separator.clone().map(Edit::delete));
        }
        "println" | "eprint" | "eprintln" => {}
        _ => return,
    }
    out.edit(node.range(), edits);
}

/// The arguments at `node` that were parsed as expressions: those of a call, or of each group among bare tokens.
fn lists(node: Node<'_>) -> Vec<(Vec<&Expr>, List)> {
    let lists: Vec<Range<usize>> = match node.syntax() {
        Syntax::Macro(mac) if !mac.path.is_ident("macro_rules") => std::iter::once(node.range()).collect(),
        Syntax::Tokens(tokens) => {
            let pieces = token_groups(node.source_text(), tokens);
            pieces
                .iter()
                .filter_map(TokenGroup::contents)
                .map(|contents| contents.range.start..contents.range.end + 1)
                .collect()
        }
        _ => return Vec::new(),
    };
    let mut children = node.children().peekable();
    let mut arguments = |list: Range<usize>| {
        let (mut exprs, mut elements, mut separators) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(child) = children.next_if(|child| child.range().end < list.end) {
            if let Syntax::Expr(expr) = child.syntax() {
                let is_separator = |token: &Range<usize>| {
                    token.end < list.end && !["(", ")", "[", "]", "{", "}"].contains(&node.text_at(token.clone()))
                };
                exprs.push(expr);
                elements.push(child.range());
                separators.extend(token_at(node, child.range().end).filter(is_separator));
            }
        }
        (exprs, List::of_places(elements, separators))
    };
    lists.into_iter().map(&mut arguments).collect()
}

/// The first token at or after byte `start`.
fn token_at(node: Node<'_>, start: usize) -> Option<Range<usize>> {
    node.tree().source().code(start..usize::MAX).next().map(|(_, range)| range)
}

fn delete_macro_argument(node: Node<'_>, out: &mut Proposals<'_>) {
    for (_, list) in lists(node) {
        if list.len() > 1 {
            list.delete_each(out);
        }
        list.trailing().into_iter().for_each(|separator| out.delete(separator));
    }
}

fn delete_format_argument(node: Node<'_>, out: &mut Proposals<'_>) {
    for (exprs, list) in lists(node) {
        let is_format = |expr: &&Expr| matches!(expr, Expr::Lit(ExprLit { lit: Lit::Str(_), .. }));
        let Some(first) = exprs.iter().position(is_format) else { continue };
        let string = list.elements[first].clone();
        let placeholders = format::placeholders(node.text_at(string.clone()));
        let next = placeholders.into_iter().filter(|placeholder| placeholder.is_next);
        for (index, placeholder) in (first + 1..list.len()).zip(next) {
            let mut edits = list.without(index);
            edits.push(Edit::delete(string.start + placeholder.range.start..string.start + placeholder.range.end));
            out.edit(list.elements[index].clone(), edits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn arguments_go_all_at_once() {
        check(
            &EMPTY_MACRO,
            "m! { a => b } fn f() { n!(o![c]) }",
            &["m! { } fn f() { n!(o![c]) }", "m! { a => b } fn f() { n!() }", "m! { a => b } fn f() { n!(o![]) }"],
        );
    }

    #[test]
    fn text_is_printed_plainly() {
        check(&PRINT_PLAINLY, "fn f() { write!(a, \"{}\", b)? }", &["fn f() { print!(\"{}\", b)? }"]);
        check(&PRINT_PLAINLY, "fn f() { writeln!(a, concat!(b)); }", &["fn f() { print!(concat!(b)); }"]);
        check(&PRINT_PLAINLY, "fn f() { eprintln!(\"a\") }", &["fn f() { print!(\"a\") }"]);
    }

    #[test]
    fn what_prints_plainly_or_not_at_all_stays() {
        check(
            &PRINT_PLAINLY,
            "fn f() { print!(\"a\"); format!(\"b\"); m!(a, b); writeln!(a); write!(); a::write!(b, c) }",
            &[],
        );
    }

    #[test]
    fn definitions_and_empty_calls_stay() {
        check(&EMPTY_MACRO, "macro_rules! m { () => {} } m!();", &[]);
    }

    #[test]
    fn arguments_take_their_comma_along() {
        check(
            &DELETE_MACRO_ARGUMENT,
            "fn f() { m!(a, |b, c| d, e::<F, G>()) }",
            &["fn f() { m!(|b, c| d, e::<F, G>()) }", "fn f() { m!(a, e::<F, G>()) }", "fn f() { m!(a, |b, c| d) }"],
        );
        check(
            &DELETE_MACRO_ARGUMENT,
            "fn f() { m!(a /* , */ , b,) }",
            &["fn f() { m!(/* , */ b,) }", "fn f() { m!(a /* , */ ,) }", "fn f() { m!(a /* , */ , b) }"],
        );
        check(&DELETE_MACRO_ARGUMENT, "fn f() { vec![0; 9] }", &["fn f() { vec![9] }", "fn f() { vec![0] }"]);
    }

    #[test]
    fn lists_among_bare_tokens_have_arguments() {
        check(
            &DELETE_MACRO_ARGUMENT,
            "m!(a => (b, c), d [e] f(g(h, i)));",
            &["m!(a => (c), d [e] f(g(h, i)));", "m!(a => (b), d [e] f(g(h, i)));"],
        );
        check(&DELETE_FORMAT_ARGUMENT, "m!(=> print!(\"{}\", a));", &["m!(=> print!(\"\"));"]);
    }

    #[test]
    fn what_is_no_list_of_expressions_has_no_arguments() {
        check(&DELETE_MACRO_ARGUMENT, "fn f() { m!(a => b, c); n!(a); o! { let b; c } g(a, b); }", &[]);
    }

    #[test]
    fn format_arguments_go_with_their_placeholder() {
        check(
            &DELETE_FORMAT_ARGUMENT,
            "fn f() { print!(\"{a} {} {{}} {0} {:>1$}\", b, c); }",
            &["fn f() { print!(\"{a}  {{}} {0} {:>1$}\", c); }", "fn f() { print!(\"{a} {} {{}} {0} \", b); }"],
        );
        check(&DELETE_FORMAT_ARGUMENT, "fn f() { assert!(a, r#\"{}\"#, b); }", &["fn f() { assert!(a, r#\"\"#); }"]);
    }

    #[test]
    fn placeholders_without_arguments_stay() {
        check(&DELETE_FORMAT_ARGUMENT, "fn f() { print!(\"{a} {0} {{}}\", b); print!(\"{}\"); m!(a, b); }", &[]);
    }
}
