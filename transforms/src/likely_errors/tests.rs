//! Tests each kind of likely error by deleting a part of a program.

use crate::{LikelyError, LikelyErrors, Source};

/// Checks the kinds of errors that `after` has and `before` has not.
#[track_caller]
fn check(before: &str, after: &str, expected: &[LikelyError]) {
    let errors = |text: &str| LikelyErrors::of(&Source::parse(text));
    let found: Vec<LikelyError> = errors(after).beyond(&errors(before)).into_iter().collect();
    assert_eq!(found, expected, "{after}");
}

/// Checks that deleting the first `part` of `text` leads to errors of these kinds.
#[track_caller]
fn without(text: &str, part: &str, expected: &[LikelyError]) {
    assert!(text.contains(part), "{part}");
    check(text, &text.replacen(part, "", 1), expected);
}

#[test]
fn what_is_named_has_to_be_there() {
    without("fn f() { g() } fn g() {}", "fn g() {}", &[LikelyError::Name]);
    without("fn f() { let a = 1; a + 1; }", "let a = 1;", &[LikelyError::Name]);
    without("fn f(a: u8) { a; }", "a: u8", &[LikelyError::Name]);
    without("fn f(a: A) {} struct A;", "struct A;", &[LikelyError::Name]);
    without("fn f<T>(a: T) {}", "<T>", &[LikelyError::Name]);
    without("impl A for u8 {} trait A {}", "trait A {}", &[LikelyError::Name]);
    without("use std::fmt; fn f(a: fmt::Error) {}", "use std::fmt;", &[LikelyError::Name]);
    without("mod a { pub struct B; } use a::B;", "mod a { pub struct B; }", &[LikelyError::Name]);
    without("mod a { pub struct B; } use a::B as C;", "pub struct B;", &[LikelyError::Name]);
    without("macro_rules! m { () => {} } fn f() { m!() }", "macro_rules! m { () => {} }", &[LikelyError::Name]);
    without("fn f() { let a = 1; println!(\"{a} {}\", 2); }", "let a = 1;", &[LikelyError::Name]);
    without("fn f<'a>(a: &'a u8) {}", "<'a>", &[LikelyError::Lifetime]);
    without("fn f() -> A { A::B } enum A { B, C }", ", C", &[]);
    without("fn f() -> A { A::B } enum A { B, C }", "B, ", &[LikelyError::Member]);
    without("fn f(a: A) { a.b; } struct A { b: u8 }", "b: u8", &[LikelyError::Field]);
    without("fn f(a: A) { a.b(); } impl A { fn b(&self) {} } struct A;", "fn b(&self) {}", &[LikelyError::Method]);
}

#[test]
fn a_name_is_looked_for_where_it_can_be() {
    let text = "fn f() { let a = 1; a; } fn g() { let a = 2; a; }";
    without(text, "let a = 2;", &[LikelyError::Name]);
    without("fn f() { let a = 1; { let a = 2; a; } }", "let a = 2;", &[]);
    without("fn f() { { let a = 1; } let a = 2; a; }", "let a = 2;", &[LikelyError::Name]);
    without("fn f() { let a = 1; a; let a = 2; }", "let a = 1;", &[LikelyError::Name]);
    without("fn f(a: u8) { let a = a; a; }", "let a = a;", &[]);
    without("fn f() { let a = 1; match 2 { 3 => a, a => a }; }", "let a = 1;", &[LikelyError::Name]);
    without("fn f() { let a = 1; if let 2 = 2 { a; } if let a = 2 { a; } }", "let a = 1;", &[LikelyError::Name]);
    without("fn f(a: u8) { fn g() { a; } }", "a: u8", &[]);
    without("trait A { fn f(&self); } fn g(a: &dyn for<'a> B<'a>) {}", "for<'a> ", &[LikelyError::Lifetime]);
    without("fn f() { 'a: loop { break 'a; } }", "break 'a;", &[]);
}

#[test]
fn what_the_compiler_knows_is_no_flaw() {
    check("fn f() -> u8 { g() }", "fn f() -> u8 { panic!() }", &[]);
    check("fn f(a: A) {} struct A;", "fn f(a: u8) {}", &[]);
    check("fn f() { Vec::<u8>::new(); }", "fn f() { String::new(); }", &[]);
    check("fn f(a: &str) { a.len(); }", "fn f(a: &'static str) { a.trim(); }", &[]);
}

#[test]
fn what_was_there_before_is_no_flaw() {
    check("fn f() { g(); a.b } fn g(c: u8) {}", "fn f() { g(); } fn g(c: u8) {}", &[]);
    check("made!(A); fn f(a: A) { a.g(); }", "fn f(a: A) {}", &[]);
}

#[test]
fn calls_fit_what_they_call() {
    without("fn f() { g(1, 2) } fn g(a: u8, b: u8) {}", ", 2", &[LikelyError::Arguments]);
    check("fn f() { g(1, 2) } fn g(a: u8, b: u8) {}", "fn f() { g(1) } fn g(a: u8) {}", &[]);
    without("fn f() { A(1, 2); } struct A(u8, u8);", ", u8", &[LikelyError::Arguments]);
    without("fn f(a: A) { a.g(1); } impl A { fn g(&self, a: u8) {} } struct A;", "1", &[LikelyError::Arguments]);
    without("fn f() { A::g(&a, 1); } impl A { fn g(&self, a: u8) {} } struct A;", ", 1", &[LikelyError::Arguments]);
    without("fn f(g: fn(u8)) { g(1) } fn g(a: u8) {}", "1", &[]);
    without("fn f() { A { a: 1, b: 2 }; } struct A { a: u8, b: u8 }", ", b: 2", &[LikelyError::Fields]);
    without("fn f() { A { a: 1, ..A::new() }; } struct A { a: u8, b: u8 }", "a: 1, ", &[]);
    without("struct A<T, U = u8>(T, U); struct B(A<u8, u8>);", ", u8", &[]);
    without("struct A<T>(T); struct B(A<u8>);", "<u8>", &[LikelyError::TypeArguments]);
}

#[test]
fn functions_have_their_value() {
    let value = [LikelyError::Value];
    without("fn f() -> u8 { let a = 1; a }", "a }", &[]);
    check("fn f() -> u8 { let a = 1; a }", "fn f() -> u8 { let a = 1; }", &value);
    check("fn f() -> u8 { g!(); 1 }", "fn f() -> u8 { g!(); }", &value);
    check("fn f() -> u8 { if a { 1 } else { 2 } }", "fn f() -> u8 { if a { 1 } }", &value);
    check("fn f() -> u8 { g(); 1 }", "fn f() -> u8 { }", &value);
    for body in ["loop {}", "panic!();", "return 1;", "std::process::exit(1);", "match a {};", "g!()", "g()"] {
        check("fn f() -> u8 { 1 }", &format!("fn f() -> u8 {{ {body} }}"), &[]);
    }
    check("fn f() { 1 }", "fn f() {}", &[]);
    check("fn f() -> () { 1 }", "fn f() -> () {}", &[]);
}

#[test]
fn branches_have_their_value() {
    let value = [LikelyError::Value];
    without("fn f() -> u8 { if a() { 1 } else { 2 } }", "2", &value);
    without("fn f() { let b = if a() { 1 } else { 2 }; }", "1", &value);
    without("fn f() { g(match a() { 1 => { 2 } _ => 3 }); }", "2", &value);
    without("fn f() { let b: u8 = unsafe { g(); h() }; }", "h()", &value);
    without("fn f() { loop { let b = if a() { 1 } else { g(); continue }; } }", "g();", &[]);
    without("fn f() { let b = if a() { 1 } else { g(); return; }; }", "g();", &[]);
    without("fn f() { if a() { g() } else { h() } }", "g()", &[]);
    without("fn f() { match a() { 1 => { g() } _ => h() } k(); }", "g()", &[]);
    without("fn f() { g(|| { h() }); }", "h()", &[]);
}

#[test]
fn types_are_whole() {
    without("struct A<T>(u8, T);", ", T", &[LikelyError::Unused]);
    without("struct A<'a>(u8, &'a u8);", ", &'a u8", &[LikelyError::Unused]);
    without("enum A<T> { B, C(T) }", ", C(T)", &[LikelyError::Unused]);
    without("struct A<const N: usize>(u8, [u8; N]);", ", [u8; N]", &[]);
    without("struct A<'a>(&'a u8, &'a u8);", "'a u8, ", &[LikelyError::Elided]);
    without("fn f(a: &u8) -> &u8 { a }", "a: &u8", &[LikelyError::Name, LikelyError::Elided]);
    check("fn f(a: &u8, b: B) -> &u8 { g() }", "fn f(b: B) -> &u8 { g() }", &[]);
}

#[test]
fn no_name_is_taken_twice() {
    check("mod a { fn f() {} } fn f() {}", "fn f() {} fn f() {}", &[LikelyError::Twice]);
    check("mod a { use b::C; } use b::C;", "use b::C; use b::C;", &[LikelyError::Twice]);
    check("mod a { struct A; } fn A() {}", "struct A; fn A() {}", &[]);
    check("use a::{self, B}; use c as d;", "use a::{self, B}; use c as d; use e::{self};", &[]);
}

#[test]
fn impls_agree_with_their_traits() {
    let text = "trait A { fn f(&self, a: u8); fn g() {} type B; } impl A for u8 { fn f(&self, a: u8) {} fn g() {} type B = u8; }";
    without(text, "fn f(&self, a: u8);", &[LikelyError::Impl]);
    without(text, "fn f(&self, a: u8) {}", &[LikelyError::Impl]);
    without(text, " type B = u8;", &[LikelyError::Impl]);
    without(text, ", a: u8", &[LikelyError::Impl]);
    without(text, " fn g() {} type B = u8;", &[LikelyError::Impl]);
    check(text, &text.replace("fn f(&self, a: u8)", "fn f(a: u8)"), &[]);
    check(text, &text.replace(" fn g() {} type B = u8;", " type B = u8;"), &[]);
    without("trait A { m!(); fn f(); } impl A for u8 { fn f() {} }", "fn f() {}", &[]);
}

#[test]
fn what_does_not_parse_has_none() {
    check("fn f() { g() } fn g() {}", "fn f() { g( }", &[]);
}
