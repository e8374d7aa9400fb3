//! The cases of the corpus, with the real rustc: the input fails, the result is small, 1-minimal, formatted, and fails
//! in the same way. A test a case, so that as many run at once as there are cores.
//!
//! A few cases are reduced in each run of the tests, and all by `MCVE_CORPUS=all`; of the others only the input and the minimal
//! form are looked at. Every third case is reduced by two workers, and the others by one: the result does not depend on it.
//!
//! A case ends no larger than what was reached before. One that `needs` a transform, one that changes several places at once, ends
//! larger when it has to do without that, which shows that no other one stands in for it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mcve::cli::exit::Exit;
use mcve_testing::Said;
use mcve_transforms::{Measure, Source, Understanding};
use serde_json::Value;

/// The name of a case, for each second test.
macro_rules! without {
    ($without:ident, $name:literal) => {
        $name
    };
}

macro_rules! cases {
    ($($test:ident = $name:literal $(, $without:ident)?;)*) => {
        const CASES: &[&str] = &[$($name),*];
        /// Those that a second test reduces without the transform that they need.
        const COUPLED: &[&str] = &[$($(without!($without, $name),)?)*];
        $(
            #[test]
            fn $test() {
                reduce($name);
            }
            $(
                #[test]
                fn $without() {
                    reduce_without($name);
                }
            )?
        )*
    };
}

cases! {
    coupled_bound = "coupled-bound", coupled_bound_is_out_of_reach_without_it;
    coupled_enum = "coupled-enum", coupled_enum_is_out_of_reach_without_it;
    coupled_field = "coupled-field", coupled_field_is_out_of_reach_without_it;
    coupled_function = "coupled-function", coupled_function_is_out_of_reach_without_it;
    coupled_generic = "coupled-generic", coupled_generic_is_out_of_reach_without_it;
    coupled_method = "coupled-method", coupled_method_is_out_of_reach_without_it;
    coupled_module = "coupled-module", coupled_module_is_out_of_reach_without_it;
    coupled_nested = "coupled-nested", coupled_nested_is_out_of_reach_without_it;
    coupled_newtype = "coupled-newtype", coupled_newtype_is_out_of_reach_without_it;
    coupled_parameter = "coupled-parameter", coupled_parameter_is_out_of_reach_without_it;
    coupled_variant = "coupled-variant", coupled_variant_is_out_of_reach_without_it;
    error_cycle = "error-cycle";
    error_overflow = "error-overflow";
    ice_borrowck_type_op = "ice-borrowck-type-op";
    ice_const_eval_cycle = "ice-const-eval-cycle";
    ice_format_span = "ice-format-span";
    ice_import_resolve = "ice-import-resolve";
    ice_mir_statement = "ice-mir-statement";
    ice_multiple_drop = "ice-multiple-drop";
    ice_parse_glued = "ice-parse-glued";
    ice_resolve_instance = "ice-resolve-instance";
    ice_type_lowering = "ice-type-lowering";
    lint_deny = "lint-deny";
    macro_heavy = "macro-heavy";
    stack_overflow = "stack-overflow";
    test_failure = "test-failure";
    unparsable = "unparsable";
}

/// The cases that are reduced in each run of the tests: one whose parts only go together, an error, a crash by two workers and
/// one by one.
const GATE: [&str; 4] = ["coupled-enum", "error-cycle", "ice-mir-statement", "ice-type-lowering"];

/// The folders of other cases, which have tests of their own: `tests/it/kinds_corpus.rs`, `tests/it/packages`.
const OTHERS: [&str; 2] = ["kinds", "packages"];

#[test]
fn every_folder_of_the_corpus_is_a_case() {
    let folders = std::fs::read_dir(corpus()).expect("there is a corpus");
    let mut names: Vec<String> = folders
        .map(|entry| entry.expect("it can be read"))
        .filter(|entry| entry.path().is_dir() && !OTHERS.iter().any(|other| entry.file_name() == *other))
        .map(|entry| entry.file_name().into_string().expect("names are text"))
        .collect();
    names.sort();
    assert_eq!(names, CASES);
}

#[test]
fn each_coupled_case_needs_a_transform_of_its_own() {
    let needs: Vec<(&str, String)> = CASES
        .iter()
        .filter_map(|name| Some((*name, about(&corpus().join(name))["needs"].as_str()?.to_owned())))
        .collect();
    let names: Vec<&str> = needs.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, COUPLED);
    let transforms: BTreeSet<&str> = needs.iter().map(|(_, needs)| needs.as_str()).collect();
    assert_eq!(transforms.len(), needs.len(), "two cases need the same transform");
    for name in transforms {
        assert!(mcve_transforms::transforms().any(|transform| transform.name == name), "there is no {name}");
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Whether the case's script finds its failure in `file`.
fn fails(case: &Path, file: &Path) -> bool {
    let script = Command::new(case.join("test.sh")).arg(file).stdin(Stdio::null()).output();
    script.expect("the script can be run").status.success()
}

/// What `case.json` says.
fn about(case: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(case.join("case.json")).expect("it is there")).expect("JSON")
}

fn tokens(file: &Path) -> u64 {
    Measure::of(&std::fs::read_to_string(file).expect("it is there")).tokens as u64
}

/// Whether the case of this name is reduced now.
fn is_reduced(name: &str) -> bool {
    GATE.contains(&name) || std::env::var_os("MCVE_CORPUS").is_some_and(|value| value == "all")
}

/// How many workers reduce the case of this name: two for every third case.
fn workers(name: &str) -> &'static str {
    let position = CASES.iter().position(|case| *case == name).expect("it is a case");
    if position % 3 == 2 { "2" } else { "1" }
}

/// Reduces the input of a case and returns the summary of the run.
fn run(name: &str, about: &Value, output: &Path, options: &[&str]) -> Value {
    let case = corpus().join(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
    command.arg(case.join("input.rs")).args(["--jobs", workers(name), "--message-format", "json", "-o"]).arg(output);
    command.args(about["args"].as_array().expect("a list").iter().map(|arg| arg.as_str().expect("text")));
    Said::by(command.args(options).current_dir(case).stdin(Stdio::null())).exits(Exit::Done).last_event()
}

/// Checks that the command that mcve prints shows the failure in a fresh shell.
fn shows(summary: &Value) {
    let command = summary["command"].as_str().expect("there is a command");
    // The command of a script makes a folder that stays, and rustc writes beside itself what is too long for its messages.
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(&folder).stdin(Stdio::null()).env_clear();
    let kept = ["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME"];
    shell.envs(kept.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)))).env("RUSTC_ICE", "0");
    let output = shell.env("TMPDIR", folder.path()).output().expect("there is a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    let failure = summary["failure"].as_str().expect("there is a failure");
    if failure.ends_with("exits with 0") {
        assert!(output.status.success(), "{command}: {said}");
        return;
    }
    // Of a crash its place, of errors the first code; else the kind will do.
    let place = failure.split(" at ").nth(1).and_then(|rest| rest.split(": ").next());
    let code = failure.split([' ', ',', ':']).find(|word| word.starts_with('E') && word.len() == 5);
    let word = place.or(code).unwrap_or("error");
    assert!(
        said.contains(word) || failure.starts_with("stack overflow") && said.contains("SIGSEGV"),
        "{command}: {said}"
    );
}

fn reduce(name: &str) {
    let case = corpus().join(name);
    let about = about(&case);
    let (input, minimal) = (case.join("input.rs"), case.join("minimal.rs"));
    assert!(fails(&case, &input), "the input does not fail");
    assert!(fails(&case, &minimal), "the minimal form does not fail");

    if !is_reduced(name) {
        return println!("{name}: reduced by MCVE_CORPUS=all only");
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let output = folder.path().join("output.rs");
    let summary = run(name, &about, &output, &[]);
    let text = std::fs::read_to_string(&output).expect("there is a result");
    let reduced = tokens(&output);
    println!("{name}: {reduced} tokens, {} checks, {} s", summary["checks"], summary["seconds"]);
    assert!(fails(&case, &output), "the result does not fail: {text}");
    shows(&summary);
    assert_eq!(summary["one_minimal"], true);
    let by_hand = tokens(&minimal);
    // Some minimal forms are out of reach without transforms that would serve nothing else: `case.json` says what is reached.
    let reached = about["reached"].as_u64().unwrap_or(by_hand);
    assert!(reduced <= reached, "{reduced} tokens, and {reached} were reached before, {by_hand} by hand: {text}");
    let source = Source::parse(text.clone());
    if source.understanding() == Understanding::Full {
        let formatted = prettyplease::unparse(source.file().expect("it parses"));
        // But for the commas and semicolons that prettyplease adds.
        let plain = |text: &str| text.replace([',', ';'], "");
        assert!(plain(&text).ends_with(&plain(&formatted)), "it is not formatted: {text}");
    }
}

/// Reduces a case without the transform that it needs.
fn reduce_without(name: &str) {
    let case = corpus().join(name);
    let about = about(&case);
    let needs = about["needs"].as_str().expect("the case needs a transform");
    if !is_reduced(name) {
        return println!("{name} without {needs}: reduced by MCVE_CORPUS=all only");
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let output = folder.path().join("output.rs");
    let summary = run(name, &about, &output, &["--skip", needs]);
    let (reduced, minimal) = (tokens(&output), tokens(&case.join("minimal.rs")));
    println!("{name} without {needs}: {reduced} tokens, {} checks, {} s", summary["checks"], summary["seconds"]);
    let text = std::fs::read_to_string(&output).expect("there is a result");
    assert!(fails(&case, &output), "the result does not fail: {text}");
    assert_eq!(summary["one_minimal"], true);
    assert!(reduced > minimal, "{needs} is not needed: {text}");
}
