//! Several crates in one program, and the arguments of each.

use mcve::cli::exit::Exit;
use mcve_testing::brief;

use super::place::{place, reduce};

const ROOT: (&str, &str) = (
    "main.rs",
    "//@ edition: 2021\n//@ aux-build: shapes.rs\n//@ aux-crate: walk=walking.rs\n//@ compile-flags: --crate-type=lib --cfg unused\nextern crate shapes;\nuse shapes::Marker;\nmod other { pub fn k() -> u8 { walk::steps!(3) } }\npub fn run() -> u8 { other::k() + walk::go(2) }\nfn needs<T: Marker>(_: T) {}\npub fn broken() { needs(shapes::deep::f()); }\n",
);

const SHAPES: (&str, &str) = (
    "auxiliary/shapes.rs",
    "//@ edition: 2018\n//@ compile-flags: --cfg extra\n#![allow(unused)]\npub trait Marker { const N: u8; }\npub mod deep { pub fn f() -> crate::deep::G { G } pub struct G; }\n#[cfg(extra)] pub fn extra() {}\n",
);

const WALKING: (&str, &str) = (
    "auxiliary/walking.rs",
    "//@ edition: 2021\npub fn go(n: u8) -> u8 { steps!(n) }\n#[macro_export] macro_rules! steps { ($n:expr) => { $n + $crate::one() } }\npub fn one() -> u8 { 1 }\n",
);

#[test]
fn crates_become_one() {
    let place = place(&[ROOT, SHAPES, WALKING]);
    reduce(&place, &["main.rs"], "E0277");
    let result = place.read("main_mcve.rs");
    assert!(!result.contains("extern crate") && !result.contains("aux-"), "{result}");
    assert!(result.starts_with("//@ edition: 2024\n//@ compile-flags: --crate-type=lib\n"), "{result}");
    assert!(result.lines().count() < 12, "{result}");
}

#[test]
fn crates_that_are_needed_stay_with_their_commands() {
    let place = place(&[ROOT, SHAPES, WALKING]);
    reduce(&place, &[&["main.rs", "--skip", "crate-to-module"], brief()].concat(), "E0277");
    let files = mcve_testing::names(&place.path("main_mcve"));
    assert_eq!(files, ["auxiliary", "main.rs"]);
    assert_eq!(mcve_testing::names(&place.path("main_mcve/auxiliary")), ["shapes.rs"]);
}

#[test]
fn a_crate_of_procedural_macros_is_run_in_a_sandbox_only() {
    let place = place(&[
        (
            "main.rs",
            "//@ proc-macro: make.rs\n//@ edition: 2021\nmake::make!();\nfn main() { let _: u8 = made(); other() }\nfn other() {}\n",
        ),
        (
            "auxiliary/make.rs",
            "extern crate proc_macro;\nuse proc_macro::TokenStream;\n#[proc_macro]\npub fn make(_: TokenStream) -> TokenStream { let n = 1; \"fn made() -> u16 { 1 }\".parse().unwrap() }\n",
        ),
    ]);
    let said = place.run(&["main.rs", "--sandbox", "off"], Exit::Input);
    assert!(said.stderr.contains("names a procedural macro"), "{}", said.stderr);
    reduce(&place, &[&["main.rs"], brief()].concat(), "E0308");
    let left = ["main_mcve.rs", "main_mcve/main.rs"].into_iter().find(|path| place.path(path).exists());
    assert!(!place.read(left.expect("there is a result")).contains("other"));
}

#[test]
fn arguments_that_are_not_needed_go() {
    let place = place(&[("a.rs", "#[cfg(needed)] fn f() -> u8 { \"\" }\nfn main() {}\n")]);
    let said = reduce(
        &place,
        &["a.rs", "--", "--edition", "2018", "-Copt-level=2", "--cfg", "unused", "--cfg", "needed", "-A", "dead_code"],
        "E0308",
    );
    let line = said.see_it().expect("a command is told");
    assert!(!line.contains("unused") && !line.contains("opt-level") && !line.contains("dead_code"), "{line}");
    assert!(line.contains("--edition=2024"), "{line}");
}

#[test]
fn variables_that_are_not_needed_go() {
    let place = place(&[(
        "a.rs",
        "//@ rustc-env: NEEDED=1\n//@ rustc-env: UNUSED=1\nfn main() { let _: u8 = env!(\"NEEDED\"); let _ = env!(\"UNUSED\"); }\n",
    )]);
    let said = reduce(&place, &["a.rs", "--trust-headers"], "E0308");
    assert!(!said.see_it().expect("a command is told").contains("UNUSED"), "{}", said.stderr);
}

#[test]
fn an_error_does_not_move_to_another_crate() {
    let place = place(&[
        ("main.rs", "//@ proc-macro: make.rs\n//@ edition: 2021\nmake::make!();\nfn main() { made(); }\n"),
        (
            "auxiliary/make.rs",
            "extern crate proc_macro;\nuse proc_macro::TokenStream;\n#[proc_macro]\npub fn make(_: TokenStream) -> TokenStream { \"fn made() -> u16 { \\\"\\\" }\".parse().unwrap() }\n",
        ),
    ]);
    let said = reduce(&place, &[&["main.rs"], brief()].concat(), "E0308");
    let line = said.see_it().expect("a command is told");
    let by_hand = mcve_testing::Said::by(place.command("sh").args(["-c", line]));
    assert!(!by_hand.all().contains("make.rs:"), "{}", by_hand.all());
}
