//! Arrays of one element, repeated.

use syn::Expr;

use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Node, Syntax, range};
use crate::text::Edit;

family! {
    "arrays", "Repeats one element of an array in place of all others.", in Bodies;

    /// Repeat the first element of an array of three or more in place of the others.
    ///
    /// The array keeps its length, so its type need not change. Comes early: a table may have thousands of elements.
    REPEAT_ELEMENT = "repeat-element", Rule::Node(repeat_element),
        "const A: [u8; 3] = [7, 8, 9];" => "const A: [u8; 3] = [7; 3];";
}

/// An array of fewer elements does not become shorter.
const LEAST: usize = 3;

fn repeat_element(node: Node<'_>, out: &mut Proposals<'_>) {
    if let Syntax::Expr(Expr::Array(array)) = node.syntax()
        && array.elems.len() >= LEAST
    {
        // Up to the closing bracket.
        let rest = range(&array.elems[0]).end..node.range().end - 1;
        out.edit(node.range(), vec![Edit::replace(rest, format!("; {}", array.elems.len()))]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn the_first_element_is_repeated() {
        check(&REPEAT_ELEMENT, "const A: B = [f(1), 2, 3,];", &["const A: B = [f(1); 3];"]);
        check(
            &REPEAT_ELEMENT,
            "const A: B = [[1, 2, 3], [4, 5], []];",
            &["const A: B = [[1, 2, 3]; 3];", "const A: B = [[1; 3], [4, 5], []];"],
        );
    }

    #[test]
    fn what_is_short_or_repeated_is_left_alone() {
        check(&REPEAT_ELEMENT, "const A: B = [1, 2];", &[]);
        check(&REPEAT_ELEMENT, "const A: B = [1; 9];", &[]);
        check(&REPEAT_ELEMENT, "const A: B = (1, 2, 3);", &[]);
    }
}
