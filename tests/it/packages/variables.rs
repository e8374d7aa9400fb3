//! The variables that cargo sets: each crate has its own.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, brief};

use super::{package, run};

/// A library whose macro reads the version of its user, and whose function reads its own.
const PART: &str = "#[macro_export]\nmacro_rules! version { () => { env!(\"CARGO_PKG_VERSION\") } }\npub fn own() -> &'static str { env!(\"CARGO_PKG_VERSION\") }\npub fn other() {}\n";

#[test]
fn a_crate_and_a_macro_of_it_read_the_versions_of_two_crates() {
    let library = "#[test]\nfn versions() { assert_eq!(part::own(), part::version!()); }\n";
    let place = package(&[
        ("src/lib.rs", library),
        ("part/Cargo.toml", "[package]\nname = \"part\"\nversion = \"0.9.1\"\nedition = \"2024\"\n"),
        ("part/src/lib.rs", PART),
    ]);
    let manifest = format!("{}[dependencies]\npart = {{ path = \"part\" }}\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    let said = run(&place, &[&["test"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("left: \"0.9.1\", right: \"0.1.0\""), "{}", said.stderr);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("0.9.1") && !result.contains("fn other"), "{result}");
}

#[test]
fn a_program_that_a_test_runs_is_named_with_the_command() {
    let test = "use std::process::Command;\n#[test]\nfn says() {\n    let said = Command::new(env!(\"CARGO_BIN_EXE_walk\")).output().unwrap();\n    assert_eq!(said.stdout, b\"two\");\n}\n";
    let place = package(&[("src/main.rs", "fn main() { print!(\"one\"); }\n"), ("tests/it.rs", test)]);
    let said = run(&place, &[&["test"], brief()].concat(), Exit::Done);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("env!(\"CARGO_BIN_EXE_walk\")"), "{result}");
    let command = said.see_it().expect("it is shown").to_owned();
    assert!(command.contains("CARGO_BIN_EXE_walk=") && !command.contains("CARGO_PKG_NAME"), "{command}");
    assert!(said.stderr.contains("the result does not stand alone: it names /"), "{}", said.stderr);
    assert!(!said.stderr.contains("checked: "), "{}", said.stderr);
}

/// Variables of the configuration reach the compiler, and with it what records its calls.
#[test]
fn what_a_package_sets_for_mcve_itself_does_nothing() {
    let names = ["MCVE_RECORD", "MCVE_RECORD_RUN", "MCVE_RECORD_KNOWN"];
    let line = |name: &str| format!("{name} = {{ value = \"/nowhere\", force = true }}\n");
    let config = format!("[env]\n{}", names.map(line).concat());
    let place = package(&[("src/lib.rs", "pub fn f() -> u8 { \"\" }\n"), (".cargo/config.toml", &config)]);
    run(&place, brief(), Exit::Done);
    let mut command = place.mcve(&["mcve"]);
    Said::by(command.args(brief()).env("MCVE_RECORD", "/nowhere")).exits(Exit::Done);
}
