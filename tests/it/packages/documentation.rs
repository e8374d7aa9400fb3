//! Documentation that stands in files of its own.

use mcve::cli::exit::Exit;
use mcve_testing::brief;

use super::{package, run};

#[test]
fn what_mcve_keeps_between_its_stages_is_its_own() {
    let library = "#![doc = include_str!(\"../README.md\")]\nconst _: () = assert!(include_str!(\"../README.md\").is_empty());\npub fn other() {}\n";
    let place = package(&[("src/lib.rs", library), ("README.md", "# Walk\n")]);
    // As an earlier run leaves it where files have no attributes.
    place.write("target/mcve/walk_mcve/src/lib.rs", "fn f() {}\n");
    place.write("target/mcve/walk_mcve.rs", "fn f() {}\n");
    let said = run(&place, &[&["check", "--runs", "1"], brief()].concat(), Exit::Done);
    assert!(!said.stderr.contains("did not write"), "{}", said.stderr);
    assert!(place.path("walk_mcve/README.md").exists(), "{}", said.stderr);
}

#[test]
fn a_test_in_a_readme_that_is_documentation_is_reduced() {
    let library = "//! Numbers.\n#![doc = include_str!(\"../README.md\")]\npub fn double(n: u32) -> u32 { n * 2 }\npub fn unused() {}\n";
    let readme = "# Walk\n\n```rust\nassert_eq!(walk::double(2), 5);\n```\n";
    let place = package(&[("src/lib.rs", library), ("README.md", readme)]);
    let said = run(&place, &[&["test", "--doc"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("of the documentation fails"), "{}", said.stderr);
    // The folder of the package has a name of its own.
    let folder = place.root().file_name().expect("it has a name").to_string_lossy().into_owned();
    let library = place.read(format!("walk_mcve/walk/{folder}/src/lib.rs"));
    let test = place.read("walk_mcve/doctest.rs");
    assert!(test.contains("walk::double(2), 5"), "{test}");
    assert!(library.contains("fn double") && !library.contains("unused"), "{library}");
}
