//! The first check shows what cargo showed: the variables, features, files and lints of the recorded call are there.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief};

use super::{package, run};

/// A package with this library, whose manifest goes on with `more`.
fn with_manifest(more: &str, files: &[(&str, &str)]) -> TestFolder {
    let place = package(files);
    let manifest = format!("{}{more}", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    place
}

/// Checks that the library has one error, E0308, of which the result has no more than `f`. It is reduced a little.
#[track_caller]
fn check(more: &str, files: &[(&str, &str)]) {
    let place = with_manifest(more, files);
    let said = run(&place, &[&["check", "--runs", "1"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("failure: error E0308"), "{}", said.stderr);
    assert!(!said.stderr.contains("errors, of which"), "{}", said.stderr);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("-> u8") && !result.contains("fn other"), "{result}");
}

/// Sets a `cfg` and a variable, and makes a file.
const BUILD: &str = "fn main() {\n    println!(\"cargo::rustc-check-cfg=cfg(fast)\");\n    println!(\"cargo::rustc-cfg=fast\");\n    println!(\"cargo::rustc-env=GREETING=hello there\");\n    let folder = std::env::var(\"OUT_DIR\").unwrap();\n    std::fs::write(format!(\"{folder}/made.rs\"), \"pub const MADE: &str = \\\"1\\\";\").unwrap();\n    std::fs::write(format!(\"{folder}/made.txt\"), \"2\").unwrap();\n}\n";

#[test]
fn what_cargo_and_a_build_script_set_is_there() {
    let library = "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));\npub const TEXT: &str = include_str!(concat!(env!(\"OUT_DIR\"), \"/made.txt\"));\npub const VERSION: &str = env!(\"CARGO_PKG_VERSION\");\npub const NAME: Option<&str> = option_env!(\"CARGO_PKG_NAME\");\npub const GREETING: &str = env!(\"GREETING\");\n#[cfg(not(fast))]\ncompile_error!(\"it is slow\");\npub fn f() -> u8 { MADE }\npub fn other() -> Option<&'static str> { NAME }\n";
    check("", &[("src/lib.rs", library), ("build.rs", BUILD)]);
}

#[test]
fn a_macro_of_a_dependency_reads_variables_of_the_crate() {
    let library =
        "part::version!();\nconst _: () = part::has_greeting!();\npub fn f() -> u8 { VERSION }\npub fn other() {}\n";
    let part = "#[macro_export]\nmacro_rules! version { () => { pub const VERSION: &str = env!(\"CARGO_PKG_VERSION\"); } }\n#[macro_export]\nmacro_rules! has_greeting { () => { assert!(option_env!(\"GREETING\").is_some()) } }\n";
    let files = [
        ("src/lib.rs", library),
        ("build.rs", BUILD),
        ("part/Cargo.toml", "[package]\nname = \"part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("part/src/lib.rs", part),
    ];
    check("[dependencies]\npart = { path = \"part\" }\n", &files);
}

#[test]
fn features_and_levels_of_lints_are_those_of_the_manifest() {
    let library = "#[cfg(not(feature = \"extra\"))]\ncompile_error!(\"no extra\");\n#[cfg(feature = \"absent\")]\npub fn other() {}\npub fn f() -> u8 { \"\" }\n";
    let more = "[features]\ndefault = [\"extra\"]\nextra = []\nabsent = []\n[lints.rust]\nwarnings = \"deny\"\nunsafe_code = \"forbid\"\n";
    check(more, &[("src/lib.rs", library)]);
}

#[test]
fn the_variables_of_cargos_configuration_are_there() {
    let library = "pub const GREETING: &str = env!(\"GREETING\");\npub fn f() -> u8 { GREETING }\npub fn other() {}\n";
    check("", &[("src/lib.rs", library), (".cargo/config.toml", "[env]\nGREETING = \"hello\"\n")]);
}

#[test]
fn an_error_that_cargo_shows_too_is_no_obstacle() {
    let place = package(&[("src/lib.rs", "use nowhere::Thing;\npub fn f(_: Thing) {}\npub fn other() {}\n")]);
    let said = run(&place, &["check", "--runs", "1"], Exit::Done);
    assert!(said.stderr.contains("E0432"), "{}", said.stderr);
    assert!(!place.read("walk_mcve.rs").contains("other"));
}

/// Reads a file through a name that no text names, so that a check in a folder of its own does not find it.
const HIDDEN: &str = "macro_rules! text { ($($part:ident)*) => { include_str!(concat!(\"../\", $(stringify!($part)),*)) } }\npub const TEXT: &str = text!(hid den);\n";

#[test]
fn an_error_that_only_the_check_shows_is_not_reduced() {
    let library = format!("{HIDDEN}pub fn f() -> u8 {{ TEXT }}\n");
    let place = package(&[("src/lib.rs", &library), ("hidden", "text")]);
    let said = run(&place, &["check", "--runs", "1"], Exit::NotFailing);
    for words in
        ["the first check shows what cargo did not show: error: couldn't read", "--force", "to see it by hand: "]
    {
        assert!(said.stderr.contains(words), "no {words}: {}", said.stderr);
    }
    assert!(!place.path("walk_mcve.rs").exists());
    run(&place, &[&["check", "--runs", "1", "--force"], brief()].concat(), Exit::Done);
    assert!(place.path("walk_mcve.rs").exists());
}

#[test]
fn a_program_that_only_the_check_cannot_compile_is_not_run() {
    let main = format!("{HIDDEN}fn main() {{ assert_eq!(TEXT, \"\") }}\n");
    let place = package(&[("src/main.rs", &main), ("hidden", "text")]);
    let said = run(&place, &["run", "--runs", "1"], Exit::NotFailing);
    for words in ["it cannot be run", "cargo compiled it, so that most likely"] {
        assert!(said.stderr.contains(words), "no {words}: {}", said.stderr);
    }
}

/// A compiler that crashes on a function `crashes`: elsewhere if it is called without one of the options of cargo.
const CRASHING: &str = r#"#!/bin/sh
case "$*" in *--print*|*-vV*) exec RUSTC "$@" ;; esac
for word; do case $word in *.rs) file=$word ;; esac; done
grep -q 'fn crashes' "$file" || exec RUSTC "$@"
case "$*" in *OPTION*) place=rustc_middle/src/hashed.rs:1:2 ;; *) place=rustc_middle/src/typed.rs:3:4 ;; esac
printf "thread 'rustc' panicked at compiler/$place:\nboom\n" >&2
exit 101
"#;

#[test]
fn the_crash_is_that_of_cargos_own_call() {
    let check = |option: &str, exit: Exit, words: &[&str]| {
        let place = package(&[("src/lib.rs", "pub fn crashes() {}\npub fn other() {}\n")]);
        let rustc = mcve_testing::shell::rustc();
        let script = CRASHING.replace("RUSTC", &rustc.display().to_string()).replace("OPTION", option);
        let fake = place.write_script("rustc", &script);
        let mut command = place.mcve(&["mcve", "check", "--runs", "1"]);
        command.env("RUSTC", fake).env_remove("CARGO_INCREMENTAL");
        Said::by(&mut command).exits(exit).says(words);
    };
    check(
        "-C*incremental=",
        Exit::Done,
        &["failure: internal compiler error at compiler/rustc_middle/src/hashed.rs:1:2", "-Cincremental="],
    );
    check("typed", Exit::Done, &["failure: internal compiler error at compiler/rustc_middle/src/typed.rs:3:4"]);
    let elsewhere =
        ["did not show: internal compiler error at compiler/rustc_middle/src/typed.rs", "another crash", "--force"];
    check("metadata=", Exit::NotFailing, &elsewhere);
}

/// Without its import, the trait is one of the prelude of the next edition. The notes name the function, which gets a shorter name.
#[test]
fn a_result_of_a_later_edition_shows_the_failure_that_it_began_with() {
    let library = "use std::future::Future;\nuse std::pin::Pin;\npub fn spawn_somewhere<F: Send>(_: F) {}\npub fn slow() -> Pin<Box<dyn Future<Output = u8>>> { todo!() }\npub fn begin() { spawn_somewhere(async { slow().await; }) }\n";
    let place = package(&[("src/lib.rs", library)]);
    let manifest = place.read("Cargo.toml").replace("2024", "2021");
    place.write("Cargo.toml", manifest);
    let said = run(&place, &["check", "--runs", "1"], Exit::Done);
    let result = place.read("walk_mcve.rs");
    let command = said.see_it().expect("it is shown");
    assert!(command.contains("--edition=2024") && !result.contains("use ") && !result.contains("spawn"), "{result}");
    assert!(said.stderr.contains("\nchecked: the file shows it in an empty folder"), "{}", said.stderr);
}
