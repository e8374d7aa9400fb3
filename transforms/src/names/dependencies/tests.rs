//! Checks which parts of a program stay for some of its parts.

use super::*;
use crate::testing::normal;
use crate::{Analysis, Source, Tree, apply, enumerate, named};

/// Checks what is left of `text` if the items named `roots` are to stay, layout aside.
#[track_caller]
fn check(text: &str, roots: &[&str], expected: &str) {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let transforms = named("items").into_iter().chain(named("delete-use-leaf"));
    let mut deletions: Vec<_> = transforms.flat_map(|transform| enumerate(&names, transform)).collect();
    deletions.sort_by_key(|deletion| (deletion.site.start, std::cmp::Reverse(deletion.site.end)));
    let sites: Vec<_> = deletions.iter().map(|deletion| deletion.site.clone()).collect();
    let dependencies = Dependencies::of(&Analysis::of(&tree), &sites);
    let is_root = |part: &usize| dependencies.parts[*part].names.iter().any(|name| roots.contains(name));
    let roots: Vec<usize> = (0..sites.len()).filter(is_root).collect();
    let kept = dependencies.closure(&roots);
    let gone = (0..sites.len()).filter(|part| !kept.contains(part)).map(|part| &deletions[part]);
    assert_eq!(normal(&apply(text, gone)), normal(expected));
}

/// Checks the slices of `text` by items and bodies, each by what is left.
#[track_caller]
fn check_slices(text: &str, bytes: &[usize], names: &[&str], expected: &[&str]) {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let analysis = Analysis::of(&tree);
    let transforms = ["items", "delete-use-leaf", "replace-body"].into_iter().flat_map(named);
    let mut reductions: Vec<_> = transforms.flat_map(|transform| enumerate(&analysis, transform)).collect();
    reductions.sort_by_key(|reduction| (reduction.site.start, std::cmp::Reverse(reduction.site.end)));
    let sites: Vec<Range<usize>> = reductions.iter().map(|reduction| reduction.site.clone()).collect();
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let slices = Dependencies::of(&Analysis::of(&tree), &sites).slices(bytes, &names);
    let left = |kept: &Vec<usize>| {
        let gone = reductions.iter().enumerate().filter(|(index, _)| !kept.contains(index));
        normal(&apply(text, gone.map(|(_, reduction)| reduction)))
    };
    let expected: Vec<String> = expected.iter().map(|text| normal(text)).collect();
    assert_eq!(slices.iter().map(left).collect::<Vec<_>>(), expected);
}

#[test]
fn slices_grow_by_the_bodies_of_what_they_need() {
    let text = "struct S; impl S { fn m(&self) { k() } } fn f(s: S) { g(s) } fn g(s: S) { s.m() } fn k() { l() } fn l() { z() } fn z() { f(S) } fn x() { f(S) }";
    let named = "struct S; fn f(s: S) { g(s) } fn g(s: S) {}";
    let first = "struct S; impl S { } fn f(s: S) { g(s) } fn g(s: S) {}";
    let second = "struct S; impl S { fn m(&self) {} } fn f(s: S) { g(s) } fn g(s: S) { s.m() }";
    let third = "struct S; impl S { fn m(&self) { k() } } fn f(s: S) { g(s) } fn g(s: S) { s.m() } fn k() {}";
    let last = "struct S; impl S { fn m(&self) { k() } } fn f(s: S) { g(s) } fn g(s: S) { s.m() } fn k() { l() } fn l() { z() } fn z() {}";
    check_slices(text, &[], &["f"], &[named, first, second, third, last]);
    check_slices(text, &[text.find("g(s)").expect("it is there")], &[], &[named, first, second, third, last]);
}

#[test]
fn main_stays_and_what_nobody_names_gives_no_slice() {
    check_slices(
        "fn main() { f() } fn f() {} fn g() {}",
        &[],
        &["g"],
        &["fn main() {} fn g() {}", "fn main() { f() } fn f() {} fn g() {}"],
    );
    check_slices("fn f() {} fn g() {}", &[], &["h"], &[]);
}

#[test]
fn what_is_mentioned_stays_and_what_that_mentions() {
    check("struct A; struct B(A); fn f(b: B) {} fn g(a: A) {}", &["f"], "struct A; struct B(A); fn f(b: B) {}");
    check("fn f() { g() } fn g() { f() } fn h() { f() }", &["g"], "fn f() { g() } fn g() { f() }");
}

#[test]
fn an_impl_stays_where_all_that_its_head_names_does() {
    let text = "struct S; struct R; trait T {} impl T for S {} impl T for R {} impl S {} fn f(s: S) {}";
    check(text, &["f"], "struct S; impl S {} fn f(s: S) {}");
    check(text, &["f", "T"], "struct S; trait T {} impl T for S {} impl S {} fn f(s: S) {}");
}

#[test]
fn associated_items_stay_where_their_name_is_mentioned() {
    let text = "struct S; struct R; impl S { fn a() {} fn b() {} } impl R { fn a() {} } fn f() { S::a() }";
    check(text, &["f"], "struct S; impl S { fn a() {} } fn f() { S::a() }");
    let text = "trait T { fn a(); fn b(); } impl T for u8 { fn a() {} fn b() {} } fn f(t: impl T) { T::a() }";
    check(text, &["f"], "trait T { fn a(); } impl T for u8 { fn a() {} } fn f(t: impl T) { T::a() }");
}

#[test]
fn an_impl_needs_its_bounds_but_does_not_wait_for_them() {
    let text = "trait T {} trait B {} struct S; impl<A: B> T for A where S: B {} fn f(t: impl T) {} fn g() {}";
    check(text, &["f"], "trait T {} trait B {} struct S; impl<A: B> T for A where S: B {} fn f(t: impl T) {}");
}

#[test]
fn an_item_of_an_impl_needs_that_of_the_trait() {
    let text = "trait T { type A; type B; } impl T for u8 { type A = u8; type B = u8; }";
    check(text, &["A"], "trait T { type A; } impl T for u8 { type A = u8; }");
}

#[test]
fn an_impl_of_another_crates_trait_stays_whole() {
    let text = "struct S; impl Drop for S { fn drop(&mut self) { g() } } fn g() {} fn h() {}";
    check(text, &["S"], "struct S; impl Drop for S { fn drop(&mut self) { g() } } fn g() {}");
}

#[test]
fn imports_stay_where_what_they_import_does() {
    let text = "mod m { pub struct A; pub struct B; } use m::{A, B}; mod n { use crate::m::B; pub fn f() {} }";
    check(text, &["A"], "mod m { pub struct A; } use m::{A};");
    check(text, &["f"], "mod n { pub fn f() {} }");
}

#[test]
fn an_import_in_the_way_to_what_is_mentioned_stays() {
    let text = "mod a { pub struct S; } mod p { pub use crate::a::S; } mod n { use crate::p::S; fn f(s: S) {} }";
    check(text, &["f"], text);
    let text = "mod a { pub struct S; } use a::S as R; fn f(r: R) {} fn g() {}";
    check(text, &["f"], "mod a { pub struct S; } use a::S as R; fn f(r: R) {}");
}

#[test]
fn a_name_means_what_its_module_has() {
    let text = "fn f() { g() } fn g() {} mod m { fn f() { g() } fn g() { h() } } mod n { fn g() {} }";
    let both = "fn f() { g() } fn g() {} mod m { fn f() { g() } fn g() { h() } }";
    check(text, &["f"], both);
    check("mod a { fn f() { S } struct S; } mod b { struct S; }", &["f"], "mod a { fn f() { S } struct S; }");
    let text =
        "trait T {} mod a { impl super::T for u8 {} fn f(t: impl super::T) {} } mod b { trait T {} impl T for u8 {} }";
    check(text, &["f"], "trait T {} mod a { impl super::T for u8 {} fn f(t: impl super::T) {} }");
}

#[test]
fn an_impl_waits_for_what_it_imports() {
    let text = "mod a { pub trait T {} } mod b { use crate::a::T; pub struct S; impl T for S {} } fn f(s: b::S) {}";
    check(text, &["f"], "mod b { pub struct S; } fn f(s: b::S) {}");
    check(text, &["f", "T"], text);
    let text = "mod a { pub struct S; } mod b { use crate::a::S as R; impl R {} } fn f(s: a::S) {}";
    check(text, &["f"], text);
}

#[test]
fn a_path_leads_into_its_module() {
    let text = "mod a { pub fn g() {} } mod b { pub fn g() {} } fn f() { b::g() } fn g() {}";
    check(text, &["f"], "mod b { pub fn g() {} } fn f() { b::g() }");
    let text = "mod a { pub struct S; } mod b { pub struct S; pub mod c { use super::S; fn f(s: S) {} } }";
    check(text, &["f"], "mod b { pub struct S; pub mod c { use super::S; fn f(s: S) {} } }");
    let text = "mod a { mod p { pub fn g() {} } pub use p::*; } mod b { pub fn g() {} } fn f() { a::g() }";
    check(text, &["f"], "mod a { mod p { pub fn g() {} } pub use p::*; } fn f() { a::g() }");
}

#[test]
fn names_come_through_globs_and_else_from_nowhere() {
    let text = "mod a { pub fn g() {} } mod b { pub fn g() {} } mod c { use super::b::*; fn f() { g() } }";
    check(text, &["f"], "mod b { pub fn g() {} } mod c { use super::b::*; fn f() { g() } }");
    check("mod a { fn drop() {} } mod b { fn f() { drop(1) } }", &["f"], "mod b { fn f() { drop(1) } }");
    let text = "enum E { A } mod a { fn g() {} } mod b { use super::E::*; fn f() { g() } }";
    check(text, &["f"], "mod a { fn g() {} } mod b { fn f() { g() } }");
}

#[test]
fn behind_a_dot_or_a_type_stands_what_belongs_to_one() {
    let text = "struct S; impl S { fn g(&self) {} fn h() {} } mod a { pub fn g() {} pub fn h() {} } fn f(s: S) { s.g(); S::h() }";
    check(text, &["f"], "struct S; impl S { fn g(&self) {} fn h() {} } fn f(s: S) { s.g(); S::h() }");
}

#[test]
fn the_standard_library_is_no_part_of_the_file() {
    check("use std::fmt; mod fmt { pub fn f() {} }", &[], "use std::fmt;");
}

#[test]
fn what_a_macro_call_makes_is_not_known() {
    let text = "macro_rules! m { () => {} } struct S; struct R; m!(S); fn f(s: S) {}";
    check(text, &["S"], "struct S;");
    check(text, &["S", "m"], "macro_rules! m { () => {} } struct S; m!(S);");
}

#[test]
fn a_name_that_only_a_macro_call_has_is_made_by_it() {
    let text = "macro_rules! m { ($a:ident) => { mod $a {} } } m!(a); use a::f; fn g() {} fn h() { f() }";
    check(text, &["h"], "macro_rules! m { ($a:ident) => { mod $a {} } } m!(a); use a::f; fn h() { f() }");
    check(text, &["g"], "fn g() {}");
}

#[test]
fn a_macro_is_meant_before_an_exclamation_mark_only() {
    let text = "macro_rules! a { () => {} } macro_rules! b { (b) => {} } fn f(a: u8) { b!(a) } fn g() { a!() }";
    check(text, &["f"], "macro_rules! b { (b) => {} } fn f(a: u8) { b!(a) }");
    check(text, &["g"], "macro_rules! a { () => {} } fn g() { a!() }");
}

#[test]
fn a_macros_rules_stay_whole() {
    let text = "macro_rules! m { () => { fn f() {} struct S; } } m!{} fn g() { f() }";
    check(text, &["g"], text);
}

#[test]
fn an_item_in_a_function_needs_the_function() {
    check("fn f() { fn g() {} } fn h() {}", &["g"], "fn f() { fn g() {} }");
}

#[test]
fn users_come_after_what_they_need() {
    let text = "fn a() { b() } struct S; fn b() { c() } impl S { fn f() {} } fn c() {}";
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let sites: Vec<_> = enumerate(&names, named("delete-item")[0]).into_iter().map(|item| item.site).collect();
    let dependencies = Dependencies::of(&Analysis::of(&tree), &sites);
    let texts: Vec<&str> = dependencies.needed_first().into_iter().map(|part| &text[sites[part].clone()]).collect();
    assert_eq!(texts, ["fn c() {}", "fn b() { c() }", "fn a() { b() }", "struct S;", "impl S { fn f() {} }"]);
}

#[test]
fn main_comes_first() {
    let text = "mod m { fn main() {} } fn f() {} fn main() { f() }";
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let sites: Vec<_> = enumerate(&names, named("delete-item")[0]).into_iter().map(|item| item.site).collect();
    let dependencies = Dependencies::of(&Analysis::of(&tree), &sites);
    assert_eq!(dependencies.main_first(), [3, 0, 1, 2]);
    assert_eq!(dependencies.needed_first()[0], 3);
}

#[test]
fn an_impl_that_is_no_root_can_be_left_out() {
    let text = "struct S; trait T {} impl T for S {}";
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let sites: Vec<_> = enumerate(&names, named("delete-item")[0]).into_iter().map(|item| item.site).collect();
    let dependencies = Dependencies::of(&Analysis::of(&tree), &sites);
    assert_eq!(dependencies.closure(&[0, 1]), [0, 1, 2]);
    assert_eq!(dependencies.needs(&[0, 1]), [0, 1]);
    assert_eq!(dependencies.needs(&[2]), [0, 1, 2]);
}

#[test]
fn without_roots_nothing_is_kept_that_has_a_name() {
    check("fn f() {} struct S; impl S { fn g() {} }", &[], "");
    check("", &[], "");
}

#[test]
fn a_private_glob_brings_names_to_the_modules_inside_only() {
    let text = "mod a { pub fn g() {} } mod b { use super::a::*; pub mod c { use super::*; fn f() { g() } } } mod d { use super::b::*; fn k() { g() } }";
    check(
        text,
        &["f"],
        "mod a { pub fn g() {} } mod b { use super::a::*; pub mod c { use super::*; fn f() { g() } } }",
    );
    check(text, &["k"], "mod d { fn k() { g() } }");
    let text = "mod a { pub fn g() {} } mod b { pub use super::a::*; pub fn h() {} } mod d { use super::b::*; fn k() { g(); h() } }";
    check(text, &["k"], text);
}

#[test]
fn a_name_that_many_modules_have_is_resolved_once_for_all_that_cannot_tell_which() {
    let modules = |count: usize| {
        let module = |number: usize| {
            let next = (number + 1) % count;
            format!(
                "pub mod m{number} {{ use crate::m{next}::R as Q; pub struct R; impl R {{ pub fn get(&self) {{ Q.get(); Q::get(&Q); R.get() }} }} }}\n"
            )
        };
        (0..count).map(module).collect::<String>()
    };
    let definitions = |count: usize| {
        let source = Source::parse(modules(count));
        let tree = Tree::new(&source);
        let names = Analysis::of(&tree);
        let sites: Vec<_> = names.items().all.iter().map(|item| item.node.range()).collect();
        Dependencies::of(&names, &sites).meanings.iter().map(|meaning| meaning.definitions.len()).sum::<usize>()
    };
    let (few, many) = (definitions(20), definitions(200));
    assert!(many <= 11 * few, "{few} {many}");
}

#[test]
fn an_import_from_a_crate_needs_its_declaration() {
    let text = "extern crate alloc; extern crate std; use alloc::vec::Vec; fn f(v: Vec<u8>) {} fn g() {}";
    check(text, &["f"], "extern crate alloc; use alloc::vec::Vec; fn f(v: Vec<u8>) {}");
}

#[test]
fn a_function_that_returns_an_opaque_type_keeps_its_body() {
    let text = "fn f() { g() } fn g() -> impl T { h() } fn h() { k() } fn k() {} trait T {} impl T for () {}";
    let first = "fn f() { g() } fn g() -> impl T { h() } fn h() {} trait T {}";
    let second = "fn f() { g() } fn g() -> impl T { h() } fn h() {} trait T {} impl T for () {}";
    check_slices(text, &[], &["f"], &[first, second, text]);
}

#[test]
fn a_long_chain_of_calls_is_followed_in_one_pass_with_few_slices() {
    let text: String = (0..200).map(|number| format!("fn f{number}() {{ f{}() }} ", number + 1)).collect();
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let names = Analysis::of(&tree);
    let transforms = ["items", "replace-body"].into_iter().flat_map(named);
    let mut sites: Vec<_> =
        transforms.flat_map(|transform| enumerate(&names, transform)).map(|reduction| reduction.site).collect();
    sites.sort_by_key(|site| (site.start, std::cmp::Reverse(site.end)));
    let slices = Dependencies::of(&names, &sites).slices(&[], &["f0".to_owned()]);
    // Two parts for each function, and the next function without its body.
    assert_eq!(slices.iter().map(Vec::len).collect::<Vec<_>>(), [3, 5, 7, 11, 19, 35, 67, 131, 259]);
}
