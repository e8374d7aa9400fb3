//! Checks which mutants there are, and which are removed after compiler errors.

use super::schema::Schema;
use super::*;
use crate::syntax::Source;
use crate::{apply, tokens};

/// The program with each of its mutants.
fn mutated(text: &str) -> Vec<String> {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let mutants = Mutants::of(&tree, Mutable::Code, &|_| true);
    let schema = mutants.schema(false).text;
    assert_eq!(Source::parse(&*schema).understanding(), Understanding::Full, "{schema}");
    mutants.numbers().into_iter().filter_map(|number| Some(apply(text, &[mutants.change(number)?]))).collect()
}

#[test]
fn a_change_means_what_its_mutant_does() {
    let mutated = mutated("fn f(a: i32, b: i32, c: i32) -> i32 { a - b * c }");
    assert!(mutated.iter().any(|text| text.contains("a - (b + c)")), "{mutated:?}");
    assert!(!mutated.iter().any(|text| text.contains("a - b + c")), "{mutated:?}");
}

#[test]
fn a_change_leaves_out_what_stays() {
    let text = "fn f(a: i32, b: i32) -> bool { a.len() - 1 == b }";
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let mutants = Mutants::of(&tree, Mutable::Code, &|_| true);
    let edits =
        mutants.numbers().into_iter().filter_map(|number| mutants.change(number)).flat_map(|change| change.edits);
    let shown: Vec<(&str, String)> = edits.map(|edit| (text[edit.range].trim(), edit.text.trim().to_owned())).collect();
    for (gone, come) in [("==", "!="), ("- 1", ""), ("", ".trim()"), ("b", "a"), ("-", "+")] {
        assert!(shown.contains(&(gone, come.to_owned())), "{gone} {come} {shown:?}");
    }
}

#[track_caller]
fn has(text: &str, expected: &[&str]) {
    let mutated = mutated(text);
    let plain = |text: &str| tokens(text).into_iter().map(|token| &text[token.range]).collect::<String>();
    for one in expected {
        assert!(mutated.iter().any(|text| plain(text) == plain(one)), "no {one} in {mutated:#?}");
    }
}

#[test]
fn operators_operands_and_methods_change() {
    has(
        "fn f(a: u8, b: u8) -> bool { a < b && b > 1 }",
        &[
            "fn f(a: u8, b: u8) -> bool { a <= b && b > 1 }",
            "fn f(a: u8, b: u8) -> bool { a < b || b > 1 }",
            "fn f(a: u8, b: u8) -> bool { a < b && b > 2 }",
            "fn f(a: u8, b: u8) -> bool { a < b && a > 1 }",
            "fn f(a: u8, b: u8) -> bool { a < b }",
        ],
    );
    has("enum E { A, B, C(u8) } fn f() -> E { E::A }", &["enum E { A, B, C(u8) } fn f() -> E { E::B }"]);
    has("fn f() -> O { Ordering::Less }", &["fn f() -> O { Ordering::Greater }"]);
    has(
        "impl S { fn f(&mut self) { self.a = 1; } fn g(&mut self) { self.b = None; } }",
        &["impl S { fn f(&mut self) { {self.a = 1; self.b = None; }; } fn g(&mut self) { self.b = None; } }"],
    );
    has("fn f(s: &str) -> bool { s.contains('-') }", &["fn f(s: &str) -> bool { s.starts_with('-') }"]);
    has(
        "fn f(s: &mut u8, t: u8) { *s = t; }",
        &["fn f(s: &mut u8, t: u8) { *s -= t; }", "fn f(s: &mut u8, t: u8) { }"],
    );
    has("fn f(s: &[u8], i: usize) -> &[u8] { &s[i..] }", &["fn f(s: &[u8], i: usize) -> &[u8] { &s[i + 1..] }"]);
    has("fn f(a: u8, b: u8) -> u8 { g(a, b) }", &["fn f(a: u8, b: u8) -> u8 { g(b, a) }"]);
    has("fn f(a: u8, b: u8) -> u8 { let c = a; c }", &["fn f(a: u8, b: u8) -> u8 { let c = b; c }"]);
    has("fn f(e: i16) -> i16 { g(e) }", &["fn f(e: i16) -> i16 { g(-e) }"]);
    has("fn f(a: u8) -> u8 { if a > 1 { return 1; } 2 }", &["fn f(a: u8) -> u8 { if a > 1 { } 2 }"]);
}

#[test]
fn no_mutant_is_active_while_the_compiler_evaluates_a_function() {
    let source = Source::parse("const fn f(a: u8, b: u8) -> u8 { a - b } fn g(a: u8, b: u8) -> bool { a < b }");
    let tree = Tree::new(&source);
    let mut mutants = Mutants::of(&tree, Mutable::Code, &|_| true);
    let schema = mutants.schema(false).text;
    assert!(schema.contains("match crate::mcve_mutants::active_in_const()"), "{schema}");
    assert!(schema.contains("match crate::mcve_mutants::active()"), "{schema}");
    assert_eq!(Schema::features(&schema), Some("core_intrinsics,const_eval_select"));
    assert!(mutants.remove_const() && !mutants.remove_const() && !mutants.numbers().is_empty());
    assert_eq!(Schema::features(&mutants.schema(false).text), None);
}

#[test]
fn patterns_get_further_cases() {
    has(
        "fn f(a: E, b: u8) -> u8 { match (a, b) { (E::A, 1) if b > 0 => g(), _ => 0 } }",
        &[
            "fn f(a: E, b: u8) -> u8 { match (a, b) { (_, 1) if b > 0 => g(), _ => 0 } }",
            "fn f(a: E, b: u8) -> u8 { match (a, b) { (E::A, _) if b > 0 => g(), _ => 0 } }",
        ],
    );
    has(
        "fn f(a: u8, b: u8) -> u8 { match (a, b) { (b'a'..=b'e', 0..9) => g(), (_, 'b'..) => 0 } }",
        &[
            "fn f(a: u8, b: u8) -> u8 { match (a, b) { (b'a'..=b'f', 0..9) => g(), (_, 'b'..) => 0 } }",
            "fn f(a: u8, b: u8) -> u8 { match (a, b) { (b'`'..=b'e', 0..9) => g(), (_, 'b'..) => 0 } }",
            "fn f(a: u8, b: u8) -> u8 { match (a, b) { (b'a'..=b'e', 0..=9) => g(), (_, 'b'..) => 0 } }",
            "fn f(a: u8, b: u8) -> u8 { match (a, b) { (b'a'..=b'e', 0..9) => g(), (_, 'a'..) => 0 } }",
        ],
    );
    let text = "fn f(a: E) -> u8 { match a { E::A(1, C) if g() => 7, _ => 0 } }";
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let schema = Mutants::of(&tree, Mutable::Code, &|_| true).schema(false).text;
    let begin = "match a { E::A(_, C) if crate::mcve_mutants::is_active(1usize) && (g()) => 7, E::A(1, _) if";
    assert!(schema.contains(begin), "{schema}");
    assert!(
        !mutated("fn f(a: E) { match a { E::A(1) | E::B => g(), _ => {} } }").iter().any(|text| text.contains("A(_)"))
    );
}

#[test]
fn what_is_forgotten_is_added() {
    has(
        "fn f(s: &str) -> u8 { g(s) }",
        &["fn f(s: &str) -> u8 { g(s.trim()) }", "fn f(s: &str) -> u8 { g(s.to_lowercase().as_str()) }"],
    );
    has(
        "struct S { a: bool, b: u8 } impl S { fn f(&self, c: bool) { if self.b > 1 || c { g() } } }",
        &[
            "struct S { a: bool, b: u8 } impl S { fn f(&self, c: bool) { if (self.b > 1 || c) && self.a { g() } } }",
            "struct S { a: bool, b: u8 } impl S { fn f(&self, c: bool) { if (self.b > 1 || c) && !self.a { g() } } }",
        ],
    );
    has("fn f(a: u8, b: bool) { if a > 1 { g() } }", &["fn f(a: u8, b: bool) { if a > 1 || b { g() } }"]);
    has("fn f(mut a: u8) -> u8 { if a > 9 { a /= 10; } a }", &["fn f(mut a: u8) -> u8 { while a > 9 { a /= 10; } a }"]);
    has(
        "fn f(s: &str) -> bool { g().0 == s }",
        &[
            "fn f(s: &str) -> bool { g().0 == s.trim() }",
            "fn f(s: &str) -> bool { g().0.to_lowercase() == s.to_lowercase() }",
        ],
    );
    has(
        "fn f(a: u8) { let mut b = 0; match a { 1 => { g(); b = 1; } _ => h() } }",
        &["fn f(a: u8) { let mut b = 0; match a { 1 => { g(); b = 1; } _ => { h(); b = 1; } } }"],
    );
    has(
        "fn f() { let a = vec![g()]; }",
        &["fn f() { let a = { let mut sorted: Vec<_> = vec![g()]; sorted.sort(); sorted }; }"],
    );
    has("fn f(a: bool, b: bool) -> bool { a && b }", &["fn f(a: bool, b: bool) -> bool { a && !(b) }"]);
    has("fn f(a: u8) -> u8 { a + 2 * a }", &["fn f(a: u8) -> u8 { (a + 2) * a }"]);
    has("fn f() -> u8 { g(\"a,,B\") }", &["fn f() -> u8 { g(\"a,B\") }", "fn f() -> u8 { g(\"a,,b\") }"]);
}

#[test]
fn tests_and_what_the_compiler_computes_stay() {
    for text in [
        "fn main() { f(1 + 2); }",
        "#[test] fn t() { assert_eq!(1 + 2, 4); }",
        "const A: u8 = 1 + 2;",
        "fn f() -> [u8; 1 + 2] { [0; 1 + 2] }",
        "fn f(a: Option<u8>) { if let Some(_) = a {} }",
    ] {
        assert!(mutated(text).is_empty(), "{text}");
    }
}

/// The mutants of `text` that are left after `remove` with errors at each of these texts of its schema, one after the other.
fn left(text: &str, errors: &[&str]) -> Vec<String> {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let mut mutants = Mutants::of(&tree, Mutable::Code, &|_| true);
    for error in errors {
        let schema = mutants.schema(false);
        let at = schema.text.find(error).expect("it is there");
        let bytes = at..at + error.len();
        assert!(mutants.remove(&schema, std::slice::from_ref(&bytes), &[]), "{error}");
    }
    let numbers = mutants.numbers();
    let all: Vec<&Mutant> = mutants.sites.iter().flat_map(|site| &site.mutants).collect();
    let text = |number: usize| all.iter().find(|mutant| mutant.number == number).map(|mutant| mutant.text.clone());
    numbers.into_iter().filter_map(text).collect()
}

#[test]
fn what_does_not_compile_goes() {
    let text = "fn f(a: u8) -> u8 { a % 7 }";
    let all = left(text, &[]);
    assert!(all.contains(&"a * 7".to_owned()) && all.contains(&"8".to_owned()), "{all:?}");
    let but_one = left(text, &["a * 7"]);
    assert_eq!(but_one.len() + 1, all.len());
    assert!(!but_one.contains(&"a * 7".to_owned()));
    // Where the compiler means what is left of a site nothing can be in its place.
    let of_a = |texts: &[String]| texts.iter().any(|text| text == "-a");
    assert!(of_a(&all) && !of_a(&left(text, &["_ => "])));
}

#[test]
fn an_error_besides_all_mutants_takes_away_what_may_cause_it() {
    let text = "fn f(a: u8, b: u16) -> u8 { if a > 7 { return 1; } let c = 2; g(a); c } fn g(a: u8) { h(a + 1); }";
    let is_variable = |text: &String| text == "b";
    assert!(left(text, &[]).iter().any(is_variable));
    let (variables, of_f) = (left(text, &["let c"]), left(text, &["let c"; 4]));
    assert!(!variables.iter().any(is_variable) && variables.iter().any(String::is_empty), "{variables:?}");
    assert!(of_f.contains(&"a - 1".to_owned()) && !of_f.contains(&"a >= 7".to_owned()), "{of_f:?}");
}

#[test]
fn the_type_of_what_is_there_counts() {
    let source = Source::parse("fn f(a: u8) -> u8 { a + 1 }");
    let tree = Tree::new(&source);
    let mutants = Mutants::of(&tree, Mutable::Code, &|_| true);
    for (is_assigned, begin) in [(false, "({match"), (true, "({ let mcve;match")] {
        let text = mutants.schema(is_assigned).text;
        let (own, other) = (text.find("=> "), text.find("a - 1"));
        assert!(own < other, "{begin} {text}");
    }
}

#[test]
fn statements_can_be_switched_off() {
    let text =
        "fn main() { let a = f(); println!(); if a { g(); } for _ in 0..1 { h() } return; } const fn c() { g(); }";
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let deletions = Mutants::deletions(&tree);
    let texts = deletions.numbers().into_iter().filter_map(|number| deletions.site(number)).map(|site| &text[site]);
    assert_eq!(texts.collect::<Vec<_>>(), ["println!();", "if a { g(); }", "g();", "for _ in 0..1 { h() }"]);
    let schema = deletions.schema(false).text;
    assert_eq!(Source::parse(&*schema).understanding(), Understanding::Full, "{schema}");
    assert!(schema.contains("if !crate::mcve_mutants::is_active(1usize) { println!(); }"), "{schema}");
}

/// The statements of `text` that can still be switched off after errors at each of these texts of the schema, one after the other,
/// and for this reason.
#[track_caller]
fn check_switches(text: &str, errors: &[&str], reason: &str, expected: &[&str]) {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let mut deletions = Mutants::deletions(&tree);
    for error in errors {
        let schema = deletions.schema(false);
        let [error, reason] = [error, reason].map(|words| {
            let at = schema.text.find(words).expect("it is there");
            at..at + words.len()
        });
        assert!(deletions.remove(&schema, &[error], &[reason]));
    }
    let left = deletions.numbers().into_iter().filter_map(|number| deletions.site(number));
    assert_eq!(left.map(|site| &text[site]).collect::<Vec<_>>(), expected);
}

#[test]
fn a_variable_that_is_set_in_a_statement_needs_it() {
    let text = "fn f(c: bool) { let a; if c { a = 1; } else { a = 2; } g(); h(a); }";
    check_switches(text, &["let a"], "a = 2", &["if c { a = 1; } else { a = 2; }", "a = 1;", "g();", "h(a);"]);
}

#[test]
fn a_break_goes_before_the_other_statements_of_its_function() {
    let text = "fn f(s: String) { loop { if c() { d(s); break; } k(); } } fn o() { p(); }";
    let kept = ["if c() { d(s); break; }", "k();", "p();"];
    check_switches(text, &["d(s)"], "fn f", &["if c() { d(s); break; }", "break;", "k();", "p();"]);
    check_switches(text, &["d(s)", "String"], "fn f", &kept);
    check_switches(text, &["d(s)", "String", "String"], "fn f", &["p();"]);
}

#[test]
fn active_mutants_are_told_as_ranges() {
    assert_eq!(active_mutants(&[1, 3, 4, 5, 9, 10]), "1,3-5,9-10");
    assert_eq!(active_mutants(&[]), "");
}

#[test]
fn only_what_marks_a_test_is_left_alone() {
    let numbers = |text: &str| {
        let source = Source::parse(text);
        Mutants::of(&Tree::new(&source), Mutable::Code, &|_| true).numbers().len()
    };
    assert!(numbers("//! Tested.\n#![cfg_attr(not(test), no_std)]\n/// Its test.\nfn f(a: u8) -> bool { a < 3 }") > 0);
    assert_eq!(numbers("#[test]\nfn f() { assert!(1 < 3) }"), 0);
    assert_eq!(numbers("#[tokio::test]\nasync fn f() { g(1 < 3) }"), 0);
    assert_eq!(numbers("#[cfg(test)]\nmod tests { fn f(a: u8) -> bool { a < 3 } }"), 0);
}
