//! Checks the parts of a program that are kept because they run or because the compiler misses them.

use std::ops::Range;

use super::*;
use crate::testing::normal;
use crate::{Analysis, Source, Tree, apply, enumerate, named};

/// Checks the rest of `text`, whose placeholders do not run, by items and bodies, after complaints at each of these
/// places with these words.
/// The result is the same whether a body is a part or, as nothing may replace it, is not.
#[track_caller]
fn check_running(text: &str, rounds: &[&[(&str, &str)]], expected: &str) {
    check_running_by(&["items", "delete-use-leaf", "replace-body"], text, rounds, expected);
    check_running_by(&["items", "delete-use-leaf"], text, rounds, expected);
}

#[track_caller]
fn check_running_by(transforms: &[&str], text: &str, rounds: &[&[(&str, &str)]], expected: &str) {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let analysis = Analysis::of(&tree);
    let mut reductions: Vec<_> =
        transforms.iter().flat_map(|name| named(name)).flat_map(|transform| enumerate(&analysis, transform)).collect();
    reductions.sort_by_key(|reduction| (reduction.site.start, std::cmp::Reverse(reduction.site.end)));
    let sites: Vec<Range<usize>> = reductions.iter().map(|reduction| reduction.site.clone()).collect();
    let dependencies = Dependencies::of(&Analysis::of(&tree), &sites);
    let mut mending = dependencies.running(None).into_iter().next().expect("something runs");
    for round in rounds {
        let complaint = |(place, words): &(&str, &str)| Complaint {
            byte: text.find(place).expect("it is there"),
            words: words.split(' ').map(str::to_owned).collect(),
        };
        let complaints: Vec<Complaint> = round.iter().map(complaint).collect();
        assert!(dependencies.mend(&mut mending, &complaints), "{round:?}");
    }
    let gone = (0..sites.len()).filter(|part| !mending.kept.contains(part)).map(|part| &reductions[part]);
    assert_eq!(normal(&apply(text, gone)), normal(expected));
}

#[test]
fn what_runs_stays_with_what_it_names() {
    let text = "struct S; struct T; impl S { fn m(&self) { k() } fn n(&self) { loop {} } } fn k() { 1; } fn l() { loop {} } fn main() { S.m() }";
    check_running(text, &[], "struct S; impl S { fn m(&self) { k() } } fn k() { 1; } fn main() { S.m() }");
}

/// The items that can be deleted.
fn items(analysis: &Analysis<'_>) -> Vec<Range<usize>> {
    let deletions = named("items").into_iter().flat_map(|transform| enumerate(analysis, transform));
    deletions.map(|deletion| deletion.site).collect()
}

#[test]
fn a_macro_call_that_names_the_test_stays() {
    let text =
        "macro_rules! t { ($n:ident) => { #[test] fn $n() { f() } } } t!(a); t!(b); fn f() { 1; } fn g() { loop {} }";
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let analysis = Analysis::of(&tree);
    let sites = items(&analysis);
    let runs = Dependencies::of(&analysis, &sites).running(Some("b")).into_iter().next().expect("something runs");
    let kept: Vec<&str> = runs.kept.iter().map(|&part| &text[sites[part].clone()]).collect();
    let definition = &text[..text.find(" t!(a)").expect("it is there")];
    assert_eq!(kept, [definition, "#[test] fn $n() { f() }", "t!(b);", "fn f() { 1; }"]);
}

#[test]
fn functions_in_a_macro_call_go_if_they_do_not_run() {
    let rules = "macro_rules! tests { ($($i:item)*) => { $(#[test] $i)* } }";
    let text = format!(
        "{rules} struct A; tests! {{ fn a() {{ g() }} fn b(x: A) {{}} fn c() -> A {{ loop {{}} }} }} fn g() {{ 1; }}"
    );
    check_running(&text, &[], &format!("{rules} tests! {{ fn a() {{ g() }} }} fn g() {{ 1; }}"));
}

#[test]
fn what_a_macro_makes_in_an_impl_stays_with_it() {
    let text = "macro_rules! m { () => { fn a(&self) {} } } trait T { fn a(&self); fn b(&self) { 1; } } struct S; impl T for S { m!(); } fn f() { loop {} } fn main() { S.b() }";
    let kept = "macro_rules! m { () => { fn a(&self) {} } } trait T { fn a(&self); } struct S; impl T for S { m!(); } fn main() { S.b() }";
    check_running(text, &[&[("S.b()", "b S T")]], kept);
}

#[test]
fn a_function_that_a_run_did_not_reach_goes() {
    let text = "struct S; impl S { fn m(&self) { k() } } fn k() { 1; } fn main() { 2; }";
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let analysis = Analysis::of(&tree);
    let sites = items(&analysis);
    let mut dependencies = Dependencies::of(&analysis, &sites);
    let block = |inside: &str| text.find(inside).map(|start| start..start + inside.len()).expect("it is there");
    dependencies.note_not_reached(&[block(" k() "), block(" 1; ")]);
    let runs = dependencies.running(None).into_iter().next().expect("something runs");
    let kept: Vec<&str> = runs.kept.iter().map(|&part| &text[sites[part].clone()]).collect();
    assert_eq!(kept, ["fn main() { 2; }"]);
}

#[test]
fn a_compiler_says_which_impls_are_missing() {
    let text = "struct S; impl Clone for S { fn clone(&self) -> S { loop {} } } impl Drop for S { fn drop(&mut self) {} } fn main() { S.clone(); }";
    let left = "struct S; impl Clone for S { fn clone(&self) -> S { loop {} } } fn main() { S.clone(); }";
    check_running(text, &[], "struct S; fn main() { S.clone(); }");
    check_running(text, &[&[("S.clone", "clone S Clone")]], left);
}

#[test]
fn a_macro_call_is_tried_where_nothing_else_is_meant() {
    let text = "struct S; macro_rules! a { ($t:ty) => { impl From<$t> for S { fn from(_: $t) -> S { loop {} } } } } a!(u8); a!(u16); fn main() { let s: S = 1u8.into(); }";
    let left = "struct S; macro_rules! a { ($t:ty) => { impl From<$t> for S { fn from(_: $t) -> S { loop {} } } } } a!(u8); fn main() { let s: S = 1u8.into(); }";
    check_running(text, &[&[("1u8", "S From u8")]], left);
}

#[test]
fn a_macro_call_is_meant_where_its_macro_declares_the_name() {
    let text = "macro_rules! a { ($($n:ident)*) => { enum E { $($n),* } } } macro_rules! b { () => { struct F; } } a!(X Y); b!(); fn f() -> E { 1; loop {} } fn main() { f; }";
    let left = "macro_rules! a { ($($n:ident)*) => { enum E { $($n),* } } } a!(X Y); fn f() -> E { 1; loop {} } fn main() { f; }";
    check_running(text, &[&[("E { 1;", "E")]], left);
}

#[test]
fn a_method_that_does_not_run_goes_where_it_is_not_missed() {
    let text = "struct S; impl S { fn f() -> S { loop {} } } impl Clone for S { fn clone(&self) -> S { loop {} } } fn g() { S::f(); loop {} } fn main() { g() }";
    check_running(text, &[], "struct S; impl S {} fn g() { S::f(); loop {} } fn main() { g() }");
    let missed = "struct S; impl S { fn f() -> S { loop {} } } fn g() { S::f(); loop {} } fn main() { g() }";
    check_running(text, &[&[("f(); loop", "f S")]], missed);
    check_running(text, &[&[("f(); loop", "f Clone S")]], text);
}

#[test]
fn a_function_that_what_runs_names_stays() {
    let text = "struct S; fn f() -> S { loop {} } fn h() { loop {} } fn main() { f; }";
    check_running(text, &[], "struct S; fn f() -> S { loop {} } fn main() { f; }");
}

#[test]
fn the_trait_of_an_impl_has_its_own_name() {
    let text = "use std::fmt::Display as Show; struct S; impl Show for S {} fn main() { S; }";
    check_running(text, &[&[("S; }", "Display S")]], text);
}

#[test]
fn a_glob_is_tried_where_nothing_else_is_meant() {
    let text = "use core::ops::*; use core::cmp; struct S; fn f<T: Add>(t: T) { t; } fn main() { f(S) }";
    let left = "use core::ops::*; struct S; fn f<T: Add>(t: T) { t; } fn main() { f(S) }";
    check_running(text, &[&[("Add", "Add")]], left);
}

#[test]
fn an_import_that_was_given_up_comes_back_whole_and_where_it_is_known() {
    let text = "extern crate alloc; mod m { use alloc::{fmt, string::String}; pub fn f() -> String { loop {} } } use alloc::{fmt, string::String}; fn g() -> String { 1; loop {} } fn main() { g; 1; }";
    let left = "extern crate alloc; use alloc::{string::String}; fn g() -> String { 1; loop {} } fn main() { g; 1; }";
    let root = "alloc::{fmt, string::String}; fn";
    let rounds: [&[_]; 2] = [&[(root, "fmt")], &[("String { 1; loop {} } fn main", "String")]];
    check_running(text, &rounds, left);
}

#[test]
fn an_import_is_not_given_up_where_what_it_brings_is_missed() {
    let text = "macro_rules! m { ($($t:tt)*) => {} } mod a { m!(struct S;); pub fn k() {} } use a::S; fn f(s: S) { 1; } fn main() { f(1) }";
    check_running(
        text,
        &[&[("a::S", "S")]],
        "macro_rules! m { ($($t:tt)*) => {} } mod a { m!(struct S;); } use a::S; fn f(s: S) { 1; } fn main() { f(1) }",
    );
}

#[test]
fn a_macro_call_that_was_given_up_comes_back_if_nothing_else_is_meant() {
    let text = "macro_rules! m { ($($t:tt)*) => {} } trait Add {} struct B; impl B { fn base(&self) {} } m!(Add B); fn f<T: Add>(t: T) { 1; } fn main() { f(B) }";
    let gone: &[(&str, &str)] = &[("m!(", "base B")];
    check_running(text, &[&[("f(B)", "Add B")], gone], text);
}

#[test]
fn a_method_may_be_one_of_a_trait_that_the_complaint_does_not_name() {
    let text = "trait Len { fn len(&self); } struct B; struct C; impl Len for B { fn len(&self) {} } impl Len for C { fn len(&self) {} } fn main() { m!(B, C) }";
    let kept =
        "trait Len { fn len(&self); } struct B; struct C; impl Len for B { fn len(&self) {} } fn main() { m!(B, C) }";
    check_running(text, &[&[("m!(B", "len B")]], kept);
}
