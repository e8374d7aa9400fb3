//! Inline modules that dissolve into the module around them.

use std::ops::Range;

use syn::{Item, Visibility};

use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::generics::inside;
use crate::syntax::source::Word;
use crate::syntax::{Node, Syntax, range};
use crate::text::lex::is_word;
use crate::text::{Edit, edited, outermost};

family! {
    "modules", "Dissolves modules.", in Modules;

    /// Splice a module into the one around it.
    ///
    /// Paths through the module lose its name, paths that lead out of it a `super`, and imports of what is then in the
    /// same module go. The module is told by its name, so other paths may suffer.
    SPLICE_MODULE = "splice-module", Rule::Tree(splice_module),
        "mod m { pub struct S; }\n\
         use m::S;\n\
         fn f(s: m::S) {}"
        => "pub struct S;\n\
            fn f(s: S) {}";
}

fn splice_module(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    let words: Vec<Word<'_>> = analysis.source().code(0..usize::MAX).collect();
    for node in analysis.nodes() {
        let Syntax::Item(Item::Mod(module)) = node.syntax() else { continue };
        let Some((braces, _)) = &module.content else { continue };
        let inside = inside(braces.span);
        let name = module.ident.to_string();
        let mut edits = mended(node, &inside, &name, &words);
        let doomed = doomed_imports(node, &inside, &edits);
        edits.retain(|edit| !doomed.iter().any(|import| import.contains(&edit.range.start)));
        edits.extend(doomed.into_iter().map(Edit::delete));
        // Inner attributes of the module go with it.
        let written = module.attrs.iter().map(|attr| range(attr).end).filter(|end| inside.contains(end)).max();
        let begin = written.unwrap_or(inside.start);
        edits.retain(|edit| edit.range.start >= begin || edit.range.end <= node.range().start);
        edits.push(Edit::delete(node.range().start..begin));
        edits.push(Edit::delete(inside.end..node.range().end));
        // A visibility may hold a path that is mended.
        out.edit(node.range(), outermost(edits));
    }
}

/// The edits that mend the paths of the whole file and the visibilities in the module.
fn mended(module: Node<'_>, inside: &Range<usize>, name: &str, words: &[Word<'_>]) -> Vec<Edit> {
    let word = |index: usize| words.get(index).map_or("", |(text, _)| *text);
    let is_module = |node: &Node<'_>| matches!(node.syntax(), Syntax::Item(Item::Mod(_)));
    let nested: Vec<Range<usize>> = module.descendants().filter(is_module).map(Node::range).collect();
    let mut edits = Vec::new();
    for (index, (text, range)) in words.iter().enumerate() {
        // A method with its arguments is no module.
        let is_method = word(index + 2) == "<" || index > 0 && word(index - 1) == ".";
        if word(index + 1) != "::" || is_method || module.range().start <= range.start && range.start < inside.start {
            continue;
        }
        let begins = index == 0 || word(index - 1) != "::";
        let is_direct = inside.contains(&range.start) && !nested.iter().any(|nested| nested.contains(&range.start));
        // One level less leads out of the module, from the module itself and from those in it.
        let leads_out =
            *text == "super" && begins && (is_direct || inside.contains(&range.start) && word(index + 2) == "super");
        if *text == name
            && (begins || matches!(word(index - 2), "crate" | "self" | "super") || is_word(word(index - 2)))
            || leads_out
        {
            edits.push(Edit::delete(range.start..words[index + 1].1.end));
        }
    }
    for node in module.descendants() {
        if let Syntax::Visibility(Visibility::Restricted(_)) = node.syntax() {
            edits.push(Edit::replace(node.range(), "pub"));
        }
    }
    edits
}

/// The imports that name nothing from elsewhere any more once `edits` are applied, or that are there already.
fn doomed_imports(module: Node<'_>, inside: &Range<usize>, edits: &[Edit]) -> Vec<Range<usize>> {
    let tree = module.tree();
    let outer = module.module().map(Node::range);
    let mut seen: Vec<String> = Vec::new();
    let mut doomed = Vec::new();
    for node in tree.nodes() {
        let Syntax::Item(Item::Use(_)) = node.syntax() else { continue };
        let home = node.module().map(Node::range);
        let is_in = home.as_ref() == Some(&module.range());
        let is_beside = home == outer;
        if !is_in && !is_beside {
            continue;
        }
        let range = node.range();
        let text = edited(node.source_text(), range.clone(), edits);
        let path = text.split_once("use").map_or("", |(_, path)| path).trim();
        let root = outer.is_none().then(|| path.strip_prefix("crate::")).flatten();
        let path = path.strip_prefix("self::").or(root).unwrap_or(path);
        let changed = edits.iter().any(|edit| range.contains(&edit.range.start)) || root.is_some();
        if changed && !path.contains("::") || seen.iter().any(|other| other == path) {
            doomed.push(range);
        } else {
            seen.push(path.to_owned());
        }
    }
    doomed.retain(|range| inside.contains(&range.start) || !module.range().contains(&range.start));
    doomed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn paths_through_the_module_lose_its_name() {
        check(
            &SPLICE_MODULE,
            "mod m { pub struct S; } mod n { use super::m::S; fn f(s: crate::m::S) {} } fn g(s: m::S) {}",
            &[
                "pub struct S; mod n { use super::S; fn f(s: crate::S) {} } fn g(s: S) {}",
                "mod m { pub struct S; } use m::S; fn f(s: crate::m::S) {} fn g(s: m::S) {}",
            ],
        );
    }

    #[test]
    fn imports_of_what_is_then_here_go() {
        check(
            &SPLICE_MODULE,
            "struct A; mod m { use super::A; use super::*; fn f(a: A) {} }",
            &["struct A; fn f(a: A) {}"],
        );
        check(&SPLICE_MODULE, "pub use m::*; mod m { pub fn f() {} }", &["pub fn f() {}"]);
        check(&SPLICE_MODULE, "struct A; mod m { use crate::A; }", &["struct A;"]);
    }

    #[test]
    fn an_import_that_is_there_already_goes() {
        check(&SPLICE_MODULE, "use std::fmt; mod m { use std::fmt; }", &["use std::fmt;"]);
    }

    #[test]
    fn modules_in_modules_lead_out_by_one_less() {
        check(
            &SPLICE_MODULE,
            "mod m { mod n { use super::super::A; use super::B; } }",
            &["mod n { use super::A; use super::B; }", "mod m { use super::A; }"],
        );
    }

    #[test]
    fn methods_of_the_same_name_are_others() {
        check(&SPLICE_MODULE, "mod m {} fn f() { a.m::<u8>() }", &["fn f() { a.m::<u8>() }"]);
    }

    #[test]
    fn what_is_written_about_the_module_goes() {
        check(&SPLICE_MODULE, "#[a] mod m { //! b\n #![c]\n fn f() {} }", &["fn f() {}"]);
    }

    #[test]
    fn restricted_visibility_is_lifted() {
        check(&SPLICE_MODULE, "mod m { pub(super) struct S; }", &["pub struct S;"]);
    }

    #[test]
    fn a_visibility_may_hold_a_path_that_leads_out() {
        check(
            &SPLICE_MODULE,
            "mod m { pub(in super::super) fn f() {} fn g() { super::h() } }",
            &["pub fn f() {} fn g() { h() }"],
        );
    }

    #[test]
    fn what_is_no_inline_module_is_left_alone() {
        check(&SPLICE_MODULE, "mod m; fn m() {} use m::a;", &[]);
        check(&SPLICE_MODULE, "struct S; impl S {} trait T {}", &[]);
        check(&SPLICE_MODULE, "", &[]);
    }
}
