//! Calls of macros that the file defines, replaced by what they make.

use std::cell::Cell;
use std::collections::BTreeMap;

use syn::{Item, UseTree};

use crate::macros::expand::OwnMacro;
use crate::macros::expansion_kind::Expanded;
use crate::names::Analysis;
use crate::rule::{Proposals, Rule, family};
use crate::syntax::{Node, Source, Syntax, Tree};
use crate::text::{Edit, outermost};

family! {
    "expansions", "Expands the calls of macros that the file defines.", in Expansions;

    /// Replace all calls of a macro by what they make, and delete its definition.
    ///
    /// As a trial where that makes the program larger. Calls in what a call makes are expanded, too.
    EXPAND_MACRO = "expand-macro", Rule::Tree(expand_macro),
        "macro_rules! m { ($a:ident) => { struct $a; } }\n\
         m!(A);\n\
         m!(B);"
        => "struct A;\n\
            struct B;";

    /// Replace a call of a macro by what it makes.
    ///
    /// As a trial where that makes the program larger. If the macro calls itself, a second alternative expands those
    /// calls as well.
    EXPAND_MACRO_CALL = "expand-macro-call", Rule::Tree(expand_macro_call),
        "macro_rules! m { ($($a:tt)*) => { f($($a)*) } }\n\
         fn g() { m!(1 + 2); }"
        => "macro_rules! m { ($($a:tt)*) => { f($($a)*) } }\n\
            fn g() { f(1 + 2); }";

    /// Replace all calls of a macro by what they make, although that is no syntax that the reducer knows.
    ///
    /// Late, as what is around it can be reduced by its tokens only from then on.
    EXPAND_UNKNOWN_MACRO = "expand-unknown-macro", Rule::Text(expand_unknown_macro), in UnknownExpansions,
        "macro_rules! m { ($a:ident) => { dyn A + !$a } }\n\
         fn f(a: m!(Send)) {}"
        => "fn f(a: dyn A + !Send) {}";
}

/// The macros of the file that are defined once, in source order.
fn definitions<'t>(tree: &'t Tree<'_>) -> Vec<OwnMacro<'t>> {
    let found: Vec<OwnMacro<'t>> = tree.nodes().filter_map(OwnMacro::of).collect();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for definition in &found {
        *times.entry(definition.name.clone()).or_default() += 1;
    }
    found.into_iter().filter(|definition| times[&definition.name] == 1).collect()
}

fn expand_macro(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for definition in definitions(analysis) {
        if let Some(edits) = all_calls(analysis, &definition, |call| definition.complete(call)) {
            out.trial(definition.range.clone(), edits);
        }
    }
}

fn expand_unknown_macro(source: &Source, out: &mut Proposals<'_>) {
    let is_there = source.tokens().iter().any(|token| &source.text()[token.range.clone()] == "macro_rules");
    if !is_there {
        return;
    }
    let tree = Tree::new(source);
    for definition in definitions(&tree) {
        let is_unknown = Cell::new(false);
        let any = |call| {
            let (expanded, is_known) = definition.complete_any(call)?;
            is_unknown.set(is_unknown.get() || !is_known);
            Some(expanded)
        };
        if let Some(edits) = all_calls(&tree, &definition, any).filter(|_| is_unknown.get()) {
            out.edit(definition.range.clone(), edits);
        }
    }
}

/// The edits that expand all calls of a macro and delete it and its imports; nothing if there is no call, or one that
/// cannot be expanded.
fn all_calls<'t>(
    tree: &'t Tree<'_>,
    definition: &OwnMacro<'_>,
    expand: impl Fn(Node<'t>) -> Option<Expanded>,
) -> Option<Vec<Edit>> {
    let own = &definition.range;
    let calls = definition.calls(tree, own);
    if calls.is_empty() || !is_called_only_at(tree, definition, &calls) {
        return None;
    }
    let mut edits = vec![Edit::delete(own.clone())];
    for call in calls {
        edits.extend(expand(call)?.edits);
    }
    let imports = tree.nodes().filter(|node| is_import(*node, &definition.name));
    edits.extend(imports.map(|import| Edit::delete(import.range())));
    Some(outermost(edits))
}

/// Whether the macro is called nowhere but in `calls` and its own rules.
fn is_called_only_at(tree: &Tree<'_>, definition: &OwnMacro<'_>, calls: &[Node<'_>]) -> bool {
    let words: Vec<_> = tree.source().code(0..usize::MAX).collect();
    words.windows(2).filter(|pair| pair[0].0 == definition.name && pair[1].0 == "!").all(|pair| {
        let at = pair[0].1.start;
        definition.range.contains(&at) || calls.iter().any(|call| call.range().contains(&at))
    })
}

/// Whether `node` imports `name` and nothing else.
fn is_import(node: Node<'_>, name: &str) -> bool {
    let Syntax::Item(Item::Use(item)) = node.syntax() else { return false };
    let mut tree = &item.tree;
    loop {
        tree = match tree {
            UseTree::Path(path) => &path.tree,
            UseTree::Name(leaf) => return leaf.ident == name,
            _ => return false,
        }
    }
}

fn expand_macro_call(analysis: &Analysis<'_>, out: &mut Proposals<'_>) {
    for definition in definitions(analysis) {
        let calls = analysis.nodes().filter(|node| definition.is_called_at(*node));
        let mut end = 0;
        for call in calls.filter(|call| !definition.range.contains(&call.range().start)) {
            let Some(step) = definition.step(call) else { continue };
            out.trial(step.site, step.edits);
            // Each level of a nest would take as many rounds as there are levels in it.
            let is_outermost = call.range().start >= end;
            end = end.max(call.range().end);
            if let Some(complete) = is_outermost.then(|| definition.complete(call)).flatten() {
                out.trial(complete.site, complete.edits);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::check, testing::check_trials};

    #[test]
    fn a_macro_goes_with_all_its_calls() {
        check(
            &EXPAND_MACRO,
            "macro_rules! a { ($b:tt) => { dyn $b + ?Sized }; } fn d() { |e: a!(A), f: &a![B]| e; }",
            &["fn d() { |e: dyn A + ?Sized, f: &(dyn B + ?Sized)| e; }"],
        );
        check(
            &EXPAND_MACRO,
            "#[macro_use] mod m { #[macro_export] macro_rules! a { ($($b:tt)+) => { $($b)+ }; } pub(crate) use a; }
             use m::a; m::a! { #[derive(Clone)] struct A<K, V> {} }",
            &["#[macro_use] mod m { } #[derive(Clone)] struct A<K, V> {}"],
        );
    }

    #[test]
    fn a_macro_stays_if_a_call_cannot_be_expanded() {
        let calls = ["", "m!(1);", "n!(a => m!());", "macro_rules! n { ($a:tt) => { m!($a) } } m!();"];
        for call in calls {
            check(&EXPAND_MACRO, &format!("macro_rules! m {{ () => {{}} }} {call}"), &[]);
        }
        check(&EXPAND_MACRO, "macro_rules! m { () => {} } macro_rules! m { () => {} } m!();", &[]);
        check_trials(&EXPAND_MACRO, "macro_rules! m { () => {} } m!(1);", &[]);
    }

    #[test]
    fn calls_in_what_is_made_are_expanded() {
        check(
            &EXPAND_MACRO,
            "macro_rules! m { () => { 0 }; ($a:tt $($b:tt)*) => { 1 + m!($($b)*) } } const A: u8 = m!(a b) * 2;",
            &["const A: u8 = (1 + (1 + 0)) * 2;"],
        );
        check(&EXPAND_MACRO, "macro_rules! m { () => { m!(); } } m!();", &[]);
    }

    #[test]
    fn what_grows_is_a_trial() {
        let text = "macro_rules! m { ($a:ident) => { fn $a() { 1; } } } m!(a); m!(b); m!(c);";
        check(&EXPAND_MACRO, text, &["fn a() { 1; } fn b() { 1; } fn c() { 1; }"]);
        check(&EXPAND_MACRO_CALL, text, &[]);
        check_trials(
            &EXPAND_MACRO_CALL,
            "macro_rules! m { ($a:ident) => { fn $a() { 1; } } } m!(a);",
            &["macro_rules! m { ($a:ident) => { fn $a() { 1; } } } fn a() { 1; }"],
        );
        let many = "f();".repeat(60);
        check(&EXPAND_MACRO_CALL, &format!("macro_rules! m {{ () => {{ {many} }} }} fn g() {{ m!(); }}"), &[]);
        check_trials(&EXPAND_MACRO_CALL, &format!("macro_rules! m {{ () => {{ {many} }} }} fn g() {{ m!(); }}"), &[]);
    }

    /// Checks what becomes of the only call in `text`, whose macro takes tokens and gives them back.
    #[track_caller]
    fn check_position(text: &str, expected: &[&str]) {
        let macro_ = "macro_rules! m { ($($a:tt)*) => { $($a)* } }";
        let expected: Vec<String> = expected.iter().map(|expected| format!("{macro_} {expected}")).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check(&EXPAND_MACRO_CALL, &format!("{macro_} {text}"), &expected);
    }

    #[test]
    fn items_are_spliced() {
        check_position("m! { struct A; struct B; }", &["struct A; struct B;"]);
        check_position("impl A { m!(fn a() {} fn b() {}); }", &["impl A { fn a() {} fn b() {} }"]);
        check_position("trait A { m!(fn a();); }", &["trait A { fn a(); }"]);
        check_position("extern \"C\" { m!(fn a();); }", &["extern \"C\" { fn a(); }"]);
        check_position("m! { 1 + 1 }", &[]);
        check_position("::core::m! { struct A; }", &[]);
        check_position("std::m! { struct A; }", &[]);
        check_position("#[cfg(a)] m! { struct A; }", &[]);
    }

    #[test]
    fn statements_are_spliced() {
        check_position("fn f() { m!(let a = 1; a); g() }", &["fn f() { let a = 1; a; g() }"]);
        check_position("fn f() { m! { a } g() }", &["fn f() { a; g() }"]);
        check_position("fn f() { m! { if a {} } g() }", &["fn f() { if a {} g() }"]);
        check_position("fn f() { m!(let a = 1;); }", &["fn f() { let a = 1; }"]);
        check_position("fn f() -> u8 { m! { let a = 1; a } }", &["fn f() -> u8 { let a = 1; a }"]);
        check_position("fn f() -> u8 { m!(let a = 1; a) }", &["fn f() -> u8 { let a = 1; a }"]);
        check_position("fn f() { m!(if a { 1 } else { 2 }); }", &["fn f() { if a { 1 } else { 2 }; }"]);
        check_position("fn f() { m!(); }", &["fn f() { }"]);
    }

    #[test]
    fn expressions_are_fitted() {
        check_position("const A: u8 = m!(a + b) * c;", &["const A: u8 = (a + b) * c;"]);
        check_position("const A: u8 = f(m!(let a = 1; a));", &["const A: u8 = f({ let a = 1; a });"]);
        check_position("const A: u8 = f(m!(a;));", &["const A: u8 = f(a);"]);
        check_position("fn f() { if m!(S {}).a {} }", &["fn f() { if (S {}).a {} }"]);
        check_position("const A: u8 = f(m!(a b));", &[]);
    }

    #[test]
    fn types_and_patterns_are_fitted() {
        check_position("fn f(a: &m!(dyn A + B)) {}", &["fn f(a: &(dyn A + B)) {}"]);
        check_position("type A = m!(dyn A + B);", &["type A = dyn A + B;"]);
        check_position("fn f() { let m!(A | B) = a; }", &["fn f() { let (A | B) = a; }"]);
        check_position("fn f() { let m!(A if b) = a; }", &[]);
    }

    #[test]
    fn unknown_syntax_is_put_where_the_calls_are() {
        let macros = "macro_rules! m { ($($a:tt)*) => { $($a)* } }";
        check(
            &EXPAND_UNKNOWN_MACRO,
            &format!("{macros} fn f(a: &m!(dyn A + !B), c: m!(D)) {{ m!(1 2;); }}"),
            &["fn f(a: &dyn A + !B, c: D) { 1 2; }"],
        );
        check(&EXPAND_MACRO, &format!("{macros} fn f(a: &m!(dyn A + !B), c: m!(D)) {{}}"), &[]);
        check(&EXPAND_UNKNOWN_MACRO, &format!("{macros} fn f(a: m!(dyn A + B)) {{}}"), &[]);
        check(&EXPAND_UNKNOWN_MACRO, &format!("{macros} fn f() {{ n!(m!(1 2)); }}"), &[]);
        check(&EXPAND_UNKNOWN_MACRO, "macro_rules! m { (a) => {} } fn f(a: m!(b)) {}", &[]);
    }

    #[test]
    fn calls_in_other_macros_are_expanded() {
        check_position("macro_rules! n { () => { f(m!(1)) } }", &["macro_rules! n { () => { f(1) } }"]);
        check_position("fn f() { n!(m!(a; b), c); }", &["fn f() { n!({ a; b }, c); }"]);
        check_position("fn f() { n!(m!(a b), c); }", &["fn f() { n!(a b, c); }"]);
        check_position("macro_rules! n { ($a:tt) => { f(m!($a)) } }", &[]);
    }

    #[test]
    fn a_macro_that_imports_itself_goes_with_its_import() {
        check(
            &EXPAND_MACRO,
            "macro_rules! m { ($a:expr) => {{ use $crate::m; m($a) }} } fn f() { g(m!(1)) }",
            &["fn f() { g({ use crate::m; m(1) }) }"],
        );
        check(
            &EXPAND_MACRO_CALL,
            "macro_rules! m { () => { ; } } fn f() { let a = m!(); }",
            &["macro_rules! m { () => { ; } } fn f() { let a = { ; }; }"],
        );
    }
}
