//! Packages that fail since their dependencies changed.

use mcve::cli::exit::Exit;
use mcve_testing::{Place, brief};

use super::package;
use super::vendor::{run, vendor};

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
    let [one, two, three] = [1, 2, 3].map(|number| format!("pub fn number() -> u8 {{ {number} }}\n"));
    let parts = [("part", "1.0.0", &*two), ("part", "1.1.0", &*three)];
    vendor(&place, &[&parts[..], &[("other", "1.0.0", &*one), ("other", "1.1.0", &*one)]].concat());
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
