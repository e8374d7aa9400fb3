//! Procedural macros of the user: what they make takes their place, or else their source is reduced.

use mcve::cli::exit::Exit;
use mcve_testing::{TestFolder, brief};

use super::{package, run};

/// A package with this library, and with the procedural macros in `make`.
fn with_macros(library: &str, make: &str) -> TestFolder {
    let place = package(&[
        ("src/lib.rs", library),
        (
            "make/Cargo.toml",
            "[package]\nname = \"make\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\nproc-macro = true\n",
        ),
        ("make/src/lib.rs", make),
    ]);
    let manifest = format!("{}[dependencies]\nmake = {{ path = \"make\" }}\n", place.read("Cargo.toml"));
    place.write("Cargo.toml", manifest);
    place
}

#[test]
fn a_macro_that_panics_is_reduced_with_its_user() {
    let make = "use proc_macro::TokenStream;\n#[proc_macro_derive(Names)]\npub fn names(input: TokenStream) -> TokenStream {\n    let words: Vec<String> = input.into_iter().map(|tree| tree.to_string()).collect();\n    if words.len() > 3 { panic!(\"too long\") }\n    TokenStream::new()\n}\n#[proc_macro]\npub fn other(input: TokenStream) -> TokenStream { input }\n";
    let library = "use make::Names;\n#[derive(Names)]\npub struct S { a: u8 }\npub fn unused() {}\n";
    let place = with_macros(library, make);
    let said = run(&place, &[&["check", "--runs", "1"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("checked: the file shows it"), "{}", said.stderr);
    let source = place.read("walk_mcve/make/src/lib.rs");
    assert!(source.contains("panic!") && !source.contains("other"), "{source}");
    let result = place.read("walk_mcve/lib.rs");
    assert!(result.contains("Names") && !result.contains("unused"), "{result}");
}

#[test]
fn a_macro_that_panics_for_another_reason_is_no_result() {
    let make = "use proc_macro::TokenStream;\n#[proc_macro_derive(Names)]\npub fn names(input: TokenStream) -> TokenStream {\n    let count = input.into_iter().count();\n    if count == 0 { panic!(\"nothing there\") }\n    if count > 3 { panic!(\"too long\") }\n    TokenStream::new()\n}\n";
    let place = with_macros("use make::Names;\n#[derive(Names)]\npub struct S { a: u8 }\n", make);
    let said = run(&place, &[&["check", "--runs", "1"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("failure: error: proc-macro derive panicked: too long"), "{}", said.stderr);
    assert!(place.read("walk_mcve/make/src/lib.rs").contains("too long"));
}

#[test]
fn what_a_macro_derives_for_its_own_types_is_derived_in_the_result() {
    let make = "use proc_macro::TokenStream;\n#[proc_macro_derive(Builder)]\npub fn builder(_: TokenStream) -> TokenStream {\n    \"#[derive(Clone, Default, PartialEq)] pub struct Made { port: u16 } impl Made { pub fn port(self) -> u16 { self.port } }\".parse().unwrap()\n}\n";
    let library = "#[derive(make::Builder)]\npub struct S;\n#[test]\nfn port() { assert_eq!(Made::default().clone().port(), 80); }\n";
    let place = with_macros(library, make);
    let said = run(&place, &[&["test"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("what procedural macros make: the same failure"), "{}", said.stderr);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("Default") && !result.contains("make"), "{result}");
}

#[test]
fn a_macro_that_stays_is_copied_into_the_result() {
    let make = "use proc_macro::TokenStream;\n#[proc_macro]\npub fn two(_: TokenStream) -> TokenStream { \"2\".parse().unwrap() }\n";
    let place = with_macros("#[test]\nfn three() { assert_eq!(make::two!(), 3); }\n", make);
    run(&place, &[&["test", "--keep-package"], brief()].concat(), Exit::Done);
    let manifest = place.read("walk_mcve/Cargo.toml");
    assert!(manifest.contains("path = \"make\"") && !manifest.contains("path = \"/"), "{manifest}");
    assert!(place.read("walk_mcve/make/Cargo.toml").contains("proc-macro = true"));
}

/// The compiler names what was moved only where a person wrote it.
#[test]
fn an_error_that_has_other_words_once_a_macro_is_expanded_is_the_same() {
    let make = "use proc_macro::TokenStream;\n#[proc_macro_derive(Twice)]\npub fn twice(_: TokenStream) -> TokenStream {\n    \"const _: () = { fn twice(v: String) { drop(v); drop(v); } };\".parse().unwrap()\n}\n";
    let place = with_macros("pub fn other() {}\n#[derive(make::Twice)]\npub struct S;\n", make);
    let said = run(&place, brief(), Exit::Done);
    assert!(said.stderr.contains("failure: error E0382: use of moved value\n"), "{}", said.stderr);
    assert!(said.stderr.contains("what procedural macros make: the same failure"), "{}", said.stderr);
    let left = place.read("walk_mcve.rs");
    assert!(left.contains("drop(") && !left.contains("make"), "{left}");
}

/// A closure has its place in the name of its type, which is relative to another folder in a check.
#[test]
fn an_error_about_a_closure_of_a_macro_is_that_of_cargo() {
    let make = "use proc_macro::TokenStream;\n#[proc_macro_derive(Check)]\npub fn check(_: TokenStream) -> TokenStream {\n    \"const _: () = { fn need<T: Copy>(_: T) {} fn check(text: String) { need(move || text.len()) } };\".parse().unwrap()\n}\n";
    let place = with_macros("pub fn other() {}\n#[derive(make::Check)]\npub struct S;\n", make);
    let said = run(&place, brief(), Exit::Done);
    assert!(said.stderr.contains("the same failure"), "{}", said.stderr);
    assert!(!place.read("walk_mcve.rs").contains("make"));
}

/// The code that is copied into the result is counted, and nobody says that it cannot be smaller.
#[test]
fn a_macro_that_stays_is_counted() {
    let make = "use proc_macro::TokenStream;\n#[proc_macro]\npub fn two(_: TokenStream) -> TokenStream { \"2\".parse().unwrap() }\n";
    let place = with_macros("pub fn other() {}\n#[test]\nfn three() { assert_eq!(make::two!(), 3); }\n", make);
    let said = run(&place, &[&["test", "--keep-package", "--message-format", "json"], brief()].concat(), Exit::Done);
    let own = mcve_transforms::Measure::of(make).tokens;
    let last = said.last_event();
    let size = |name: &str| last[name]["tokens"].as_u64().expect("it is a number") as usize;
    let left = mcve_transforms::Measure::of(&place.read("walk_mcve/lib.rs")).tokens;
    assert_eq!((size("after"), last["one_minimal"].as_bool()), (own + left, Some(false)), "{last}");
    let start = said.events().into_iter().find(|event| event["event"] == "baseline").expect("it begins");
    assert_eq!(start["size"], last["before"], "{start}");
}
