//! `mcve generalise`: the parts of a failing program that may be any of their kind.

use mcve::cli::exit::Exit;
use mcve_testing::TestFolder;

/// Two literals of which one has to stay, and a type.
const PROGRAM: &str = "fn f() {\n    let a: u8 = 7;\n    let b = 9;\n    g(a, b)\n}\n";

fn place() -> TestFolder {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    place.write("x.rs", PROGRAM);
    place
}

#[test]
fn irrelevant_parts_are_marked() {
    let place = place();
    let said =
        place.run(&["generalise", "x.rs", "--test", "grep -q 'let a: .* = 7;' $1 && grep -q 'g(' $1"], Exit::Done);
    let expected = [
        "1 | fn f() {",
        "2 |     let a: u8 = 7;",
        "  |            ^^ any type (14 of 14 tried)",
        "3 |     let b = 9;",
        "  |         ^ any pattern (5 of 5 tried)",
        "  |             ^ any expression of its type (6 of 6 tried)",
        "4 |     g(a, b)",
        "  |       ^ any expression of its type (6 of 6 tried)",
        "  |          ^ any expression of its type (6 of 6 tried)",
        "5 | }",
    ];
    assert_eq!(said.stdout.lines().collect::<Vec<_>>(), expected);
    assert!(said.stderr.contains("parts    5 may be any of their kind"), "{}", said.stderr);
    assert_eq!(place.read("x.rs"), PROGRAM);
}

#[test]
fn parts_that_need_each_other_are_not_irrelevant_together() {
    let test =
        "grep -q '= 7' $1 || grep -q '= 9' $1 && grep -q 'let a: u8' $1 && grep -q 'let b' $1 && grep -q 'g(a, b)' $1";
    let said = place().run(&["generalise", "x.rs", "--message-format", "json", "--test", test], Exit::Done);
    let last = said.last_event();
    assert_eq!((&last["event"], &last["ending"]), (&"generalised".into(), &"complete".into()));
    let parts = last["parts"].as_array().expect("it is a list");
    let of = |text: &str| parts.iter().find(|part| part["text"] == text).map(|part| part["together"] == true);
    assert_eq!([of("7"), of("9")], [Some(true), Some(false)], "{parts:?}");
}

/// Only a type that can be added to a pointer crashes rustc.
#[test]
fn a_crash_needs_what_is_not_marked() {
    let place = place();
    let crash =
        "#![crate_type = \"lib\"]\nfn f<T>() where *const T: std::ops::Add<usize> {\n    0 as *const T + 3;\n}\n";
    place.write("crash.rs", crash);
    let said = place.run(&["generalise", "crash.rs"], Exit::Done);
    assert!(said.stdout.contains("^^^^^ any integer type"), "{}", said.stdout);
    assert!(said.stdout.contains("^ any integer (7 of 7 tried)"), "{}", said.stdout);
    assert!(!said.stdout.contains("any expression") && !said.stdout.contains("any type"), "{}", said.stdout);
}

#[test]
fn what_does_not_fail_or_is_not_rust_is_refused() {
    let place = place();
    place.write("x.txt", "text");
    let said = place.run(&["generalise", "x.rs", "--test", "false"], Exit::NotFailing);
    assert!(said.stdout.is_empty());
    let said = place.run(&["generalise", "x.txt", "--test", "true"], Exit::Input);
    assert!(said.stderr.contains("x.txt is not a single file of Rust"), "{}", said.stderr);
}
