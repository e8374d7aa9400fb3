//! Programs that report what they do: the code that runs, the text that can be instrumented, the modules that are added to it.

use std::ops::Range;

use syn::{Expr, ImplItem, Item, Pat, TraitItem};

use crate::document::Document;
use crate::syntax::surroundings::{is_evaluated, signature};
use crate::syntax::{Node, Syntax, Tree};

/// The bytes of a text that were moved, as something was inserted before them.
pub(super) struct Moved {
    /// The bytes at which something was inserted, sorted.
    at: Vec<usize>,
    len: usize,
}

impl Moved {
    /// The bytes that these are now.
    pub(super) fn range(&self, bytes: &Range<usize>) -> Range<usize> {
        let moved = |byte: usize| byte + self.at.iter().take_while(|at| **at <= byte).count() * self.len;
        moved(bytes.start)..moved(bytes.end)
    }
}

/// The module that reports; it is added to the program.
const REPORTS: &str = include_str!("runtime/reports.rs");

/// Adds a module to each crate of the program `text`, which reports on so many sites.
pub(super) fn add_reports(text: &mut String, sites: usize) -> Moved {
    add_runtime(text, "mcve_reports", &REPORTS.replace("MCVE_SITES", &sites.to_string()))
}

/// Adds a module of this name and with this code to each crate of the program `text`.
pub(super) fn add_runtime(text: &mut String, name: &str, code: &str) -> Moved {
    let module = format!("\n#[allow(warnings, unsafe_code, clippy::all)]\nmod {name} {{\n{code}}}\n");
    let document = Some(&*text).filter(|text| text.contains(Document::SIGN)).and_then(|text| Document::read(text, ""));
    let crates = document.iter().flat_map(|document| &document.files).filter(|file| file.arguments.is_some());
    let mut at: Vec<usize> = crates.map(|file| file.range.end - 1).collect();
    at.sort_unstable();
    at.iter().rev().for_each(|byte| text.insert_str(*byte, &module));
    *text += &module;
    Moved { at, len: module.len() }
}

/// The text of the program with `allow` for `forbid`: the runtime could not allow a forbidden lint.
pub(super) fn permitted(tree: &Tree<'_>) -> String {
    const FORBID: &str = "forbid";
    const ALLOW: &str = "allow ";
    let mut text = tree.source().text().to_owned();
    for attribute in tree.nodes().filter(|node| matches!(node.syntax(), Syntax::Attribute(_))) {
        // Both have the same length, so the sites do not move.
        text.replace_range(attribute.range(), &attribute.text().replace(FORBID, ALLOW));
    }
    text
}

/// Whether `node` is a `const fn`, which the compiler may evaluate.
pub(super) fn is_const_fn(node: Node<'_>) -> bool {
    signature(node).is_some_and(|signature| signature.constness.is_some())
}

/// Whether the code in `node` runs unchanged when the program does.
pub(super) fn is_run(node: Node<'_>) -> bool {
    match node.syntax() {
        _ if is_const_fn(node) => false,
        Syntax::Macro(call) => is_evaluated(call),
        Syntax::Pat(pat) => matches!(pat, Pat::Guard(_)),
        Syntax::Item(item) => !matches!(item, Item::Const(_) | Item::Static(_) | Item::Macro(_)),
        Syntax::ImplItem(ImplItem::Const(_))
        | Syntax::TraitItem(TraitItem::Const(_))
        | Syntax::Expr(Expr::Const(_)) => false,
        Syntax::Attribute(_)
        | Syntax::GenericArgument(_)
        | Syntax::Tokens(_)
        | Syntax::Type(_)
        | Syntax::Variant(_) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_crate_has_the_module() {
        let krate = |inside: &str| {
            format!("fn main() {{ a::f() }}\n#[mcve::krate(\"a.rs\")] mod a {{ {inside} }}\nmcve::arguments!(\"-O\");")
        };
        let mut text = krate("pub fn f() {}");
        let (f, list) = (text.find("pub").expect("it is there"), text.find("-O").expect("it is there"));
        let moved = add_runtime(&mut text, "m", "");
        let document = Document::read(&text, "").expect("it is still a document");
        assert!(document.files.iter().all(|file| file.text(&text).contains("mod m")), "{text}");
        assert_eq!((moved.range(&(f..f + 3)), &text[moved.range(&(list..list + 2))]), (f..f + 3, "-O"));
    }
}
