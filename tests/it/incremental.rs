//! `--incremental`: failures of a compiler that has compiled an earlier version of the program into the same folder.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief, shell};

/// A compiler that crashes if the incremental folder is of a program with a struct `Kept`, and the program has none; that always
/// crashes on a struct `Broken`; and that hands out its first executable again if there is a function `stale`.
const RUSTC: &str = r#"#!/bin/sh
for word; do
    [ "$before" != -o ] || output=$word
    case $word in -Cincremental=*) kept=${word#*=} ;; esac
    before=$word
done
[ -n "$kept" ] || exec RUSTC "$@"
mkdir -p "$kept"
RUSTC_BOOTSTRAP=1 RUSTC "$@" -Zunpretty=expanded || exit 1
mv "$output" now
crash() {
    printf "thread 'rustc' panicked at compiler/rustc_middle/src/verify_ich.rs:80:9:\n%s\n" "$1" >&2
    exit 101
}
! grep -q 'struct Broken' now || crash 'no entry found for key'
[ ! -f "$kept/text" ] || ! grep -q 'struct Kept' "$kept/text" || grep -q 'struct Kept' now ||
    crash 'Found unstable fingerprints for type_of'
cp now "$kept/text"
if grep -q 'fn stale' now && [ -f "$kept/made" ]; then exec cp "$kept/made" "$output"; fi
RUSTC "$@" && { [ ! -x "$output" ] || cp "$output" "$kept/made"; }
"#;

const FIRST: &str =
    "struct Kept(u8);\nfn helper(x: u8) -> u8 { x + 1 }\nfn main() {\n    let x = 1;\n    helper(x);\n}\n";

const SECOND: &str = "fn helper(x: u8) -> u8 { x + 2 }\nfn main() {\n    let x = 1;\n    helper(x);\n}\n";

fn place(files: &[(&str, &str)]) -> TestFolder {
    let place = TestFolder::new(env!("CARGO_BIN_EXE_mcve"));
    let rustc = shell::rustc();
    place.write_script("rustc", &RUSTC.replace("RUSTC \"", &format!("{} \"", rustc.display())));
    files.iter().for_each(|(path, text)| drop(place.write(path, text)));
    place
}

/// The arguments for this compiler.
fn by_fake<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&["--rustc", "./rustc", "--incremental"], args].concat()
}

const FAILURE: &str =
    "Found unstable fingerprints for type_of, after an earlier version in the same incremental folder";

#[test]
fn two_versions_are_reduced_together() {
    let place = place(&[("a.rs", FIRST), ("b.rs", SECOND)]);
    let said = place.run_cleanly(&by_fake(&["a.rs", "b.rs"]), Exit::Done);
    let said = said.says(&[FAILURE, "--cfg cpass1 -Cincremental=\"$d\"/kept"]);
    assert_eq!(place.read("a_mcve.rs"), "#[cfg(cpass1)]\nstruct Kept;\nfn main() {}\n");
    let command = said.stderr.lines().find_map(|line| line.trim_start().strip_prefix("see it"));
    let again = Said::by(place.command("sh").args(["-c", command.expect("the summary has the command").trim()]));
    assert!(again.stderr.contains("Found unstable fingerprints"), "{}", again.stderr);
}

#[test]
fn the_revisions_of_a_file_are_its_versions() {
    let text = "//@ revisions: rpass1 rpass2 rpass3\n#[cfg(any(rpass1, rpass2))]\nstruct Kept;\nfn helper() {}\nfn main() { helper() }\n";
    let place = place(&[("a.rs", text)]);
    place.run_cleanly(&by_fake(&["a.rs"]), Exit::Done).says(&[FAILURE]);
    let left = place.read("a_mcve.rs");
    assert!(left.starts_with("//@ revisions: rpass1 rpass2 rpass3\n") && left.contains("struct Kept;"), "{left}");
    assert!(!left.contains("helper"), "{left}");
}

#[test]
fn the_other_version_of_a_file_is_found() {
    let place = place(&[("a.rs", FIRST)]);
    let said = place.run_cleanly(&by_fake(&[&["a.rs"], brief()].concat()), Exit::Done);
    said.says(&[FAILURE, "a version with one change in line 1 is compiled after the program: Delete an item"]);
    let left = place.read("a_mcve.rs");
    assert!(left.contains("#[cfg(cpass1)]"), "{left}");
}

#[test]
fn what_no_change_makes_fail_is_no_failure() {
    let place = place(&[("a.rs", "fn main() {}\n"), ("b.rs", "struct Broken;\nfn main() {}\n")]);
    place.run(&by_fake(&["a.rs"]), Exit::NotFailing).says(&["the last compilation is like one in an empty folder"]);
    place.run(&by_fake(&["a.rs", "b.rs"]), Exit::NotFailing).says(&["crashes in an empty folder as well"]);
    place.run(&["a.rs", "b.rs"], Exit::Usage).says(&["--incremental"]);
}

#[test]
fn a_program_that_behaves_differently_is_run() {
    let first = "fn stale() -> u8 { 1 }\nfn other() {}\nfn main() { other(); println!(\"{}\", stale()) }\n";
    let second = first.replace('1', "2");
    let place = place(&[("a.rs", first), ("b.rs", &second)]);
    let said = place.run_cleanly(&by_fake(&[&["a.rs", "b.rs", "--run"], brief()].concat()), Exit::Done);
    said.says(&["failure: the program behaves differently after an earlier version"]);
    let left = place.read("a_mcve.rs");
    for word in ["#[cfg(rpass1)]", "#[cfg(rpass2)]", "fn stale"] {
        assert!(left.contains(word), "{left}");
    }
}

#[test]
fn the_result_is_a_test_of_the_suite() {
    let place = place(&[("a.rs", FIRST), ("b.rs", SECOND)]);
    place.run_cleanly(&by_fake(&[&["a.rs", "b.rs", "--as-ui-test"], brief()].concat()), Exit::Done);
    let test = place.read("a_mcve.rs");
    assert!(test.starts_with("//@ revisions: cpass1 cpass2\n//@ edition: 2024\n"), "{test}");
    assert!(test.contains("#[cfg(cpass1)]"), "{test}");
}

#[test]
fn a_compiler_of_today_keeps_nothing_of_an_earlier_version() {
    let place = place(&[("a.rs", FIRST), ("b.rs", SECOND)]);
    place.run(&["--incremental", "a.rs", "b.rs"], Exit::NotFailing).says(&["like one in an empty folder"]);
}

#[test]
fn a_crash_of_rustc_of_the_second_compilation_of_the_same_program() {
    let place = place(&[("a.rs", "struct S(u8);\nfn f(x: u8) -> S { S(x) }\nfn main() { f(1); }\n")]);
    let compile = || Said::by(place.command("rustc").args(["-Clto", "--emit=obj", "-Cincremental=kept", "a.rs"]));
    if [compile(), compile()].iter().all(Said::is_success) {
        return println!("skipped: this rustc emits objects of -Clto a second time, which 1.95 does not");
    }
    let said = place.run(&["--incremental", "a.rs", "--", "-Clto"], Exit::Done);
    said.says(&["failure: crash of the compiler by signal 11 (SIGSEGV)", "after an earlier version", "-Clto"]);
    assert_eq!(place.read("a_mcve.rs").trim(), "fn main() {}");
}
