//! Packages that fail since their dependencies changed.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief};

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
fn place() -> TestFolder {
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

/// Makes the crates of `place` those of a registry whose index says what versions there are.
fn with_index(place: &TestFolder) {
    let script = "set -e; mkdir -p registry/index/pa/rt registry/index/ot/he; for crate in vendor/*; do\n\
        base=${crate#vendor/}; name=${base%-*}; version=${base#*-}; file=registry/$base.crate\n\
        rm $crate/.cargo-checksum.json; tar -C vendor -czf $file $base; sum=$(sha256sum $file | cut -d' ' -f1)\n\
        line='{\"name\":\"%s\",\"vers\":\"%s\",\"deps\":[],\"cksum\":\"%s\",\"features\":{},\"yanked\":false}\\n'\n\
        printf \"$line\" $name $version $sum >> registry/index/$(printf '%.2s' $name)/$(printf '%s' $name | cut -c3-4)/$name\n\
        done; printf '[source.crates-io]\\nreplace-with = \"local\"\\n[source.local]\\nlocal-registry = \"%s\"\\n' $PWD/registry > home/config.toml\n\
        for lock in old.lock Cargo.lock; do mkdir -p got/src; touch got/src/lib.rs; cp Cargo.toml got; grep -v checksum $lock > got/Cargo.lock; cargo fetch --quiet --manifest-path got/Cargo.toml; done; cp got/Cargo.lock .";
    let mut shell = place.command("sh");
    let said = Said::by(shell.current_dir(place.root()).env("CARGO_HOME", place.path("home")).args(["-c", script]));
    assert!(said.is_success(), "{}", said.stderr);
}

#[test]
fn a_dependency_fails_since_a_version() {
    let place = place();
    with_index(&place);
    let before = place.read("Cargo.lock");
    let args = ["test", "--passes-with", "part=1.0.0", "--passes-with", "other=1.0.0"];
    let said = run(&place, &[&args, brief()].concat(), Exit::Done);
    let expected = "it passes with part 1.0.0, other 1.0.0, and fails since: part 1.0.0 -> 1.1.0 (of 2 that differ)";
    assert!(said.stderr.contains(expected), "{}", said.stderr);
    assert!(
        said.stderr.contains("; the package passes with part 1.0.0, other 1.0.0, and fails since: part"),
        "{}",
        said.stderr
    );
    assert!(place.read("walk_mcve.rs").contains('3'));
    assert_eq!(place.read("Cargo.lock"), before);
    let said = run(&place, &["test", "--passes-with", "part=1.0.7"], Exit::Input);
    assert!(said.stderr.contains("no matching package named `part` found"), "{}", said.stderr);
}

#[test]
fn the_first_version_of_a_dependency_that_fails_is_found() {
    let place = place();
    with_index(&place);
    let line = |version: &str| format!("{version}\0{{\"vers\":\"{version}\",\"yanked\":false}}\0");
    // 1.0.5 is nowhere.
    let index = ["1.0.0", "1.0.5", "1.1.0", "1.2.0"].map(line).concat();
    place.write("home/registry/index/own/.cache/pa/rt/part", format!("\u{3}etag: x\0{index}"));
    let before = place.read("Cargo.lock");
    let said = run(&place, &[&["test", "--passes-with", "part=older"], brief()].concat(), Exit::Done);
    for expected in [
        "part 1.0.5: cargo cannot use it here",
        "part 1.0.0: does not fail",
        "; the package passes with part 1.0.0, and fails since: part 1.0.0 -> 1.1.0",
    ] {
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    }
    let said = run(&place, &["bisect", ".", "--crate", "part", "--", "test"], Exit::Done);
    assert_eq!(said.stdout, "passes with part 1.0.0, and fails since: part 1.0.0 -> 1.1.0\n");
    assert_eq!(place.read("Cargo.lock"), before);
    for (name, why) in [("other", "no older version of other was found"), ("none", "Cargo.lock has no none")] {
        let exit = if name == "none" { Exit::Input } else { Exit::NotFailing };
        let said = run(&place, &["bisect", ".", "--crate", name, "--", "test"], exit);
        assert!(said.stderr.contains(why), "{}", said.stderr);
    }
    let said = run(&place, &["test", "--passes-with", "part=older", "--passes-with", "other=1.0.0"], Exit::Usage);
    assert!(said.stderr.contains("goes with no other dependency"), "{}", said.stderr);
}
