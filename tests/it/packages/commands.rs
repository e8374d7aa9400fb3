//! What the commands of cargo need, and what they run.

use mcve::cli::exit::Exit;
use mcve_testing::{Said, brief};
use serde_json::Value;

use super::{LIBRARY, SUM, package, run};

#[test]
fn a_name_that_no_test_has_is_answered_with_those_that_there_are() {
    let place = package(&[("src/lib.rs", LIBRARY), ("src/sum.rs", SUM)]);
    let said = run(&place, &["test", "nomatch"], Exit::NotFailing);
    let expected = "no name of a test has `nomatch` in it: there are tests::one_cell, tests::two_ends";
    assert!(said.stderr.contains(expected), "{}", said.stderr);
    let said = run(&place, &["test", "two_ends"], Exit::NotFailing);
    assert!(said.stderr.contains("`cargo test` passed"), "{}", said.stderr);
}

#[test]
fn a_crate_that_is_no_dev_dependency_is_named() {
    let library = "#[cfg(test)]\nmod tests {\n    use proptest::prelude::*;\n    #[test]\n    fn f() {}\n}\n";
    let place = package(&[("src/lib.rs", library)]);
    let said = run(&place, &[&["test", "--runs", "1"], brief()].concat(), Exit::Done);
    let expected = "`proptest` is no dev-dependency of the package: where it is missing, `cargo add --dev proptest`";
    assert!(said.stderr.contains(expected), "{}", said.stderr);
}

#[test]
fn a_target_that_is_not_installed_is_no_failure() {
    let place = package(&[("src/lib.rs", "pub fn f() {}\n")]);
    let target = "wasm32-wasip2";
    let installed = std::process::Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output();
    let folder = installed.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    if std::path::Path::new(&folder).exists() {
        return println!("skipped: {target} is installed");
    }
    let said = run(&place, &["build", "--target", target], Exit::Check);
    assert!(said.stderr.contains(&format!("the `{target}` target may not be installed")), "{}", said.stderr);
}

#[test]
fn a_benchmark_without_a_harness_is_a_program() {
    let bench = "fn main() {\n    assert!(std::env::args().any(|arg| arg == \"--bench\"));\n    assert_eq!(walk::unused(), 1);\n    assert_eq!(walk::ends(&[4]), 8);\n}\n";
    let place = package(&[("src/lib.rs", LIBRARY), ("src/sum.rs", SUM), ("benches/own.rs", bench)]);
    let manifest = place.read("Cargo.toml");
    place.write("Cargo.toml", format!("{manifest}[[bench]]\nname = \"own\"\nharness = false\n"));
    let said = run(&place, &[&["bench", "--bench", "own"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("bin `own`, 1 file, 1 dependency; `cargo bench` fails"), "{}", said.stderr);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("fn ends(") && result.contains('8') && !result.contains("unused"), "{result}");
}

#[test]
fn a_benchmark_of_the_compiler_needs_nightly() {
    let bench = "#![feature(test)]\nextern crate test;\n#[bench]\nfn slow(_: &mut test::Bencher) { panic!() }\n";
    let place = package(&[("src/lib.rs", ""), ("benches/own.rs", bench)]);
    let mut command = place.command(super::BINARY);
    command.args(["mcve", "bench"]).env_remove("RUSTC_BOOTSTRAP");
    let said = Said::by(&mut command);
    if !said.stderr.contains("on the stable release channel") && said.code() == Some(Exit::Done.code().into()) {
        return println!("skipped: the compiler is nightly");
    }
    assert!(said.stderr.contains("which need nightly: `cargo +nightly mcve bench`"), "{}", said.stderr);
}

#[test]
fn a_build_script_that_fails_when_it_runs_is_reduced() {
    let script = "fn number(text: &str) -> u32 { text.parse().unwrap() }\nfn unused() {}\nfn main() {\n    unused();\n    let folder = std::env::var(\"OUT_DIR\").unwrap();\n    std::fs::write(format!(\"{folder}/made.rs\"), \"\").unwrap();\n    number(&std::fs::read_to_string(\"number.txt\").unwrap());\n}\n";
    let place = package(&[("src/lib.rs", ""), ("build.rs", script), ("number.txt", "x")]);
    let said = run(&place, &[&["check"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("bin `build_script_build`"), "{}", said.stderr);
    assert!(said.stderr.contains("it fails when `cargo check` runs it"), "{}", said.stderr);
    let result = place.read("walk_mcve/build.rs");
    assert!(result.contains("parse()") && !result.contains("unused"), "{result}");
}

#[test]
fn a_build_script_that_logs_an_error_is_reduced() {
    let script = "fn is_whole(version: &str) -> bool { version.split('.').count() == 4 }\nfn unused() {}\nfn main() {\n    unused();\n    println!(\"cargo::rerun-if-changed=build.rs\");\n    if !is_whole(\"1.2.3\") {\n        println!(\"cargo::error=the version {} is not whole\", \"1.2.3\");\n    }\n}\n";
    let place = package(&[("src/lib.rs", ""), ("build.rs", script)]);
    let said = run(&place, &[&["check"], brief()].concat(), Exit::Done);
    assert!(said.stderr.contains("it fails when `cargo check` runs it"), "{}", said.stderr);
    let result = place.read("walk_mcve.rs");
    assert!(result.contains("is not whole") && !result.contains("unused"), "{result}");
}

#[test]
fn a_run_that_goes_on_says_what_it_knows() {
    let place = package(&[("src/lib.rs", LIBRARY), ("src/sum.rs", SUM)]);
    let run = |budget: u32| {
        let budget = format!("{}ms", 500 << budget);
        let mut command = place.command(super::BINARY);
        Said::by(command.args(["mcve", "test", "one_cell", "--jobs", "1", "--budget", &budget]))
    };
    let said: Vec<Said> = (0..3).map(run).collect();
    let goes_on =
        |said: &Said| said.stderr.contains("it goes on: ") && said.stderr.contains(" checks are known from before");
    let ended = said.iter().position(|said| said.stderr.contains("the same command goes on from here"));
    assert!(ended.is_none_or(|at| said.get(at + 1).is_none_or(goes_on)), "{}", said[ended.unwrap_or(0) + 1].stderr);
}

#[test]
fn what_is_under_way_is_said_before_it_runs() {
    let place = package(&[("src/lib.rs", "#[test]\nfn two() { assert_eq!(1 + 2, 2); }\n")]);
    let said = run(&place, &[&["test", "--message-format", "json"], brief()].concat(), Exit::Done);
    let events = said.events();
    let at = |pass: &str| events.iter().position(|event| event["pass"] == pass).expect("it begins");
    let begins = ["cargo", "baseline", "cause", "coverage", "result"].map(at);
    assert!(begins.is_sorted(), "{begins:?}");
    let looks = |event: &Value| event["message"] == "looking for small changes with which it passes";
    assert!(looks(&events[at("cause") + 1]));
}
