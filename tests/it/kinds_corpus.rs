//! A case of the corpus for each kind of failure, with the real tools: the options alone reduce it, the result shows the failure by the
//! printed command and by the script that a user had to write before, and it has what makes it useful.
//!
//! A few cases are reduced in each run of the tests, and all by `MCVE_CORPUS=all`; of the others only the script looks at the input.

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mcve_testing::{Said, shell};
use serde::Deserialize;

/// What a shell adds to the number of a signal.
const BY_SIGNAL: i32 = 128;

/// What `case.json` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    /// The failure, in words.
    shows: String,
    /// The options for mcve.
    args: Vec<String>,
    /// A program that need not be installed, and of which another version need not fail so.
    #[serde(default)]
    needs: Option<String>,
    /// What is in the result.
    has: Vec<String>,
    /// What is not.
    lacks: Vec<String>,
    /// What the printed command says.
    says: String,
    /// How it exits; 128 and more is a signal.
    exits: i32,
}

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
    clippy = "clippy";
    code = "code";
    differs = "differs";
    expands_to = "expands-to";
    hang = "hang";
    lint = "lint";
    memory_above = "memory-above";
    passes_with = "passes-with";
    prints = "prints";
    run_exit = "run-exit";
    run_panic = "run-panic";
    run_stdin = "run-stdin";
    rust_analyzer = "rust-analyzer";
    rustdoc = "rustdoc";
    rustfmt = "rustfmt";
    slower_than = "slower-than";
    test_name = "test-name";
}

/// The cases that are reduced in each run of the tests. `kinds.rs` reduces smaller programs of all kinds.
const GATE: [&str; 1] = ["rustfmt"];

fn kinds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/kinds")
}

#[test]
fn every_folder_of_the_kinds_is_a_case() {
    assert_eq!(mcve_testing::names(&kinds()), CASES);
}

/// Whether the script that a user had to write finds the failure.
fn is_found(case: &Path, file: &Path) -> bool {
    let script = Command::new(case.join("test.sh")).arg(file).stdin(Stdio::null()).output();
    script.expect("the script can be run").status.success()
}

/// Why a failure of a program is not there.
fn absence(program: &str) -> String {
    let version = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    match version.ok().filter(|output| output.status.success()) {
        Some(output) => format!("{} does not fail so", String::from_utf8_lossy(&output.stdout).trim()),
        None => format!("{program} is not installed"),
    }
}

/// Reduces the case, and returns what was said.
fn run(case: &Path, args: &[String], output: &Path) -> Said {
    let (options, program_args) = args.split_at(args.iter().position(|arg| arg == "--").unwrap_or(args.len()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
    command.args(["input.rs", "--message-format", "json", "-o"]).arg(output).args(options).args(program_args);
    command.env_remove("LD_LIBRARY_PATH").current_dir(case).stdin(Stdio::null());
    Said::by(&mut command)
}

/// Runs the command that mcve printed in a fresh shell in `folder`, beside the files of the case, where a program that hangs ends.
fn see(command: &str, case: &Path, folder: &Path) -> Said {
    for name in mcve_testing::names(case) {
        std::fs::copy(case.join(&name), folder.join(&name)).expect("it can be copied");
    }
    let mut shell = shell::fresh("sh");
    let line = format!("ulimit -c 0; ulimit -S -t 20\n{command}");
    shell.args([OsStr::new("-c"), line.as_ref()]).current_dir(folder).env("TMPDIR", folder).env("RUSTC_ICE", "0");
    Said::by(shell.stdin(Stdio::null()))
}

fn reduce(name: &str) {
    let case = kinds().join(name);
    let about = std::fs::read(case.join("case.json")).expect("it is there");
    let about: About = serde_json::from_slice(&about).expect("it says what a case has to say");
    assert!(about.shows.ends_with('.'), "{} is a sentence", about.shows);
    let is_there = is_found(&case, &case.join("input.rs"));
    if let Some(program) = about.needs.filter(|_| !is_there) {
        return println!("{name}: skipped: {}", absence(&program));
    }
    assert!(is_there, "the script does not find the failure");
    if !GATE.contains(&name) && std::env::var_os("MCVE_CORPUS").is_none_or(|value| value != "all") {
        return println!("{name}: reduced by MCVE_CORPUS=all only");
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let output = folder.path().join("output.rs");
    let said = run(&case, &about.args, &output);
    assert!(said.is_success(), "{}", said.all());
    let summary = said.last_event();
    println!("{name}: {} tokens, {} checks, {} s", summary["after"]["tokens"], summary["checks"], summary["seconds"]);
    assert_eq!(summary["one_minimal"], true);

    let text = std::fs::read_to_string(&output).expect("there is a result");
    assert!(is_found(&case, &output), "the script does not find the failure in the result:\n{text}");
    for word in &about.has {
        assert!(text.contains(word), "no `{word}` in:\n{text}");
    }
    for word in &about.lacks {
        assert!(!text.contains(word), "`{word}` in:\n{text}");
    }

    let command = summary["command"].as_str().expect("there is a command");
    let seen = see(command, &case, folder.path());
    let ended = seen.code().or_else(|| Some(seen.status.signal()? + BY_SIGNAL));
    assert_eq!(ended, Some(about.exits), "{command}: {}", seen.all());
    assert!(seen.all().contains(&about.says), "{command}: {}", seen.all());
}
