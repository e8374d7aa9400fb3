//! Habits of a shell: pipes, defaults from a file, markers, a history.

use std::fs::File;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder};

use crate::files::checks::{INPUT, RESULT, TEST, place, reduce};

/// The history of a reduction of `a.rs`.
fn with_history() -> TestFolder {
    let place = place();
    reduce(&place, &["a.rs", "--history", "h"]);
    place
}

#[test]
fn standard_input_goes_to_standard_output() {
    let place = place();
    let piped = |args: &[&str]| {
        let file = File::open(place.path("a.rs")).expect("it is there");
        Said::by(place.mcve(&[args, &["--test", TEST]].concat()).stdin(file))
    };
    let said = piped(&["-"]).exits(Exit::Done);
    assert_eq!(said.stdout, RESULT);
    assert!(said.stderr.contains("1-minimal"), "{}", said.stderr);
    assert_eq!(place.names(), ["a.rs"]);
    piped(&["-", "-o", "b.rs"]).exits(Exit::Done);
    assert_eq!(place.read("b.rs"), RESULT);
    piped(&["-", "--in-place"]).exits(Exit::Usage);
    assert_eq!(place.read("a.rs"), INPUT);
}

#[test]
fn a_file_sets_defaults_and_a_run_names_it() {
    let place = place();
    place.write("mcve.toml", "keep = ['main']\nbudget = '1h'\n");
    let said = reduce(&place, &["a.rs"]);
    assert!(said.stderr.contains("mcve.toml sets budget, keep\n"), "{}", said.stderr);
    assert!(place.read("a_mcve.rs").contains("fn main() {\n    println!();\n}"), "{}", place.read("a_mcve.rs"));
    reduce(&place, &["a.rs", "--no-config"]);
    assert_eq!(place.read("a_mcve.rs"), RESULT);
    place.write("mcve.toml", "sandbox = 'off'\n");
    place.run(&["a.rs", "--test", TEST], Exit::Usage).says(&["mcve.toml sets `sandbox`"]);
    place.write("mcve.toml", "budgte = '1h'\n");
    place.run(&["a.rs", "--test", TEST], Exit::Usage).says(&["did you mean `budget`?"]);
}

#[test]
fn a_marker_keeps_a_statement() {
    let place = place();
    place.write("a.rs", INPUT.replace("println!();", "println!(); // mcve: keep"));
    reduce(&place, &["a.rs"]);
    let result = place.read("a_mcve.rs");
    assert!(result.contains("println!();") && !result.contains("x + 1"), "{result}");
    place.write("a.rs", INPUT.replace("println!();", "// mcve: keep-start\n    println!();"));
    place.run(&["a.rs", "--test", TEST], Exit::Input).says(&["a.rs:8: `// mcve: keep-start` has no"]);
}

#[test]
fn a_run_goes_on_from_a_step() {
    let place = with_history();
    assert_eq!(place.read("h/0000.rs"), INPUT);
    let steps = place.read("h/history.txt").lines().count();
    assert!(steps > 1 && place.read(format!("h/{:04}.rs", steps - 1)) == RESULT, "{steps}");
    place.run(&["--from", "h/0001.rs", "-o", "b.rs"], Exit::Done);
    assert_eq!(place.read("b.rs"), RESULT);
    place.run(&["a.rs", "--history", ".", "--test", TEST], Exit::Output).says(&["no history of mcve"]);
    place.run(&["--from", "a.rs"], Exit::Input).says(&["a.rs is not a step of a history"]);
}
