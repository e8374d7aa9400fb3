//! The dependencies that a result needs.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, brief};

use super::package;
use super::vendor::{run, vendor};

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
    let by = |budget: u32| {
        let budget = format!("{}ms", 500 << budget);
        let mut command = place.command(super::BINARY);
        Said::by(command.args(["mcve", "test", "--keep-package", "--jobs", "1", "--budget", &budget]))
    };
    let said = (0..10).map(by).find(Said::is_success).expect("some budget is enough");
    assert!(place.path("walk_mcve.rs").exists() && !place.path("walk_mcve").exists(), "{}", said.stderr);
    assert!(!said.see_it().expect("it is shown").contains("part"), "{}", said.stderr);
}

#[test]
fn a_crate_of_a_result_is_not_taken_for_the_one_of_the_next_run() {
    let library = "#[test]\nfn fails() { let much = 1; assert_eq!(part::twice(2), 5); }\n";
    let part = "pub fn twice(n: u8) -> u8 { n * 2 }\n";
    // As a crate in a result, it has no version.
    let manifest = "[package]\nname = \"part\"\nedition = \"2024\"\n";
    let place = package(&[("src/lib.rs", library), ("part/Cargo.toml", manifest), ("part/src/lib.rs", part)]);
    place.write("Cargo.toml", format!("{}[dependencies]\npart = {{ path = \"part\" }}\n", place.read("Cargo.toml")));
    let by = || {
        run(&place, &[&["test", "--keep", "twice"], brief()].concat(), Exit::Done);
        let result = ["walk_mcve/lib.rs", "walk_mcve/part/src/lib.rs"].map(|path| place.read(path));
        std::fs::remove_dir_all(place.path("walk_mcve")).expect("it is there");
        result
    };
    let first = by();
    assert_eq!(by(), first);
}

#[test]
fn a_test_may_have_the_name_of_its_library() {
    let library = "pub fn twice(n: u8) -> u8 { n + n + 1 }\npub fn other() {}\n";
    let test = "use walk::*;\n#[test]\nfn doubles() { other(); assert_eq!(twice(2), 4); }\n";
    let place = package(&[("src/lib.rs", library), ("tests/walk.rs", test)]);
    run(&place, &[&["test"], brief()].concat(), Exit::Done);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("fn twice") && !result.contains("other"), "{result}");
}

#[test]
fn a_crate_that_loads_macros_becomes_a_module() {
    let library =
        "#![no_std]\n#[macro_use]\nextern crate alloc;\npub fn list(n: u8) -> alloc::vec::Vec<u8> { vec![n + 1] }\n";
    let test = "#[test]\nfn lists() { assert_eq!(walk::list(1), [1]); }\n";
    let place = package(&[("src/lib.rs", library), ("tests/it.rs", test)]);
    run(&place, &[&["test"], brief()].concat(), Exit::Done);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("vec![") && !result.contains("krate"), "{result}");
}

#[test]
fn a_test_with_the_last_name_of_another_one_is_run_alone() {
    let library = "pub fn f(n: u8) -> u8 { n + 1 }\nmod a {\n    #[test]\n    fn t() { panic!(\"other\") }\n}\nmod b {\n    #[test]\n    fn t() { assert_eq!(crate::f(1), 1) }\n}\n";
    let place = package(&[("src/lib.rs", library)]);
    let said = run(&place, &[&["test", "b::t"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("the test `b::t` fails: panic in `t`: assertion `left == right`"), "{}", said.stderr);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("fn f") && !result.contains("other"), "{result}");
}

/// The number of calls of the compiler that made a crate.
fn calls(place: &TestFolder, name: &str) -> usize {
    let calls = std::fs::read_dir(place.path("target/mcve/calls")).expect("there are calls");
    let calls = calls.map(|call| std::fs::read_to_string(call.expect("it is there").path()).expect("it is text"));
    calls.filter(|call| call.contains(&format!("\"--crate-name\",\"{name}\""))).count()
}

#[test]
fn what_was_built_is_not_built_anew_for_the_result() {
    let library = "#[cfg(feature = \"fast\")]\npub fn f() -> u8 { part::text() }\npub fn other() {}\n";
    let place = package(&[("src/lib.rs", library)]);
    vendor(&place, &[("part", "1.0.0", "pub fn text() -> &'static str { \"\" }\n")]);
    let more = "[dependencies]\npart = \"1\"\n[features]\ndefault = [\"fast\"]\nfast = []\n";
    place.write("Cargo.toml", format!("{}{more}", place.read("Cargo.toml")));
    let said = run(&place, &[&["check", "--keep-package"], brief()].concat(), Exit::Done);
    let manifest = place.read("walk_mcve/Cargo.toml");
    assert!(manifest.contains("part") && manifest.contains("fast"), "{manifest}");
    assert!(said.stderr.contains("`cargo check` runs on the result"), "{}", said.stderr);
    assert_eq!((calls(&place, "walk"), calls(&place, "part")), (1, 1));
}
