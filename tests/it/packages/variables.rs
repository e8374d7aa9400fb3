//! The variables that cargo sets: each crate has its own.

use mcve::cli::exit::Exit;
use mcve_testing::brief;

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
