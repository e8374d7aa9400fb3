use super::*;
use crate::syntax::source::Source;
use crate::{apply, tokens};

/// The program with each of its mutants.
fn mutated(text: &str) -> Vec<String> {
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let mutants = Mutants::of(&tree, &|_| true);
    let schema = mutants.schema().text;
    assert_eq!(Source::parse(&*schema).understanding(), Understanding::Full, "{schema}");
    mutants.numbers().into_iter().filter_map(|number| Some(apply(text, &[mutants.change(number)?]))).collect()
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
    has("fn f(s: &str) -> bool { s.contains('-') }", &["fn f(s: &str) -> bool { s.starts_with('-') }"]);
    has(
        "fn f(s: &mut u8, t: u8) { *s = t; }",
        &["fn f(s: &mut u8, t: u8) { *s -= t; }", "fn f(s: &mut u8, t: u8) { }"],
    );
    has("fn f(s: &[u8], i: usize) -> &[u8] { &s[i..] }", &["fn f(s: &[u8], i: usize) -> &[u8] { &s[i + 1..] }"]);
    has("fn f(e: i16) -> i16 { g(e) }", &["fn f(e: i16) -> i16 { g(-e) }"]);
    has("fn f(a: u8) -> u8 { if a > 1 { return 1; } 2 }", &["fn f(a: u8) -> u8 { if a > 1 { } 2 }"]);
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

#[test]
fn what_does_not_compile_goes() {
    let text = "fn f(a: u8) -> u8 { a + 1 }";
    let source = Source::parse(text);
    let tree = Tree::new(&source);
    let mut mutants = Mutants::of(&tree, &|_| true);
    let (schema, before) = (mutants.schema(), mutants.numbers());
    let at = schema.text.find("a - 1").expect("it is a mutant");
    assert!(mutants.remove(&schema, std::slice::from_ref(&(at..at + 1)), false));
    assert_eq!(mutants.numbers().len() + 1, before.len());
    let at = schema.text.find("_ => ").expect("it is what is left");
    assert!(mutants.remove(&schema, std::slice::from_ref(&(at..at + 1)), false));
    assert!(!mutants.remove(&schema, std::slice::from_ref(&(0..1)), false));
}
