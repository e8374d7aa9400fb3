//! `mcve --issue` and `mcve rustc-ice-..txt`: from a text that shows a failure to its program; `mcve test-file`. By the real rustc.

use std::collections::BTreeSet;

use mcve::cli::exit::Exit;
use mcve_testing::TestFolder;

/// The text of an issue: the first program compiles, the second one shows another error, the third one what is quoted.
const ISSUE: &str = "This works:\n```rust\nfn main() {}\n```\nThis does not:\n```rust\nfn main() { missing() }\n```\nAnd:\n```rust\nfn noise() {}\nfn main() { let _x: u8 = \"a\"; }\n```\nI call `rustc --edition 2018 --cfg own a.rs`:\n```\nerror[E0308]: mismatched types\n```\n";

/// What a crash leaves, without most of its backtrace.
const CRASH: &str = "thread 'rustc' panicked at compiler/rustc_x/src/lib.rs:1:2:\nno\n\nrustc version: 9.9.9-nightly (0123456 2033-01-02)\nplatform: x\n\nquery stack during panic:\n#0 [typeck] type-checking `f`\n#1 [analysis] running analysis passes on crate `my_file`\nend of query stack\n";

fn place() -> TestFolder {
    TestFolder::in_fresh_shell(env!("CARGO_BIN_EXE_mcve"))
}

#[test]
fn an_issue_is_reduced_by_the_program_that_fails_as_it_says() {
    let place = place();
    place.write("wrong.md", ISSUE);
    place.write("wrong.rs", "// mine\n");
    let said = place.run(&["--issue", "wrong.md", "--keep", "main", "--report", "filed.md"], Exit::Done);
    let line = "wrong.md stands for: mcve --keep main --report filed.md wrong.rs -- --edition 2018 --cfg own\n";
    assert!(said.stderr.contains(line), "{}", said.stderr);
    assert!(place.read("wrong.rs").contains("noise") && !place.read("wrong_mcve.rs").contains("noise"));
    assert_eq!(place.read("wrong.rs.orig"), "// mine\n", "what stood there is kept");
    let filed = place.read("filed.md");
    let command = said.stderr.lines().find_map(|line| line.strip_prefix("  see it   ")).expect("it is said");
    let words = |command: &str| command.split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
    let asked = filed.lines().find(|line| line.starts_with("rustc --")).expect("it has the command");
    assert_eq!(words(asked), words(command), "what the run left out stays away");
    for part in ["let _x: u8 = \"a\"", "error[E0308]", "| toolchain | version |"] {
        assert!(filed.contains(part), "{part} is not in {filed}");
    }
}

#[test]
fn words_of_the_user_count_more_than_the_text() {
    let place = place();
    place.write("wrong.md", ISSUE);
    let said = place.run(&["--issue=wrong.md", "--message", "E0425|cannot find", "-q"], Exit::Done);
    assert!(said.stderr.contains("mcve --message 'E0425|cannot find' -q wrong.rs\n"), "{}", said.stderr);
    assert!(place.read("wrong.rs").contains("missing"));
}

#[test]
fn a_text_without_a_failure_is_refused() {
    let place = place();
    place.write("empty.md", "Nothing.\n");
    let said = place.run(&["--issue", "empty.md"], Exit::Input).stderr;
    assert!(said.contains("does not say which file failed"), "{said}");
    place.write("right.md", "```rust\nfn main() {}\n```\n");
    let said = place.run(&["--issue", "right.md"], Exit::NotFailing).stderr;
    assert!(said.contains("the program in right.md does not fail here: right.rs compiles"), "{said}");
    place.run(&["--issue", "missing.md"], Exit::Input);
}

#[test]
fn the_file_of_a_crash_leads_to_the_file_that_was_compiled() {
    let place = place();
    place.write("rustc-ice-2033-01-02T03_04_05-6.txt", CRASH);
    place.write("my-file.rs", "fn main() { let _x: u8 = \"a\"; }\n");
    let said = place.run(&["rustc-ice-2033-01-02T03_04_05-6.txt", "-q", "--budget", "1ms"], Exit::OutOfTime).stderr;
    assert!(said.contains("rustc 9.9.9-nightly (0123456 2033-01-02) is not installed"), "{said}");
    assert!(said.contains(" -q --budget 1ms my-file.rs\n"), "{said}");
}

#[test]
fn a_log_leads_to_the_test_of_the_package() {
    let place = place();
    place.write("Cargo.toml", "[package]\nname = \"log\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n");
    place.write("src/lib.rs", "#[test]\nfn adds() { assert_eq!(1 + 1, 3); }\n#[test]\nfn other() { panic!() }\n");
    let log = "2033-01-02T03:04:05.678Z ##[group]Run cargo test --lib\n2033-01-02T03:04:06.0Z test adds ... FAILED\n";
    place.write("ci.log", log);
    let said = place.run(&["--issue", "ci.log", "-q"], Exit::Done).stderr;
    assert!(said.contains("ci.log stands for: cargo-mcve test adds --lib -q\n"), "{said}");
    assert!(place.read("log_mcve.rs").contains("adds"));
}

#[test]
fn each_failure_has_one_test_file() {
    let place = place();
    place.write("12_wrong.rs", "fn main() { let _x: u8 = \"a\"; }\n");
    place.write("same.rs", "fn main() { let _y: u8 = \"b\"; }\n");
    place.write("other.rs", "fn main() { missing() }\n");
    let said = place.run(&["test-file", "12_wrong.rs", "same.rs", "other.rs", "-o", "tests"], Exit::Done);
    assert!(said.stderr.contains("same.rs is left out: it has the failure of"), "{}", said.stderr);
    let wrong = place.read("tests/12-wrong.rs");
    assert!(wrong.contains("//~") && wrong.contains("mismatched types"), "{wrong}");
    assert!(place.read("tests/other.rs").contains("//~"));
    assert!(said.stdout.starts_with("Adds 2 tests") && said.stdout.contains("(#12): error E0308"), "{}", said.stdout);
    place.run(&["test-file", "other.rs", "-o", "missing/tests"], Exit::Output);
    std::fs::create_dir(place.path("crashes")).expect("it can be made");
    let said = place.run(&["test-file", "other.rs", "-o", "crashes"], Exit::Usage);
    assert!(said.stderr.contains("tests/crashes is for crashes only"), "{}", said.stderr);
    place.write("passes.rs", "fn main() {}\n");
    place.run(&["test-file", "other.rs", "passes.rs", "-o", "all"], Exit::NotFailing);
    assert!(!place.path("all").exists(), "all are tests, or none is written");
}

#[test]
fn a_test_without_core_has_the_items_that_it_needs() {
    let place = place();
    place.write("8.rs", "fn main() {\n    println!(\"{}\", 1);\n    let _x: u8 = \"a\";\n}\n");
    let run = |args: &[&str], exit| mcve_testing::Said::by(place.mcve(args).env("RUSTC_BOOTSTRAP", "1")).exits(exit);
    place.write("7.rs", "use std::ops::Add;\nfn f(x: impl Add<Output = u16>) -> u8 {\n    x.add(x)\n}\nfn main() {}\n");
    run(&["test-file", "7.rs", "--no-core", "-o", "tests"], Exit::Done);
    let test = place.read("tests/7.rs");
    for part in ["#![no_core]", "#[lang = \"sized\"]", "trait Add", "//~ ERROR mismatched types"] {
        assert!(test.contains(part), "{part} is not in {test}");
    }
    assert!(!test.contains("std::") && !test.contains("FnOnce") && test.lines().count() < 30, "{test}");
    let said = run(&["test-file", "8.rs", "--no-core", "-o", "tests"], Exit::NotFailing);
    assert!(said.stderr.contains("8.rs does not fail in this way without `core`: "), "{}", said.stderr);
}
