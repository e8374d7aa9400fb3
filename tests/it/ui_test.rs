//! `--as-ui-test`: results are written as tests of rustc's suite, and show the same where mcve and rustc read them again.

use std::process::Command;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief, names};

fn place(files: &[(&str, &str)]) -> TestFolder {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    files.iter().for_each(|(path, text)| drop(place.write(path, text)));
    place
}

/// The failure that a run says.
#[track_caller]
fn failure(said: &Said) -> &str {
    let line = said.stderr.lines().find_map(|line| line.strip_prefix("failure: "));
    line.unwrap_or_else(|| panic!("a failure is told: {}", said.stderr))
}

/// Reduces `a.rs` a little to a test, and checks it as [`reduce_to_the_end`] does.
#[track_caller]
fn reduce(place: &TestFolder, args: &[&str]) -> String {
    reduce_to_the_end(place, &[brief(), args].concat())
}

/// Reduces `a.rs` to a test, and checks that mcve sees the same failure in it with the same options. Returns the test.
#[track_caller]
fn reduce_to_the_end(place: &TestFolder, args: &[&str]) -> String {
    let first = place.run(&[&["a.rs", "--as-ui-test"], args].concat(), Exit::Done);
    let folder = place.path("a_mcve");
    let path = if folder.exists() { "a_mcve/a.rs" } else { "a_mcve.rs" };
    let again = place.run(&[&[path, "-o", "again.rs"], args].concat(), Exit::Done);
    assert_eq!(failure(&first), failure(&again));
    place.read(path)
}

#[test]
fn an_error_is_annotated_on_its_line() {
    let place = place(&[("a.rs", "fn helper(x: u8) -> u8 { x }\nfn main() { let x: u8 = \"\"; helper(x); }\n")]);
    let test = reduce(&place, &[]);
    assert!(test.starts_with("//@ edition: 2024\n"), "{test}");
    let annotated = test.lines().find(|line| line.contains("//~")).expect("there is one");
    assert!(annotated.ends_with(" //~ ERROR mismatched types [E0308]"), "{test}");
    // Nothing is expected of code, and nothing of what may be unused.
    assert!(!test.contains("-fail") && !test.contains("WARN"), "{test}");
}

#[test]
fn errors_of_one_line_follow_each_other_and_lines_in_strings_are_counted() {
    let text = "fn main() { let a: u8 = \"x\ny\"; let b: u8 = \"z\"; let c: u8 = \"w\"; }\n";
    let place = place(&[("a.rs", text)]);
    // The second run would take away what the first has kept.
    let args = ["--only", "delete-comment"];
    let test = reduce_to_the_end(&place, &args);
    let annotations: Vec<&str> = test.lines().filter(|line| line.contains("//~")).collect();
    assert_eq!(annotations.len(), 3, "{test}");
    for annotation in &annotations {
        assert!(annotation.ends_with("ERROR mismatched types [E0308]"), "{test}");
    }
    check_annotations(&test);
}

/// Checks that each annotation is for a line that rustc has an error on, and each error has one.
#[track_caller]
fn check_annotations(test: &str) {
    let place = place(&[("t.rs", test)]);
    let mut rustc: Command = place.command("rustc");
    rustc.args(["--edition=2024", "--crate-type=lib", "--emit=metadata", "--error-format=json", "t.rs"]);
    let said = Said::by(&mut rustc);
    let errors = said.stderr.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let errors = errors.filter(|said| said["level"] == "error" && !said["spans"].as_array().is_none_or(Vec::is_empty));
    let mut lines: Vec<usize> = errors
        .map(|said| said["spans"][0]["line_start"].as_u64().expect("it is a number").try_into().expect("it is small"))
        .collect();
    let (mut annotated, mut last) = (Vec::new(), 0);
    for (number, line) in (1..).zip(test.lines()) {
        let Some((_, mark)) = line.split_once("//~") else { continue };
        let up = mark.chars().take_while(|c| *c == '^').count();
        last = if mark.starts_with('|') { last } else { number - up };
        annotated.push(last);
    }
    lines.sort_unstable();
    annotated.sort_unstable();
    assert_eq!(annotated, lines, "{test}");
}

#[test]
fn a_lint_is_annotated_whether_it_is_denied_or_not() {
    let place = place(&[(
        "a.rs",
        "#![warn(non_camel_case_types)]\npub fn helper() -> u8 { 1 }\npub struct bad_name;\nfn main() { helper(); }\n",
    )]);
    let test = reduce(&place, &["--lint", "non_camel_case_types"]);
    assert!(test.contains("//@ check-pass\n"), "{test}");
    assert!(
        test.contains("WARN type `bad_name` should have an upper camel case name") || test.contains("WARN type"),
        "{test}"
    );
    assert!(test.contains("[non_camel_case_types]"), "{test}");
}

#[test]
fn a_lint_that_the_suite_allows_gets_its_level() {
    let text = "#![deny(unused)]\nfn main() { let mut v = vec![1]; let w = 2; println!(\"{v:?}\"); unneeded(); }\nfn unneeded() { std::fs::read(\"x\"); }\nfn never() {}\n";
    for lint in ["unused_mut", "unused_variables", "dead_code", "unused_must_use"] {
        let place = place(&[("a.rs", text)]);
        let said = place.run(&["a.rs", "--as-ui-test", "--lint", lint], Exit::Done);
        assert!(!said.stderr.contains("is no test"), "{}", said.stderr);
        let test = place.read("a_mcve.rs");
        assert!(test.contains(&format!("#![warn({lint})]\n")), "{test}");
        // As the suite calls it, rustc says what is annotated and nothing else.
        let mut rustc = place.command("rustc");
        rustc.args(["-Aunused", "--edition=2024", "--emit=metadata", "--error-format=short", "a_mcve.rs"]);
        let said = Said::by(&mut rustc).stderr;
        let warnings = said.lines().filter(|line| line.starts_with("a_mcve.rs:")).count();
        assert_eq!((warnings, test.matches("//~").count()), (1, 1), "{test}\n{said}");
        assert!(test.contains(&format!("[{lint}]")), "{test}");
    }
}

#[test]
fn a_crate_keeps_an_edition_that_is_not_the_default_of_the_suite() {
    let text = "//@ edition: 2018\n//@ aux-build: old.rs\n//@ aux-build: new.rs\nextern crate new;\nextern crate old;\nimpl new::T for u32 {}\nimpl old::T for u32 {}\nfn main() {}\n";
    let place = place(&[
        ("a.rs", text),
        ("auxiliary/new.rs", "//@ edition: 2021\npub trait T {}\n"),
        ("auxiliary/old.rs", "//@ edition: 2015\npub trait T {}\n"),
    ]);
    let keep = ["a.rs", "auxiliary/new.rs", "auxiliary/old.rs"].map(|file| ["--keep", file]).concat();
    reduce_to_the_end(&place, &keep);
    assert!(place.read("a_mcve/auxiliary/new.rs").starts_with("//@ edition: 2021\npub"));
    assert!(place.read("a_mcve/auxiliary/old.rs").starts_with("pub"));
}

#[test]
fn a_crash_is_of_the_form_of_known_bugs() {
    let text = "//@ known-bug: #12345\n//@ compile-flags: -Ztreat-err-as-bug=1 -Copt-level=1\n//@ check-pass\n//@ needs-asm-support\nfn f() {}\nfn main() { f(); let x: u8 = \"\"; }\n";
    let crash = place(&[("a.rs", text)]);
    let run =
        |place: &TestFolder, args: &[&str]| Said::by(place.mcve(args).env("RUSTC_BOOTSTRAP", "1")).exits(Exit::Done);
    let first = run(&crash, &["a.rs", "--as-ui-test"]);
    let test = crash.read("a_mcve.rs");
    let headers: Vec<&str> = test.lines().take_while(|line| line.starts_with("//@")).collect();
    assert_eq!(headers[0], "//@ known-bug: #12345", "{test}");
    assert!(headers[1].contains("-Ztreat-err-as-bug=1") && !headers[1].contains("opt-level"), "{test}");
    assert!(!test.contains("edition"), "it is not needed: {test}");
    assert!(!test.contains("//~") && !test.contains("check-pass") && !test.contains("asm"), "{test}");
    let again = run(&crash, &["a_mcve.rs", "-o", "again.rs"]);
    assert_eq!(failure(&first), failure(&again));
    // A bug without a number is one of those that the suite calls unknown.
    crash.write("b.rs", text.replace("//@ known-bug: #12345\n", ""));
    run(&crash, &["b.rs", "--as-ui-test"]);
    assert!(crash.read("b_mcve.rs").starts_with("//@ known-bug: unknown\n"));
}

#[test]
fn revisions_become_the_one_that_fails() {
    let text = "//@ revisions: good-one bad\n//@[good-one] edition: 2018\n//@[bad] edition: 2021\n//@[bad] compile-flags: --cfg extra\n//@[bad] rustc-env: MY_NAME=1\n#[cfg(bad)] fn f() -> u8 { env!(\"MY_NAME\") }\n#[cfg(extra)] fn g() {}\nfn main() {}\n";
    let place = place(&[("a.rs", text)]);
    let test = reduce_to_the_end(&place, &[]);
    assert!(!test.contains("revisions") && !test.contains("//@["), "{test}");
    assert!(test.contains("ERROR mismatched types [E0308]") && !test.contains("extra"), "{test}");
}

#[test]
fn a_variable_that_is_needed_is_a_header() {
    let text = "//@ rustc-env: MY_NEEDED=1\n//@ rustc-env:MY_UNUSED=1\nfn main() { let _: u8 = env!(\"MY_NEEDED\"); let _ = env!(\"MY_UNUSED\"); }\n";
    let place = place(&[("a.rs", text)]);
    let args = ["--message", "mismatched types", "--skip", "expressions"];
    let test = reduce_to_the_end(&place, &args);
    assert!(!test.contains("UNUSED"), "{test}");
    assert!(test.contains("//@ rustc-env: MY_NEEDED=") && test.contains("env!"), "{test}");
}

#[test]
fn crates_stand_beside_the_test_with_their_headers() {
    let place = place(&[
        (
            "a.rs",
            "//@ edition: 2021\n//@ aux-build: shapes.rs\n//@ aux-crate: walk=walking.rs\nextern crate shapes;\nfn needs<T: shapes::Marker>(_: T) {}\npub fn broken() { needs(walk::go()); }\nfn main() {}\n",
        ),
        (
            "auxiliary/shapes.rs",
            "//@ edition: 2018\n//@ compile-flags: --cfg extra\n#[cfg(extra)] pub trait Marker {}\npub fn unused() {}\n",
        ),
        ("auxiliary/walking.rs", "//@ edition: 2021\npub fn go() -> u8 { 1 }\npub async fn unused() {}\n"),
    ]);
    let test = reduce(&place, &["--skip", "crate-to-module,expressions,types"]);
    assert!(test.contains("//@ aux-build: shapes.rs\n"), "{test}");
    assert_eq!(test.contains("//@ aux-crate: walk=walking.rs\n"), test.contains("walk::"), "{test}");
    assert!(names(&place.path("a_mcve/auxiliary")).contains(&"shapes.rs".to_owned()));
    let shapes = place.read("a_mcve/auxiliary/shapes.rs");
    assert!(shapes.starts_with("//@ edition: 20"), "{shapes}");
    assert_eq!(shapes.contains("--cfg=extra"), shapes.contains("cfg(extra)"), "{shapes}");
    assert!(!shapes.contains("unused"), "{shapes}");
}

#[test]
fn a_program_that_fails_when_it_is_run_says_what_it_says() {
    let place = place(&[(
        "a.rs",
        "fn helper(n: usize) -> u8 { let list = vec![1, 2, 3]; list[n] }\nfn main() { let n = std::env::args().count() + 4; helper(n); println!(\"x\"); }\n",
    )]);
    let test = reduce(&place, &["--run"]);
    assert!(test.starts_with("//@ run-fail\n//@ error-pattern: index out of bounds"), "{test}");
}

#[test]
fn what_is_judged_by_a_script_is_no_test() {
    let place = place(&[("a.rs", "fn main() {}\n")]);
    place.run(&["a.rs", "--as-ui-test", "--test", "grep main $1"], Exit::Usage);
    place.run(&["a.rs", "--as-ui-test", "--exit-code", "1", "--", "rustc", "{}"], Exit::Usage);
}

#[test]
fn what_the_suite_cannot_say_is_refused_at_once() {
    let place = place(&[("a.rs", "fn main() { println!(\"x\"); }\n")]);
    let refused: [(&str, &[&str]); 3] = [
        ("--prints", &["--prints", "x"]),
        ("--hang", &["--hang", "1s"]),
        ("--memory-above", &["--memory-above", "1G"]),
    ];
    for (option, args) in refused {
        let said = place.run(&[&["a.rs", "--as-ui-test", "--allow-errors"], args].concat(), Exit::Usage);
        let said = said.says(&["--as-ui-test", option]);
        assert!(!said.stderr.contains("start:"), "{}", said.stderr);
    }
}

#[test]
fn a_failure_with_conditions_is_a_test_of_the_failure() {
    let place = place(&[("a.rs", "fn helper() {}\nfn main() { let async = 1u8; helper(); }\n")]);
    let args = ["a.rs", "--as-ui-test", "--fails-with", "2021", "--passes-with", "2015"];
    place.run(&args, Exit::Done).says(&["the test shows the failure only, as it cannot say: "]);
    let test = place.read("a_mcve.rs");
    assert!(test.starts_with("//@ edition: 2021\n") && test.contains("//~ ERROR"), "{test}");
}

#[test]
fn a_test_goes_to_standard_output_too() {
    let place = place(&[("a.rs", "fn main() { let x: u8 = \"\"; }\n")]);
    let said = place.run(&["a.rs", "--as-ui-test", "-q", "-o", "-"], Exit::Done);
    assert!(said.stdout.starts_with("//@ edition: 2024\n") && said.stdout.contains("//~ ERROR"), "{}", said.stdout);
}
