//! The dependencies that a result needs.

use mcve_testing::Said;

use super::package;

/// Has much that goes, one by one.
fn library() -> String {
    let lines: String = (0..40).map(|n| format!("    let v{n} = {n}; assert!(v{n} == {n}, \"{n}\");\n")).collect();
    format!("#[test]\nfn fails() {{\n{lines}    assert_eq!(1 + 1, 3);\n}}\n")
}

#[test]
fn a_dependency_that_no_code_names_goes_where_the_budget_ends_a_run() {
    let place = package(&[
        ("src/lib.rs", &library()),
        ("part/Cargo.toml", "[package]\nname = \"part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
        ("part/src/lib.rs", "pub fn f() {}\n"),
    ]);
    let manifest = format!("{}[dependencies]\npart = {{ path = \"part\" }}\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    let run = |budget: u32| {
        let budget = format!("{}ms", 500 << budget);
        let mut command = place.command(super::BINARY);
        Said::by(command.args(["mcve", "test", "--keep-package", "--jobs", "1", "--budget", &budget]))
    };
    let said = (0..10).map(run).find(Said::is_success).expect("some budget is enough");
    assert!(place.path("walk_mcve.rs").exists() && !place.path("walk_mcve").exists(), "{}", said.stderr);
    assert!(!said.see_it().expect("it is shown").contains("part"), "{}", said.stderr);
}
