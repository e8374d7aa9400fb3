//! Procedural macros of the user: what they make takes their place, or else their source is reduced.

use mcve::cli::exit::Exit;
use mcve_testing::{Place, brief};

use super::{package, run};

/// A package with this library, and with the procedural macros in `make`.
fn with_macros(library: &str, make: &str) -> Place {
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
