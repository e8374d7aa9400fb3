//! Takes the effect from code that has none, as a lint says: if the program then does something else, the lint is wrong.

use mcve_transforms::{Node, Source, Syntax, Tree, covers};
use syn::Expr;

use crate::oracle::output::diagnostics::Diagnostic;
use crate::program::Program;

/// Ends the program. Few programs end with this code.
const END: &str = "::std::process::exit(86)";

/// The program without the assignment that `lint` marks, or with an end of the program in the code that it calls unreachable.
/// Returns none if the lint is about something else, or its place is not found.
pub fn without_effect(program: &Program, lint: &Diagnostic) -> Option<Program> {
    let site = lint.primary().next()?.range(program)?;
    let (mut text, source) = (program.text.to_string(), Source::parse(&*program.text));
    let tree = Tree::new(&source);
    let (place, before, after) = match lint.code_or_lint()? {
        "unused_assignments" => {
            let is_it = |node: &Node<'_>| matches!(node.syntax(), Syntax::Expr(Expr::Assign(_) | Expr::Binary(_)));
            let assignment = tree.nodes().find(|node| node.range().start == site.start && is_it(node))?.range();
            text.replace_range(assignment, "()");
            return Some(program.with_text(text));
        }
        "unreachable_code" if lint.message.ends_with(" statement") => (site.start..site.start, format!("{END}; "), ""),
        "unreachable_code" => (site, format!("{{ {END}; "), " }"),
        "unreachable_patterns" => {
            let arms = tree.nodes().filter(|node| matches!(node.syntax(), Syntax::Arm(_)));
            let arm = arms.filter(|node| covers(&node.range(), &site)).last()?;
            (arm.children().last()?.range(), format!("{{ {END}; "), " }")
        }
        _ => return None,
    };
    text.insert_str(place.end, after);
    text.insert_str(place.start, &before);
    Some(program.with_text(text))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Checks what becomes of `marked` in this body of a function.
    #[track_caller]
    fn check(lint: &str, message: &str, body: &str, marked: &str, expected: &str) {
        let text = format!("fn f() {{ {body} }}");
        let start = text.rfind(marked).expect("it is there");
        let span = json!({ "file_name": "a.rs", "byte_start": start, "byte_end": start + marked.len(), "line_start": 1,
                           "is_primary": true, "suggested_replacement": null });
        let said = json!({ "message": message, "code": { "code": lint }, "level": "warning", "spans": [span] });
        let lint: Diagnostic = serde_json::from_value(said).expect("it is a diagnostic");
        let without = without_effect(&Program::new("a.rs", text), &lint).map(|program| program.text.to_string());
        assert_eq!(without.as_deref(), (!expected.is_empty()).then(|| format!("fn f() {{ {expected} }}")).as_deref());
    }

    #[test]
    fn a_value_that_nobody_reads_is_not_assigned() {
        let check = |body, marked, expected| {
            check("unused_assignments", "value assigned is never read", body, marked, expected)
        };
        check("let mut a = 1; a = g(a);", "a = g(a)", "let mut a = 1; ();");
        check("match b { _ => a.c = 1 }", "a.c", "match b { _ => () }");
        check("a += 1", "a", "()");
        check("let mut a = 1;", "a", "");
    }

    #[test]
    fn code_that_nothing_reaches_ends_the_program() {
        check(
            "unreachable_code",
            "unreachable statement",
            "a(); let b = c;",
            "let b = c;",
            "a(); ::std::process::exit(86); let b = c;",
        );
        check("unreachable_code", "unreachable call", "a(b)", "a(b)", "{ ::std::process::exit(86); a(b) }");
        let (arms, ends) =
            ("match a { 1 => b, 1 | 2 => c }", "match a { 1 => b, 1 | 2 => { ::std::process::exit(86); c } }");
        let inside = |arms: &str| format!("match d {{ _ => {arms} }}");
        check("unreachable_patterns", "unreachable pattern", arms, "1", ends);
        check("unreachable_patterns", "unreachable pattern", &inside(arms), "1", &inside(ends));
        check("unused_variables", "unused variable", "let a = 1;", "a", "");
    }
}
