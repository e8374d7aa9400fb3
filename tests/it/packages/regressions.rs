//! Packages that fail since their dependencies changed.

use mcve::cli::exit::Exit;
use mcve_testing::{Place, brief};

use super::{package, run};

/// A lock file with these versions of two crates.
fn lock(part: &str, other: &str) -> String {
    let package = |name: &str, version: &str| {
        let source = "registry+https://github.com/rust-lang/crates.io-index";
        format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"{source}\"\n\n")
    };
    let own = "[[package]]\nname = \"walk\"\nversion = \"0.1.0\"\ndependencies = [\n \"other\",\n \"part\",\n]\n";
    format!("version = 4\n\n{}{}{own}", package("other", other), package("part", part))
}

/// A package whose test fails with the versions 1.1.0, each of which is there.
fn place() -> Place {
    let test = "#[test]\nfn two() { assert_eq!((part::number(), other::number()), (2, 1)); }\npub fn unused() {}\n";
    let place = package(&[("src/lib.rs", test)]);
    let manifest = format!("{}[dependencies]\npart = \"1\"\nother = \"1\"\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    let config = "[source.crates-io]\nreplace-with = \"vendor\"\n[source.vendor]\ndirectory = \"vendor\"\n";
    place.write(".cargo/config.toml", config);
    for (name, version, number) in
        [("part", "1.0.0", 2), ("part", "1.1.0", 3), ("other", "1.0.0", 1), ("other", "1.1.0", 1)]
    {
        let folder = format!("vendor/{name}-{version}");
        let manifest = format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n");
        place.write(format!("{folder}/Cargo.toml"), manifest);
        place.write(format!("{folder}/src/lib.rs"), format!("pub fn number() -> u8 {{ {number} }}\n"));
        place.write(format!("{folder}/.cargo-checksum.json"), "{\"files\":{}}");
    }
    place.write("Cargo.lock", lock("1.1.0", "1.1.0"));
    place.write("old.lock", lock("1.0.0", "1.0.0"));
    place
}

#[test]
fn the_version_that_matters_is_found_of_all_that_differ() {
    let place = place();
    let said = run(&place, &[&["test", "--passes-with-lock", "old.lock"], brief()].concat(), Exit::Done);
    let expected = "it passes with old.lock, and fails since: part 1.0.0 -> 1.1.0 (of 2 that differ)";
    assert!(said.stderr.contains(expected), "{}", said.stderr);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("number") && result.contains('3') && !result.contains("unused"), "{result}");
}

#[test]
fn a_lock_file_that_changes_nothing_is_refused() {
    let place = place();
    let said = run(&place, &["test", "--passes-with-lock", "Cargo.lock"], Exit::NotFailing);
    assert!(said.stderr.contains("Cargo.lock and Cargo.lock have the same versions"), "{}", said.stderr);
    place.write("old.lock", lock("1.1.0", "1.0.0"));
    let said = run(&place, &["test", "--passes-with-lock", "old.lock"], Exit::NotFailing);
    assert!(said.stderr.contains("`cargo test` fails with old.lock, too"), "{}", said.stderr);
    let said = run(&place, &["test", "--passes-with-lock", "none.lock"], Exit::Input);
    assert!(said.stderr.contains("cannot read none.lock"), "{}", said.stderr);
}
