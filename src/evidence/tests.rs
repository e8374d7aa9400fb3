//! Texts of issues and logs.

use super::*;

fn call(tool: Tool, toolchain: Option<&str>, file: Option<&str>, args: &[&str]) -> Call {
    let (toolchain, file) = (toolchain.map(str::to_owned), file.map(str::to_owned));
    Call { tool, toolchain, file, args: args.iter().map(|arg| (*arg).to_owned()).collect() }
}

#[test]
fn an_issue_has_a_program_a_command_and_a_crash() {
    let text = "### Code\n```Rust\nfn f() {}\n```\nCompile with `rustc +nightly -Znext-solver a.rs`:\n```\n$ rustc +nightly --edition 2024 a.rs -o a\nerror: it fails\n```\n\n### Meta\n`rustc --version --verbose`:\n```\nrustc 1.97.0-nightly (e50aa6fba 2026-05-19)\nbinary: rustc\n```\n```\nthread 'rustc' (7) panicked at /rustc/e50a/compiler/rustc_middle/src/ty.rs:5:9:\nno\n#1 [analysis] running analysis passes on crate `a`\n```\n";
    let found = Evidence::read(text);
    assert_eq!(found.programs, ["fn f() {}\n"]);
    let second = call(Tool::Rustc, Some("nightly"), Some("a.rs"), &["--edition", "2024"]);
    assert_eq!(found.calls, [call(Tool::Rustc, Some("nightly"), Some("a.rs"), &["-Znext-solver"]), second]);
    assert_eq!(found.versions, ["1.97.0-nightly (e50aa6fba 2026-05-19)"]);
    assert_eq!(found.shows, [Shown::Crash("compiler/rustc_middle/src/ty.rs".to_owned())]);
    assert_eq!(found.crates, ["a"]);
}

#[test]
fn a_log_has_commands_and_failing_tests() {
    let text = "2026-01-02T03:04:05.6789012Z ##[group]Run cargo test --all-features\n2026-01-02T03:04:06.1Z \u{1b}[1mtest\u{1b}[0m a::adds ... FAILED\nthread 'a::adds' panicked at src/lib.rs:3:5:\n";
    let found = Evidence::read(text);
    assert_eq!(found.calls, [call(Tool::Cargo, None, None, &["test", "--all-features"])]);
    assert_eq!(found.shows, [Shown::Test("a::adds".to_owned())]);
}

#[test]
fn places_of_another_machine_are_left_out() {
    let text = "  process didn't exit successfully: `RUSTFLAGS='-Zx' /x/bin/rustc --crate-name a --edition=2021 src/lib.rs --error-format=json --emit=link -C metadata=1 -C opt-level=3 --out-dir /x -L dependency=/x` (signal: 11, SIGSEGV)\nnote: compiler flags: --crate-type lib -C debuginfo=2\n";
    let found = Evidence::read(text);
    let first = call(Tool::Rustc, None, Some("src/lib.rs"), &["-Zx", "--edition=2021", "-C", "opt-level=3"]);
    assert_eq!(found.calls, [first, call(Tool::Rustc, None, None, &["--crate-type", "lib", "-C", "debuginfo=2"])]);
    assert_eq!(found.shows, [Shown::Crash("SIGSEGV".to_owned())]);
}

#[test]
fn blocks_without_a_language_are_programs_where_they_parse() {
    let text = "```\nerror: no\n```\n```\npub fn f() {}\n```\n```toml\n[dependencies]\nserde = \"1\"\n```\n```\nx = 1\n```\n`cargo is slow`\n";
    let found = Evidence::read(text);
    assert_eq!(found.programs, ["pub fn f() {}\n"]);
    assert!(found.manifest.is_some_and(|manifest| manifest.contains("serde")));
    assert_eq!(found.shows, []);
}

#[test]
fn a_thread_with_the_name_of_a_test_is_a_test() {
    for (name, expected) in
        [("a::b", Shown::Test("a::b".to_owned())), ("main", Shown::Panic), ("<unnamed>", Shown::Panic)]
    {
        assert_eq!(Evidence::read(&format!("thread '{name}' panicked at src/lib.rs:1:2:\n")).shows, [expected]);
    }
}

#[test]
fn warnings_have_the_name_of_their_lint() {
    let text = "warning: x\n = note: `#[warn(clippy::needless_return)]` on by default\n = help: requested on the command line with `-D dead-code`\n";
    let lints = ["clippy::needless_return", "dead_code"].map(|name| Shown::Lint(name.to_owned()));
    assert_eq!(Evidence::read(text).shows, lints);
}

#[test]
fn flags_of_rustc_are_found_where_people_write_them() {
    for (line, expected) in [
        ("RUSTFLAGS=\"-Za -Cb=1\" cargo +nightly check", &["-Za", "-Cb=1"][..]),
        ("$ cargo +nightly rustc --lib -- -Za --cfg b", &["-Za", "--cfg", "b"]),
        ("RUSTDOCFLAGS=-Za cargo +nightly doc", &["-Za"]),
        ("```toml\n[build]\nrustflags = [\"-Za\", \"--cfg=b\"]\n```", &["-Za", "--cfg=b"]),
        ("It needs `-Za=b` to fail; with `-v` it does not.", &["-Za=b"]),
    ] {
        let calls = Evidence::read(line).calls;
        let found: Vec<_> = calls.iter().filter(|call| call.tool == Tool::Rustc).map(|call| &call.args).collect();
        assert_eq!(found, [expected], "{line}");
    }
    assert_eq!(Evidence::read("`cargo +nightly test -- --nocapture`").calls.len(), 1, "these are of the tests");
    let version = "clippy 0.1.95 (5980761 2026-04-14)\nrustc 1.95.0 (5980761 2026-04-14)";
    assert_eq!(Evidence::read(version).versions, ["1.95.0 (5980761 2026-04-14)"]);
}

#[test]
fn files_have_the_paths_that_stand_before_them() {
    let text = "`Cargo.toml`:\n```toml\n[package]\nname = \"a\"\n```\n### In src/lib.rs\n```rust\nmod b;\n```\n```rust\n// src/b.rs\nfn b() {}\n```\nand ../c.rs:\n```rust\nfn c() {}\n```\n";
    let found = Evidence::read(text);
    let paths: Vec<_> = found.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["Cargo.toml", "src/lib.rs", "src/b.rs"]);
    let apart = Evidence::read("a.rs:\n```rust\nfn a() {}\n```\nb.rs:\n```rust\nfn b() {}\n```\n");
    assert_eq!((apart.files.len(), apart.programs.len()), (0, 2), "each is a program");
}

#[test]
fn what_cargo_says_of_every_crash_is_not_about_incremental_compilation() {
    for (text, expected) in [
        ("note: compiler flags: --crate-type lib -C incremental=[REDACTED]", false),
        ("Running `rustc --crate-name a a.rs -C incremental=/x/target/debug/incremental`", false),
        ("rustc -C incremental=inc a.rs", true),
        ("error: internal compiler error: encountered incremental compilation error with typeck(a)", true),
    ] {
        assert_eq!(Evidence::read(text).is_incremental, expected, "{text}");
    }
}

#[test]
fn indented_code_is_read() {
    assert_eq!(Evidence::read("It crashes:\n\n    fn f() {}\n    fn g() {}\n").programs, ["fn f() {}\nfn g() {}\n"]);
}

#[test]
fn a_crash_is_in_words_whatever_addresses_it_has() {
    let found = Evidence::read("rustc-LLVM ERROR: Cannot select: 0x7f7fab: i8\nerror: could not compile");
    assert!(found.shows[0].is_in("LLVM ERROR: Cannot select: 0x55cd: i8", true), "{:?}", found.shows);
    assert!(!found.shows[0].is_in("LLVM ERROR: Cannot select: 0x55cd: i16", true));
}
