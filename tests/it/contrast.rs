//! `mcve isolate` and `mcve repair` through the real binary, with the real rustc: what is printed and written, that patches
//! apply, that bad input is told and nothing of the user's changes; and the walk-through of the documents, as printed.

use std::path::Path;

use mcve::cli::exit::Exit;
use mcve_testing::{Said, TestFolder, shell};
use regex::Regex;

const INPUT: &str =
    "fn main() {\n    let word = needle(1);\n    println!(\"{word}\");\n}\n\nfn needle(x: u8) -> u8 {\n    x + 1\n}\n";

/// What shows the failure of [`INPUT`].
const TEST: &str = "grep -q 'needle(1)' $1";

const BINARY: &str = env!("CARGO_BIN_EXE_mcve");

/// A folder with a file `a.rs`.
fn place(text: &str) -> TestFolder {
    let place = TestFolder::new(BINARY);
    place.write("a.rs", text);
    place
}

/// A folder with a program of the corpus as `a.rs`.
fn place_of(case: &str) -> TestFolder {
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(case).join("input.rs");
    place(&std::fs::read_to_string(input).expect("it is in the corpus"))
}

/// Runs the command, which leaves `a.rs` as it was and nothing in the temporary folder.
#[track_caller]
fn run(place: &TestFolder, args: &[&str], exit: Exit) -> Said {
    let before = place.read("a.rs");
    let said = place.run_cleanly(args, exit);
    assert_eq!(place.read("a.rs"), before, "the input is never changed");
    said
}

/// Whether rustc compiles a file as a library, and whether it crashes on it.
fn compiles(place: &TestFolder, name: &str) -> (bool, bool) {
    let mut rustc = place.command("rustc");
    rustc.args(["--edition=2021", "--crate-type=lib", "--emit=metadata", "--crate-name=a", name]);
    let said = Said::by(rustc.envs([("RUSTC_ICE", "0"), ("RUST_BACKTRACE", "0")]));
    (said.is_success(), said.code() == Some(101))
}

#[track_caller]
fn run_tool(place: &TestFolder, words: &[&str]) {
    let said = Said::by(place.command(words[0]).args(&words[1..]));
    assert!(said.is_success(), "{words:?}: {}", said.all());
}

#[test]
fn of_a_real_crash_one_version_compiles_and_the_other_does_not() {
    let place = place_of("ice-const-eval-cycle");
    let output = run(&place, &["isolate", "a.rs", "-o", "out", "-j1"], Exit::Done);
    let told = output.stdout;
    let first = "this is what makes it crash: the expression `mirror(RIM)` in the static `RIM`, line 179\n";
    assert!(told.starts_with(first), "{told}");
    assert!(!told.contains('\u{1b}'), "there are colours on a terminal only");
    assert_eq!(compiles(&place, "out/pass.rs"), (true, false));
    assert_eq!(compiles(&place, "out/fail.rs"), (false, true));
    assert!(told.ends_with(&place.read("out/difference.patch")));
    std::fs::copy(place.path("out/pass.rs"), place.path("out/again.rs")).expect("it can be copied");
    run_tool(&place, &["patch", "-s", "out/again.rs", "out/difference.patch"]);
    assert_eq!(place.read("out/again.rs"), place.read("out/fail.rs"));
    run_tool(&place, &["git", "init", "-q", "out"]);
    run_tool(&place, &["git", "-C", "out", "apply", "difference.patch"]);
    assert_eq!(place.read("out/pass.rs"), place.read("out/fail.rs"));
}

#[test]
fn of_a_real_crash_the_rest_of_the_program_is_kept_and_compiles() {
    let place = place_of("ice-const-eval-cycle");
    let output = run(&place, &["repair", "a.rs", "-o", "b.rs", "-j1"], Exit::Done);
    assert_eq!(place.read("b.rs"), place.read("a.rs").replace("| mirror(RIM)", "| 0"));
    assert_eq!(compiles(&place, "b.rs"), (true, false));
    place.write("fix.patch", &output.stdout);
    std::fs::copy(place.path("a.rs"), place.path("c.rs")).expect("it can be copied");
    run_tool(&place, &["patch", "-s", "c.rs", "fix.patch"]);
    assert_eq!(place.read("c.rs"), place.read("b.rs"));
    let whole = run(&place, &["repair", "a.rs", "-o", "-", "-q"], Exit::Done);
    assert_eq!(whole.stdout, place.read("b.rs"), "the result does not depend on the number of workers");
    assert!(whole.stderr.is_empty());
}

#[test]
fn a_version_that_passes_a_script_compiles_as_well() {
    let place = place(INPUT);
    run(&place, &["isolate", "a.rs", "-o", "out", "--test", TEST], Exit::Done);
    let (pass, fail) = (place.read("out/pass.rs"), place.read("out/fail.rs"));
    assert!(fail.contains("needle(1)") && !pass.contains("needle(1)"), "{pass}");
    assert!(compiles(&place, "out/pass.rs").0, "{pass}");
    let output = run(&place, &["repair", "a.rs", "-o", "b.rs", "--test", TEST], Exit::Done);
    assert!(output.stdout.starts_with("it does not fail without:"), "{}", output.stdout);
    assert!(compiles(&place, "b.rs").0 && place.read("b.rs").contains("fn needle"), "{}", place.read("b.rs"));
}

#[test]
fn a_difference_is_an_event_as_well() {
    let place = place(INPUT);
    let output = run(&place, &["isolate", "a.rs", "--message-format", "json", "--test", TEST], Exit::Done);
    let events = output.events();
    let last = events.last().expect("there are events");
    assert_eq!((&last["event"], &last["one_minimal"]), (&"contrasted".into(), &true.into()));
    assert!(last["fail"].as_str().is_some_and(|text| text.contains("needle(1)")));
    assert!(events.iter().any(|event| event["event"] == "narrowed"));
}

#[test]
fn a_program_of_which_nothing_passes_is_told() {
    let place = place(INPUT);
    for command in ["isolate", "repair"] {
        let empty = run(&place, &[command, "a.rs", "--test", "true"], Exit::NothingPasses).stderr;
        assert!(empty.contains("an empty program shows the failure as well"), "{empty}");
        let test = "grep -q 'needle(1)' $1 || exit 125";
        let nothing = run(&place, &[command, "a.rs", "--test", test], Exit::NothingPasses).stderr;
        assert!(nothing.contains("no version of a.rs was found that passes"), "{nothing}");
        let fine = run(&place, &[command, "a.rs", "--test", "false"], Exit::NotFailing).stderr;
        assert!(fine.contains("does not show the failure"), "{fine}");
        run(&place, &[command, "a.rs"], Exit::NotFailing);
        let test = format!("[ {} -ne 2 ]", shell::count(&place.write("state", "")));
        run(&place, &[command, "a.rs", "--test", &test, "--writable", "state", "--jobs", "1"], Exit::Flaky);
    }
    assert!(!place.path("out").exists());
}

#[test]
fn the_input_is_no_place_for_a_result() {
    let place = place(INPUT);
    run(&place, &["repair", "a.rs", "-o", "a.rs", "--test", TEST], Exit::Usage);
    run(&place, &["repair", "a.rs", "-o", "tmp", "--test", TEST], Exit::Output);
    run(&place, &["repair", "a.rs", "-o", "no/b.rs", "--test", TEST], Exit::Output);
    run(&place, &["isolate", "a.rs", "-o", "a.rs", "--test", TEST], Exit::Output);
    run(&place, &["isolate", "a.rs", "-o", "no/out", "--test", TEST], Exit::Output);
    place.write("fail.rs", INPUT);
    run(&place, &["isolate", "fail.rs", "-o", ".", "--test", TEST], Exit::Usage);
    assert_eq!(place.read("fail.rs"), INPUT);
    run(&place, &["isolate", "missing.rs", "--test", TEST], Exit::Input);
}

#[test]
fn an_interrupt_leaves_the_difference_that_was_found() {
    let place = place(INPUT);
    // The fourth check is that of the program without bodies, which passes. From the sixth on they hang.
    let count = shell::count(&place.path("state"));
    let hangs = format!("[ {count} -gt 5 ] && exec tail -f /dev/null; {TEST}");
    let args = ["isolate", "a.rs", "-j1", "--runs", "3", "-o", "out", "--message-format", "json", "--test", &hangs];
    let mut running = place.start(&args);
    running.wait_for("checked", 7);
    running.interrupt();
    assert!(place.read("out/fail.rs").contains("needle(1)") && !place.read("out/pass.rs").contains("needle(1)"));
    place.assert_clean();
}

#[test]
fn a_budget_that_is_spent_before_anything_passes_is_told() {
    let place = place(INPUT);
    let output = run(&place, &["isolate", "a.rs", "-o", "out", "--budget", "0.001", "--test", TEST], Exit::OutOfTime);
    assert!(output.stderr.contains("budget"), "{}", output.stderr);
    assert!(!place.path("out").exists());
}

/// The runs of a document: command lines after `$ `, each with what follows in its block.
fn runs(document: &str) -> Vec<(String, String)> {
    let mut runs: Vec<(String, String)> = Vec::new();
    for block in document.split("```console\n").skip(1) {
        let block = block.split("```").next().expect("a split has a first part");
        for line in block.lines() {
            match (line.strip_prefix("$ "), runs.last_mut()) {
                (Some(command), _) => runs.push((command.to_owned(), String::new())),
                (None, Some((_, told))) => told.push_str(&format!("{line}\n")),
                (None, None) => panic!("a block begins with a command: {line}"),
            }
        }
    }
    runs
}

#[test]
fn the_walk_through_prints_what_the_document_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = std::fs::read_to_string(root.join("docs/isolate.md")).expect("there is a document");
    let place = place(INPUT);
    std::os::unix::fs::symlink(root.join("corpus"), place.path("corpus")).expect("it can be made");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_mcve"), place.path("mcve")).expect("it can be made");
    let path = std::env::var("PATH").expect("there is one");
    let path = format!("{}:{path}", place.root().display());
    // On a busy machine the fork server begins later, and a check more or less comes before it.
    let time = Regex::new(r"(?m)^  time     .*$|\d+ checks$|^  checks   \d+$").expect("it is well-formed");
    let runs = runs(&document);
    assert!(runs.len() > 5, "the runs are found");
    for (command, expected) in runs {
        let mut shell = place.command("sh");
        let told = Said::by(shell.args(["-c", &format!("exec 2>&1; {command}")]).env("PATH", &path)).stdout;
        assert_eq!(time.replace_all(&told, ".."), time.replace_all(&expected, ".."), "{command}");
    }
    place.assert_clean();
}
