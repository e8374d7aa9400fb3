//! The script for CI that reduces what fails: real packages, by the real cargo.

use std::path::Path;
use std::process::Command;

use mcve_testing::{Said, TestFolder, names};

use super::{BINARY, package};

/// A library with a function that is wrong, and three of four tests that fail.
const LIBRARY: &str = "/// Doubles.\n///\n/// ```\n/// assert_eq!(walk::double(2), 4);\n/// ```\npub fn double(n: u8) -> u8 { n * 3 }\npub fn other() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() { super::other(); }\n    #[test]\n    fn one_more() { super::other(); assert_eq!(super::double(1), 2); }\n}\n";

/// A test with the name of another one.
const TEST: &str = "#[test]\nfn one_more() { walk::other(); assert_eq!(walk::double(0), 1); }\n";

/// Runs the script with few checks, and as many results at most.
fn script(place: &TestFolder, max: u8, args: &[&str]) -> Said {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("skills/ci/reduce-on-red.sh");
    let binaries = Path::new(BINARY).with_file_name("");
    std::os::unix::fs::symlink(binaries, place.path("bin")).expect("it can be made");
    let mut shell: Command = place.command("sh");
    shell.arg(script).args(args).env("PATH", place.path_with_bin()).env("REDUCE_MAX", max.to_string());
    shell.env("REDUCE_OPTIONS", "--only items,stmts,files,crates --runs 1 --no-pair");
    shell.env("GITHUB_STEP_SUMMARY", place.path("summary.md"));
    Said::by(&mut shell)
}

#[test]
fn nothing_is_written_where_all_tests_pass() {
    let place = package(&[("src/lib.rs", "pub fn f() {}\n#[test]\nfn works() { f() }\n")]);
    let said = script(&place, 3, &["--workspace"]);
    assert_eq!(said.code(), Some(0), "{}", said.all());
    assert!(said.stdout.contains("test works ... ok"), "{}", said.stdout);
    assert!(!place.path("reduced").exists() && !place.path("summary.md").exists());
}

#[test]
fn each_test_that_fails_becomes_a_file_and_a_page() {
    let place = package(&[("src/lib.rs", LIBRARY), ("tests/two.rs", TEST)]);
    let said = script(&place, 9, &["--workspace"]);
    assert_eq!(said.code(), Some(101), "{}", said.all());
    let expected = ["doc", "lib-tests-one_more", "test-two-one_more"];
    let expected = expected.map(|name| [format!("{name}.html"), format!("{name}.rs")]).concat();
    assert_eq!(names(&place.path("reduced")), expected, "{}", said.all());
    let [library, test] =
        ["lib-tests-one_more", "test-two-one_more"].map(|name| place.read(format!("reduced/{name}.rs")));
    assert!(library.contains("n * 3") && library.contains("(1)") && !library.contains("other"), "{library}");
    assert!(test.contains("(0)") && !test.contains("other"), "{test}");
    assert!(place.read("reduced/doc.html").starts_with("<!doctype html>"), "{}", said.all());
    assert!(place.read("summary.md").contains(&format!("### lib-tests-one_more\n\n````rust\n{library}````\n")));
}

#[test]
fn no_more_tests_are_reduced_than_the_user_wants() {
    let place = package(&[("src/lib.rs", LIBRARY), ("tests/two.rs", TEST)]);
    let said = script(&place, 1, &[]).says(&["3 tests fail, of which 1 are reduced (REDUCE_MAX)"]);
    assert_eq!(names(&place.path("reduced")), ["lib-tests-one_more.html", "lib-tests-one_more.rs"], "{}", said.all());
}

#[test]
fn an_error_is_reduced_where_no_test_runs() {
    let place = package(&[("src/lib.rs", "pub fn other() {}\npub fn f() -> u8 { \"\" }\n")]);
    let said = script(&place, 3, &[]).says(&["no test ran"]);
    assert_eq!(said.code(), Some(101));
    assert!(!place.read("reduced/error.rs").contains("other"), "{}", said.all());
}

#[test]
fn what_cannot_be_reduced_leaves_no_folder() {
    let place = package(&[("src/lib.rs", "#[test]\nfn ends() { std::process::abort() }\n")]);
    let said = script(&place, 3, &[]).says(&["cargo mcve ended with 1"]);
    assert_eq!(said.code(), Some(101));
    assert!(!place.path("reduced").exists());
    assert_eq!(script_with_arguments_behind(&place), Some(2));
}

/// The exit code where a test is named.
fn script_with_arguments_behind(place: &TestFolder) -> Option<i32> {
    std::fs::remove_file(place.path("bin")).expect("it was made");
    script(place, 3, &["--", "ends"]).code()
}
