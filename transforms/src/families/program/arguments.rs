//! Arguments and variables of the compiler.

use std::ops::Range;

use crate::document::ListKind;
use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};

family! {
    "arguments", "Deletes arguments and variables of the compiler.", in Arguments;

    /// Delete an argument of the compiler, or a variable of its environment.
    ///
    /// The list says how the compiler is called: see the form of programs of several files in the documentation of `Document`.
    DELETE_RUSTC_ARGUMENT = "delete-rustc-argument", Rule::Tree(delete_argument),
        "fn main() {}\n\
         mcve::arguments!(\"-O\", \"--cfg=unused\");"
        => "fn main() {}\n\
            mcve::arguments!(\"--cfg=unused\");";
}

fn delete_argument(names: &Analysis<'_>, out: &mut Proposals<'_>) {
    let Some(document) = names.document() else { return };
    for list in &document.lists {
        if matches!(list.kind, ListKind::Arguments | ListKind::Environment) {
            out.delete(list.range.clone());
            delete_each(list.elements.iter().map(|(element, _)| element.clone()).collect(), out);
        }
    }
    for arguments in document.files.iter().filter_map(|file| file.arguments.as_ref()) {
        // Others name a crate by what says what it is.
        let is_form = |word: &str| word.starts_with("--crate-") || word.starts_with("--edition");
        let own = arguments.iter().filter(|(_, word)| !is_form(word));
        delete_each(own.map(|(element, _)| element.clone()).collect(), out);
    }
}

/// Proposes to delete each of the elements of a list, each with the comma behind it.
fn delete_each(elements: Vec<Range<usize>>, out: &mut Proposals<'_>) {
    for (index, element) in elements.iter().enumerate() {
        let end = elements.get(index + 1).map_or(element.end, |next| next.start);
        out.delete_in(element.clone(), element.start..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn arguments_go_one_by_one_or_all_with_their_list() {
        check(
            &DELETE_RUSTC_ARGUMENT,
            "fn f() {}\nmcve::environment!(\"A=1\", \"B=2\");",
            &["fn f() {}", "fn f() {}\nmcve::environment!(\"B=2\");", "fn f() {}\nmcve::environment!(\"A=1\", );"],
        );
    }

    #[test]
    fn other_macros_have_no_arguments_of_the_compiler() {
        check(&DELETE_RUSTC_ARGUMENT, "arguments!(\"-O\"); mcve::data!(\"a\", \"b\");", &[]);
    }
}
