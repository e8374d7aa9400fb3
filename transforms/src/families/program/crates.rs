//! Crates that become modules.

use std::collections::HashSet;

use syn::{Attribute, Item};

use crate::document::RustFile;
use crate::names::Analysis;
use crate::names::definitions::Kind;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::attributes::is_inner;
use crate::syntax::source::Word;
use crate::syntax::{Node, Syntax, range};
use crate::text::lex::{plain, prefix};
use crate::text::{Edit, outermost};

family! {
    "crates", "Makes one crate of several.", in Files;

    /// Make a crate a module of the one that uses it.
    ///
    /// Paths to the crate and in it begin at the module from then on, macros that it exports are found at the root, where its
    /// `extern crate` items go, and the features that it turns on are turned on for all. What else differs, such as the edition, is for
    /// the check to say.
    CRATE_TO_MODULE = "crate-to-module", Rule::Tree(crate_to_module),
        "extern crate a;\n\
         fn f(_: a::A) {}\n\
         #[mcve::krate(\"a.rs\", \"--crate-name=a\", \"--crate-type=lib\")] mod a {\n\
         pub struct A;\n\
         }"
        => "fn f(_: crate::a::A) {}\n\
            mod a {\n\
            pub struct A;\n\
            }";
}

fn crate_to_module(names: &Analysis<'_>, out: &mut Proposals<'_>) {
    let Some(document) = names.document() else { return };
    let words: Vec<Word<'_>> = names.source().code(0..usize::MAX).collect();
    for file in document.files.iter().filter(|file| file.arguments.is_some()) {
        if let Some(edits) = dissolved(names, file, &words) {
            out.trial(file.range.clone(), edits);
        }
    }
}

/// The edits that turn the crate `file` into a module.
fn dissolved(names: &Analysis<'_>, file: &RustFile, words: &[Word<'_>]) -> Option<Vec<Edit>> {
    let text = names.source().text();
    let first = words.partition_point(|(_, range)| range.start < file.range.start);
    let keyword = first + words[first..].iter().position(|(word, _)| *word == "mod")?;
    let (name, inside) = (words.get(keyword + 1)?.0, words.get(keyword + 2)?.1.end..file.range.end);
    let mark = words[first..keyword].iter().position(|(word, _)| *word == "]")?;
    let mut edits = vec![Edit::delete(file.range.start..words[first + mark].1.end)];
    let (mut features, mut externs, mut behind) = (String::new(), String::new(), prefix(text));
    // What is at the root although its crate is a module.
    let (mut exported, mut at_root): (HashSet<&str>, HashSet<&str>) = Default::default();
    for node in names.nodes() {
        match node.syntax() {
            // An inner attribute of a crate is about all of it.
            Syntax::Attribute(attribute) if is_inner(attribute) && inside.contains(&range(attribute).start) => {
                let own = range(attribute);
                if items_around(node) == 1 && !attribute.path().is_ident("doc") {
                    if attribute.path().is_ident("feature") {
                        features += &format!("{}\n", &text[own.clone()]);
                    }
                    edits.push(Edit::delete(own));
                }
            }
            Syntax::Attribute(attribute) if is_inner(attribute) && items_around(node) == 0 => {
                behind = behind.max(range(attribute).end);
            }
            // At the root of a crate it loads macros, and makes a name for all modules.
            Syntax::Item(Item::ExternCrate(item))
                if inside.contains(&node.range().start) && items_around(node) == 1 =>
            {
                let own = &text[node.range()];
                let own_name = node.text_at(range(item.rename.as_ref().map_or(&item.ident, |(_, name)| name)));
                at_root.insert(own_name);
                let mut same = names.definitions().named(plain(own_name)).filter(|same| same.kind == Kind::Crate);
                let loads_macros = |attribute: &Attribute| attribute.path().is_ident("macro_use");
                edits.push(Edit::delete(node.range()));
                match same.find(|same| items_around(same.node) == 0).map(|same| same.node.range()) {
                    Some(same) if item.attrs.iter().any(loads_macros) => edits.push(Edit::replace(same, own)),
                    Some(_) => {}
                    None => externs += &format!("{own}\n"),
                }
            }
            Syntax::Item(Item::ExternCrate(item)) if item.ident == name && !inside.contains(&node.range().start) => {
                edits.push(match &item.rename {
                    Some((_, other)) => Edit::replace(node.range(), format!("use crate::{name} as {other};")),
                    None => Edit::delete(node.range()),
                });
            }
            Syntax::Item(Item::Macro(item)) if inside.contains(&node.range().start) => {
                let is_exported = item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"));
                exported.extend(item.ident.as_ref().filter(|_| is_exported).map(|ident| node.text_at(range(ident))));
            }
            _ => {}
        }
    }
    let word = |index: usize| words.get(index).map_or("", |(word, _)| *word);
    for (index, (own, at)) in words.iter().enumerate() {
        if word(index + 1) != "::" {
            continue;
        }
        let before = index.checked_sub(1).map_or("", word);
        if inside.contains(&at.start) {
            let is_exported = || exported.contains(word(index + 2)) && word(index + 3) == "!";
            if *own == "crate" && !is_exported() && !at_root.contains(word(index + 2)) {
                edits.push(Edit::replace(at.clone(), format!("crate::{name}")));
            }
        } else if plain(own) == name {
            let is_root = before == "::"
                && !index.checked_sub(2).map_or("", word).ends_with(|c: char| c.is_alphanumeric() || c == '>');
            if before != "::" || is_root {
                let start = if is_root { words[index - 1].1.start } else { at.start };
                // A macro that is exported is at the root.
                let new =
                    if exported.contains(word(index + 2)) { "crate".to_owned() } else { format!("crate::{name}") };
                edits.push(Edit::replace(start..at.end, new));
            }
        }
    }
    let mut edits = outermost(edits);
    let before = [(prefix(text), features), (behind, externs)];
    let is_needed = |(_, text): &(usize, String)| !text.is_empty();
    edits.splice(0..0, before.into_iter().filter(is_needed).map(|(at, text)| Edit::replace(at..at, text)));
    Some(edits)
}

fn items_around(node: Node<'_>) -> usize {
    node.ancestors().filter(|node| matches!(node.syntax(), Syntax::Item(_))).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{candidates, check, check_trials};

    const MARK: &str = "#[mcve::krate(\"a.rs\", \"--crate-name=a\", \"--crate-type=lib\")]";

    #[test]
    fn paths_in_it_begin_at_the_module() {
        let text = format!(
            "use a::b::B; {MARK} mod a {{ #![feature(x)] #![no_std] pub mod b {{ pub struct B; }} use crate::b::B; macro_rules! m {{ () => {{ $crate::b::B }} }} }}"
        );
        check(
            &CRATE_TO_MODULE,
            &text,
            &[
                "#![feature(x)] use crate::a::b::B; mod a { pub mod b { pub struct B; } use crate::a::b::B; macro_rules! m { () => { $crate::a::b::B } } }",
            ],
        );
    }

    #[test]
    fn what_it_exports_is_at_the_root() {
        let text = format!(
            "extern crate a as c; ::a::m!(); fn f() {{ x::a::y(); a::f::<u8>(); }} {MARK} mod a {{ #[macro_export] macro_rules! m {{ () => {{ $crate::m!(1) }} }} }}"
        );
        check(
            &CRATE_TO_MODULE,
            &text,
            &[
                "use crate::a as c; crate::m!(); fn f() { x::a::y(); crate::a::f::<u8>(); } mod a { #[macro_export] macro_rules! m { () => { $crate::m!(1) } } }",
            ],
        );
    }

    #[test]
    fn crates_that_it_names_are_named_at_the_root() {
        let check = |root: &str, own: &str, expected: &str| {
            let text = format!("{root} extern crate a; fn f() {{}} {MARK} mod a {{ {own} }}");
            check(&CRATE_TO_MODULE, &text, &[expected]);
        };
        let own = "#[macro_use] extern crate alloc; mod b { extern crate c; }";
        check("", own, "#[macro_use] extern crate alloc; fn f() {} mod a { mod b { extern crate c; } }");
        let own_path = "extern crate alloc; use crate::alloc::vec; use crate::b;";
        check("", own_path, "extern crate alloc; fn f() {} mod a { use crate::alloc::vec; use crate::a::b; }");
        check(
            "#![no_std]",
            own,
            "#![no_std] #[macro_use] extern crate alloc; fn f() {} mod a { mod b { extern crate c; } }",
        );
        check(
            "extern crate alloc;",
            own,
            "#[macro_use] extern crate alloc; fn f() {} mod a { mod b { extern crate c; } }",
        );
        check(
            "#[macro_use] extern crate c as d;",
            "extern crate d;",
            "#[macro_use] extern crate c as d; fn f() {} mod a { }",
        );
    }

    #[test]
    fn a_module_is_no_crate() {
        check(&CRATE_TO_MODULE, "mod a { fn f() {} } fn g() { a::f() }", &[]);
        check_trials(&CRATE_TO_MODULE, "mod a { fn f() {} } fn g() { a::f() }", &[]);
        assert!(candidates(&CRATE_TO_MODULE, "#[mcve::file(\"a.rs\")] mod a { }").is_empty());
    }
}
