//! The cases of the corpus, with the real rustc: the input fails, the result is small, 1-minimal, formatted, and fails
//! in the same way. A test a case, so that as many run at once as there are cores.
//!
//! A case that takes more than half a minute is run to the end with `MCVE_CORPUS=all` only; else it has forty seconds,
//! after which the best so far must still fail and be smaller.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mcve_transforms::{Measure, Source, Understanding};
use serde_json::Value;

/// What a case that is not run to the end gets.
const BUDGET: &str = "40s";

macro_rules! cases {
    ($($test:ident = $name:literal;)*) => {
        const CASES: &[&str] = &[$($name),*];
        $(
            #[test]
            fn $test() {
                reduce($name);
            }
        )*
    };
}

cases! {
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

#[test]
fn every_folder_of_the_corpus_is_a_case() {
    let folders = std::fs::read_dir(corpus()).expect("there is a corpus");
    let mut names: Vec<String> = folders
        .map(|entry| entry.expect("it can be read"))
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().expect("names are text"))
        .collect();
    names.sort();
    assert_eq!(names, CASES);
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Whether the case's script finds its failure in `file`.
fn fails(case: &Path, file: &Path) -> bool {
    let script = Command::new(case.join("test.sh")).arg(file).stdin(Stdio::null()).output();
    script.expect("the script can be run").status.success()
}

fn reduce(name: &str) {
    let case = corpus().join(name);
    let about: Value =
        serde_json::from_slice(&std::fs::read(case.join("case.json")).expect("it is there")).expect("JSON");
    let (input, minimal) = (case.join("input.rs"), case.join("minimal.rs"));
    assert!(fails(&case, &input), "the input does not fail");
    assert!(fails(&case, &minimal), "the minimal form does not fail");

    let whole = about["slow"] != true || std::env::var_os("MCVE_CORPUS").is_some_and(|value| value == "all");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let output = folder.path().join("output.rs");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
    command.arg(&input).args(["--jobs", "1", "--message-format", "json", "-o"]).arg(&output).current_dir(&case);
    command.args(about["args"].as_array().expect("a list").iter().map(|arg| arg.as_str().expect("text")));
    if !whole {
        command.args(["--budget", BUDGET]);
    }
    let run = command.stdin(Stdio::null()).output().expect("the binary runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let last = String::from_utf8(run.stdout).expect("JSON is UTF-8");
    let summary: Value = serde_json::from_str(last.lines().last().expect("there are events")).expect("JSON");
    let text = std::fs::read_to_string(&output).expect("there is a result");
    let tokens = Measure::of(&text).tokens;
    println!("{name}: {tokens} tokens, {} checks, {} s", summary["checks"], summary["seconds"]);
    assert!(fails(&case, &output), "the result does not fail: {text}");
    if !whole {
        let before = Measure::of(&std::fs::read_to_string(input).expect("it is there")).tokens;
        assert!(tokens < before, "nothing went of {before} tokens");
        return;
    }
    assert_eq!(summary["one_minimal"], true);
    if let Some(reached) = about["reached"].as_u64() {
        assert!(tokens as u64 <= reached, "{tokens} tokens, and {reached} were reached before: {text}");
    }
    let by_hand = Measure::of(&std::fs::read_to_string(minimal).expect("it is there")).tokens;
    if about["ice"] == true {
        assert!(2 * tokens <= 3 * by_hand, "{tokens} tokens, and {by_hand} by hand: {text}");
    }
    let source = Source::parse(text.clone());
    if source.understanding() == Understanding::Full {
        let formatted = prettyplease::unparse(source.file().expect("it parses"));
        assert!(text.ends_with(&formatted), "it is not formatted: {text}");
    }
}
