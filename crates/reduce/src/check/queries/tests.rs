//! What real programs tell when a real rustc compiles them with probes.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::check::limits::Limits;
use crate::exec::limits::Memory;
use crate::exec::process::Processes;
use crate::exec::programs;
use crate::oracle::headers::Headers;
use crate::oracle::rustc::Rustc;
use crate::oracle::script::{Script, ScriptOracle};

/// Checks what expressions of `text` are told to be by a check that compiles it with `args` and runs it.
#[track_caller]
fn check(args: &str, text: &str, expected: &[&str]) {
    let program = Program::new("a.rs", text);
    let compiler = programs::rustc(None, None).expect("the tests are compiled by one");
    let line = format!("'{}' {args} --crate-name=a \"$1\" && ./a", compiler.display());
    let oracle = ScriptOracle {
        script: Script::Inline(line.into()),
        shown: Vec::new(),
        bad: 0,
        env: Vec::new(),
        rustc: Some(Rustc::guess(compiler, &program, &Headers::default(), Path::new("/"))),
    };
    let processes = Processes::new(Memory::default(), None).expect("a temporary folder can be made");
    let mut checks =
        Checks::new(Arc::new(oracle), Arc::new(processes), 1, Limits::default()).expect("threads can be had");
    let values = values(&mut checks, &program).expect("nothing stops it");
    let words = |hint: &Hint| format!("{}: {}", &text[hint.site.clone()], hint.edits[0].text);
    assert_eq!(values.iter().map(words).collect::<Vec<_>>(), expected);
}

#[test]
fn a_run_tells_the_values_of_literal_types() {
    let text = r#"
        struct S { a: u64, b: &'static str, c: Option<i8>, d: Vec<u8> }
        fn main() {
            let s = S { a: 7, b: "x\n\"", c: Some(-1), d: vec![1] };
            assert!(s.a == 7 && s.c.is_some());
            drop((s.b, s.c, s.d, 1.5_f32 * 2., 'a'.to_ascii_uppercase(), "é".to_string(), s.a as u8));
        }"#;
    let expected = [
        "Some(-1): Some(-1)",
        "s.a == 7 && s.c.is_some(): true",
        "s.a == 7: true",
        "s.a: 7",
        "s.a: 7u64",
        "s.c.is_some(): true",
        r#"s.b: "x\n\"""#,
        "s.c: Some(-1)",
        "1.5_f32 * 2.: 3.0",
        "1.5_f32 * 2.: 3.0f32",
        "'a'.to_ascii_uppercase(): 'A'",
        r#""é".to_string(): "é".to_string()"#,
        "s.a as u8: 7",
        "s.a as u8: 7u8",
        "s.a: 7",
        "s.a: 7u64",
    ];
    check("--edition=2021", text, &expected);
}

#[test]
fn a_test_that_fails_tells_values_and_the_first_two_of_many() {
    let text = "fn f(n: i32) -> i32 { n + 1 } #[test] fn t() { for i in 0..9 { let a = f(i); assert!(a * 1 < 3); } }";
    let expected =
        ["n + 1: 1", "n + 1: 2", "f(i): 1", "f(i): 2", "a * 1 < 3: true", "a * 1 < 3: false", "a * 1: 1", "a * 1: 2"];
    check("--test", text, &expected);
}

#[test]
fn what_is_moved_or_lives_for_ever_has_no_probe() {
    let text = "#![forbid(unsafe_code, warnings)] struct S { a: String } fn id(a: &'static u8) -> &'static u8 { a }
        fn main() { let s = S { a: String::new() }; let t = s.a; let u = id(&(1 + 2)); let _ = (t.len(), *u); }";
    let expected =
        ["String::new(): \"\".to_string()", "id(&(1 + 2)): &3", "t.len(): 0", "t.len(): 0usize", "*u: 3", "*u: 3u8"];
    check("--edition=2018", text, &expected);
}

#[test]
fn what_is_not_compiled_or_not_run_tells_nothing() {
    check("", "fn main() { let a: u8 = b() + \"\"; }", &[]);
    check("--emit=metadata", "fn f() -> u8 { 1 } fn main() { let a = f() + 1; }", &[]);
}
