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
