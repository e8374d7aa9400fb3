//! The options that a file has, too, given for a package.

use mcve::cli::exit::Exit;
use mcve_testing::brief;

use super::{LIBRARY, SUM, package, run};

/// Two errors of one code, an error of another one, and what warns.
const SEVERAL: &str = "pub fn one() -> u8 { \"first\" }\npub fn two() -> u16 { 'c' }\npub fn three() { let mut cell = 1; drop(cell); missing() }\n";

/// What `cargo mcve` with these arguments makes of a library with this text.
#[track_caller]
fn result(library: &str, args: &[&str]) -> String {
    let place = package(&[("src/lib.rs", library)]);
    run(&place, &[args, &["--runs", "1"], brief()].concat(), Exit::Done);
    place.read("walk_mcve.rs")
}

#[test]
fn a_warning_is_kept_where_cargo_passes() {
    let library = "pub fn other() -> u8 { 2 }\npub fn f() -> u8 {\n    let mut cell = other();\n    cell\n}\n";
    let place = package(&[("src/lib.rs", library)]);
    let said = run(&place, &["--lint", "unused_mut", "--runs", "1"], Exit::Done);
    assert!(said.stderr.contains("`cargo check` shows variable does not need to be mutable"), "{}", said.stderr);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("mut ") && !result.contains("other"), "{result}");
    // Nothing is compiled a second time: what the compiler said before is known.
    let said = run(&place, &["check", "--lint", "unused_mut", "--runs", "1"], Exit::Done);
    assert!(said.stderr.contains("warning unused_mut"), "{}", said.stderr);
    let said = run(&place, &["check", "--lint", "unused_variables"], Exit::NotFailing);
    let instead = "`cargo check` does not show what was asked for: unused_variables; it says:\n  warning unused_mut: ";
    assert!(said.stderr.contains(instead), "{}", said.stderr);
}

#[test]
fn a_lint_of_clippy_is_shown_by_clippy() {
    let library = "pub fn other() {}\npub fn f(n: u8) -> u8 {\n    other();\n    return n;\n}\n";
    let result = result(library, &["--lint", "clippy::needless_return"]);
    assert!(result.contains("return") && !result.contains("other"), "{result}");
}

#[test]
fn a_suggestion_is_wrong_in_a_package_too() {
    let library = "macro_rules! sum { ($first:expr $(, $rest:expr)*) => {{ let mut sum = $first; $(sum += $rest;)* sum }}; }\npub fn other() {}\npub fn one() -> u8 { sum!(1) }\npub fn two() -> u8 { sum!(1, 2) }\n";
    let result = result(library, &["--lint", "unused_mut", "--suggestion", "fails"]);
    assert!(result.contains("let mut") && result.contains('=') && !result.contains("other"), "{result}");
}

#[test]
fn one_error_of_several_is_kept_by_its_code_or_its_message() {
    let by_code = result(SEVERAL, &["--code", "E0425"]);
    assert!(by_code.contains("missing") && !by_code.contains("first"), "{by_code}");
    let by_message = result(SEVERAL, &["--message", "expected `u16`, found `char`"]);
    assert!(by_message.contains("u16") && !by_message.contains("first"), "{by_message}");
}

#[test]
fn one_error_of_several_is_kept_by_its_line() {
    let by_line = result(SEVERAL, &["--at", "src/lib.rs:2"]);
    assert!(by_line.contains("u16") && !by_line.contains("first"), "{by_line}");
    let place = package(&[("src/lib.rs", SEVERAL)]);
    let said = run(&place, &["check", "--at", "src/lib.rs:9"], Exit::NotFailing);
    assert!(said.stderr.contains("`cargo check` does not show anything about src/lib.rs:9"), "{}", said.stderr);
}

#[test]
fn a_line_is_that_of_cargo_also_below_what_a_build_script_made() {
    let build = "fn main() { let folder = std::env::var(\"OUT_DIR\").unwrap(); std::fs::write(folder + \"/made.rs\", \"pub fn a() {}\\n\\npub fn b() {}\\n\").unwrap(); }";
    let library = format!("include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));\n{SEVERAL}");
    let place = package(&[("src/lib.rs", &library), ("build.rs", build)]);
    run(&place, &[&["check", "--at", "src/lib.rs:3", "--runs", "1"], brief()].concat(), Exit::Done);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("u16") && !result.contains("first"), "{result}");
}

#[test]
fn the_crate_that_shows_it_is_taken_of_several_that_fail() {
    let place = package(&[
        ("src/lib.rs", "pub fn f() -> u8 { \"\" }\n"),
        ("part/Cargo.toml", "[package]\nname = \"part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("part/src/lib.rs", "pub fn f() -> u8 { g }\npub fn h() { i() }\n"),
    ]);
    let manifest = format!("{}members = [\"part\"]\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    let said =
        run(&place, &[&["--workspace", "--at", "part/src/lib.rs:2", "--runs", "1"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("package: part 0.1.0"), "{}", said.stderr);
    let result = place.read("part_mcve.rs");
    assert!(result.contains("i()") || result.contains("()") && !result.contains("u8"), "{result}");
}

#[test]
fn a_line_holds_of_the_crate_and_its_diagnostic_of_later_stages() {
    let place = package(&[
        (
            "src/lib.rs",
            "use part::Thing;\npub fn one() -> u8 { \"first\" }\npub fn two(thing: Thing) -> u16 { thing }\n",
        ),
        ("part/Cargo.toml", "[package]\nname = \"part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("part/src/lib.rs", "pub struct Thing;\npub struct Other;\n"),
    ]);
    let manifest = format!("{}[dependencies]\npart = {{ path = \"part\" }}\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    run(&place, &[&["check", "--at", "src/lib.rs:3", "--runs", "1"], brief()].concat(), Exit::Done);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("u16") && !result.contains("first") && !result.contains("Other"), "{result}");
}

#[test]
fn what_has_to_hold_besides_is_held() {
    let library = "pub fn other() {}\n#[cfg(not(fine))]\npub fn f() -> u8 { \"\" }\n";
    let kept = result(library, &["check", "--passes-with", "--cfg fine"]);
    assert!(kept.contains("cfg") && !kept.contains("other"), "{kept}");
    let place = package(&[("src/lib.rs", library)]);
    let said = run(&place, &["check", "--passes-with", "-O"], Exit::NotFailing);
    assert!(said.stderr.contains("the failure is there, and this does not hold"), "{}", said.stderr);
    run(&place, &["check", "--not", "code=E0308"], Exit::NotFailing);
    let kept = result(SEVERAL, &["check", "--code", "E0425", "--not", "code=E0599", "--fails-with", "2021"]);
    assert!(kept.contains("missing"), "{kept}");
}

#[test]
fn a_program_and_a_test_get_their_input() {
    let main = "use std::io::Read;\nfn other() {}\nfn main() {\n    other();\n    let mut text = String::new();\n    std::io::stdin().read_to_string(&mut text).unwrap();\n    assert_ne!(text.trim(), \"boom\");\n}\n";
    let place = package(&[("src/main.rs", main), ("in.txt", "boom\n")]);
    let said = run(&place, &["run"], Exit::NotFailing);
    assert!(said.stderr.contains("`cargo run` passed"), "{}", said.stderr);
    let said = run(&place, &[&["run", "--stdin", "in.txt", "--runs", "1"], brief()].concat(), Exit::Done);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("stdin()") && !result.contains("other"), "{result}");
    assert!(said.see_it().expect("it is shown").contains("in.txt"), "{}", said.stderr);
    let said = run(&place, &["run", "--stdin", "none.txt"], Exit::Input);
    assert!(said.stderr.contains("cannot read none.txt"), "{}", said.stderr);
    let said = run(&place, &["check", "--stdin", "in.txt"], Exit::Usage);
    assert!(said.stderr.contains("--stdin needs a program or a test"), "{}", said.stderr);

    let test = main.replace("fn main()", "#[test]\nfn reads()");
    let place = package(&[("src/lib.rs", &test), ("in.txt", "boom\n")]);
    let said = run(&place, &[&["test", "--stdin", "in.txt", "--runs", "1"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("the test `reads` fails"), "{}", said.stderr);
}

#[test]
fn a_program_that_prints_something_need_not_fail() {
    let main = "fn other() {}\nfn main() {\n    other();\n    println!(\"sum: {}\", 1 + 2);\n}\n";
    let place = package(&[("src/main.rs", main)]);
    run(&place, &[&["run", "--prints", "sum: 3", "--runs", "1"], brief()].concat(), Exit::Done);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("sum: ") && !result.contains("other"), "{result}");
}

#[test]
fn errors_that_the_input_does_not_have_may_be_allowed() {
    // Without the function that it calls there is another error.
    let library = "pub fn f() -> u8 {\n    helper();\n    \"\"\n}\nfn helper() {}\n";
    let place = package(&[("src/lib.rs", library)]);
    let args = ["check", "--allow-errors", "--runs", "2", "--timeout", "60s", "--memory", "8G", "--match", "code"];
    run(&place, &args, Exit::Done);
    let result = place.read("walk_mcve.rs");
    assert!(!result.contains("fn helper"), "{result}");
}

#[test]
fn how_much_is_kept_is_of_what_the_compiler_says() {
    let place = package(&[("src/lib.rs", LIBRARY), ("src/sum.rs", SUM)]);
    let said = run(&place, &["test", "one_cell", "--match", "code"], Exit::Usage);
    assert!(said.stderr.contains("--match is about what the compiler says"), "{}", said.stderr);
    for (args, words) in [
        (&["--tool", "miri"][..], "--tool is for a file"),
        (&["run", "--hang", "1s"], "--hang is for a file"),
        (&["check", "--prints", "x"], "need the program of `cargo mcve run`"),
        (&["check", "--only", "nothing"], "nothing"),
    ] {
        let said = run(&place, args, Exit::Usage);
        assert!(said.stderr.contains(words), "{}", said.stderr);
    }
}
