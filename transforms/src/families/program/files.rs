//! Files: a module's file becomes part of its parent, data goes piece by piece.

use std::ops::Range;

use crate::document::ListKind;
use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Syntax, range};

family! {
    "files", "Reduces programs of several files.", in Files;

    /// Move a module from its own file into that of its parent.
    ///
    /// The mark says that the module has a file: see the form of programs of several files in the documentation of `Document`.
    INLINE_FILE = "inline-file", Rule::Tree(inline_file),
        r#"#[mcve::file("walk.rs")] mod walk { fn f() {} }"# => "mod walk { fn f() {} }";

    /// Delete a file that is no Rust.
    DELETE_DATA = "delete-data", Rule::Tree(delete_data), in Data,
        "fn main() {}\n\
         mcve::data!(\"table.txt\", \"1 2\\n\");"
        => "fn main() {}";

    /// Delete a line of a file that is no Rust.
    DELETE_DATA_LINE = "delete-data-line", Rule::Tree(delete_data_line), in Data,
        r#"mcve::data!("table.txt", "1 2\n", "3 4\n");"# => r#"mcve::data!("table.txt", "3 4\n");"#;

    /// Shorten a line of a file that is no Rust to one of its halves.
    HALVE_DATA_LINE = "halve-data-line", Rule::Tree(halve_data_line), in DataBytes,
        r#"mcve::data!("table.txt", "1 2\n");"# => r#"mcve::data!("table.txt", "1 ");"#;
}

fn inline_file(names: &Analysis<'_>, out: &mut Proposals<'_>) {
    if names.document().is_none() {
        return;
    }
    for node in names.nodes() {
        let Syntax::Attribute(attribute) = node.syntax() else { continue };
        let segments = &attribute.path().segments;
        if segments.len() == 2 && segments[0].ident == "mcve" && segments[1].ident == "file" {
            out.delete(range(attribute));
        }
    }
}

fn delete_data(names: &Analysis<'_>, out: &mut Proposals<'_>) {
    for list in names.document().into_iter().flat_map(|document| &document.lists) {
        if matches!(list.kind, ListKind::Data(_) | ListKind::Kept(_)) {
            out.delete(list.range.clone());
        }
    }
}

fn delete_data_line(names: &Analysis<'_>, out: &mut Proposals<'_>) {
    let text = names.source().text();
    for (element, _) in lines(names) {
        let comma = text[..element.start].rfind(',').unwrap_or(element.start);
        out.delete_in(element.clone(), comma..element.end);
    }
}

/// The lines of the files that are no Rust, as elements of lists.
fn lines<'d>(names: &'d Analysis<'_>) -> impl Iterator<Item = &'d (Range<usize>, Vec<u8>)> {
    let lists = names.document().into_iter().flat_map(|document| &document.lists);
    lists.filter(|list| matches!(list.kind, ListKind::Data(_))).flat_map(|list| &list.elements)
}

fn halve_data_line(names: &Analysis<'_>, out: &mut Proposals<'_>) {
    for (element, bytes) in lines(names) {
        let Ok(text) = std::str::from_utf8(bytes) else { continue };
        let is_boundary = |byte: &usize| text.is_char_boundary(*byte);
        let middle = (bytes.len() / 2..=text.len()).find(is_boundary).unwrap_or(text.len());
        let (first, second) = text.split_at(middle);
        for part in [first, second].into_iter().filter(|part| !part.is_empty() && part.len() < text.len()) {
            out.replace(element.clone(), format!("{part:?}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn a_mark_goes_and_what_it_is_on_stays() {
        check(
            &INLINE_FILE,
            "#[mcve::file(\"a.rs\")] #[cfg(a)] mod a { #[mcve::file(\"a/b.rs\")] mod b {} }",
            &[
                "#[cfg(a)] mod a { #[mcve::file(\"a/b.rs\")] mod b {} }",
                "#[mcve::file(\"a.rs\")] #[cfg(a)] mod a { mod b {} }",
            ],
        );
        check(&INLINE_FILE, "#[mcve::other] mod a {}", &[]);
    }

    #[test]
    fn the_lines_of_a_lone_file_are_no_data() {
        check(&DELETE_DATA_LINE, "data!(\"a\", \"b\");", &[]);
        check(&DELETE_DATA, "mcve::arguments!(\"a\");", &[]);
    }

    #[test]
    fn a_line_of_one_character_is_not_halved() {
        check(&HALVE_DATA_LINE, "mcve::data!(\"a\", \"é\", \"\", \"\\n\");", &[]);
        check(&HALVE_DATA_LINE, "mcve::data!(\"a\", \"éé\");", &["mcve::data!(\"a\", \"é\");"]);
    }
}
