//! `mcve isolate` and `mcve repair` through the real binary, with the real rustc: what is printed and written, that patches
//! apply, that bad input is told and nothing of the user's changes; and the walk-through of the documents, as printed.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use mcve::cli::exit::Exit;
use mcve::exec::inherited::reset_signals;
use regex::Regex;
use tempfile::TempDir;

const INPUT: &str =
    "fn main() {\n    let word = needle(1);\n    println!(\"{word}\");\n}\n\nfn needle(x: u8) -> u8 {\n    x + 1\n}\n";

/// What shows the failure of [`INPUT`].
const TEST: &str = "grep -q 'needle(1)' $1";

/// A folder in which the command runs; its temporary files go to a folder inside, so that leftovers show.
struct Place {
    folder: TempDir,
}

impl Place {
    /// A folder with a file `a.rs`.
    fn with(text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::create_dir(folder.path().join("tmp")).expect("a folder can be made");
        let place = Self { folder };
        place.write("a.rs", text);
        place
    }

    /// A folder with a program of the corpus as `a.rs`.
    fn with_case(case: &str) -> Self {
        let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(case).join("input.rs");
        Self::with(&std::fs::read_to_string(input).expect("it is in the corpus"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("it can be written");
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("it is there")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
        command.args(args).current_dir(self.folder.path()).env("TMPDIR", self.path("tmp")).stdin(Stdio::null());
        command
    }

    /// Runs the command, which leaves `a.rs` as it was and nothing in the temporary folder.
    #[track_caller]
    fn run(&self, args: &[&str], exit: Exit) -> Output {
        let before = self.read("a.rs");
        let output = self.command(args).output().expect("the binary runs");
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(exit.code().into()), "{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        assert_eq!(self.read("a.rs"), before, "the input is never changed");
        self.nothing_left();
        output
    }

    #[track_caller]
    fn nothing_left(&self) {
        let left: Vec<_> = std::fs::read_dir(self.path("tmp")).expect("it is there").collect();
        assert!(left.is_empty(), "left in the temporary folder: {left:?}");
    }

    /// Whether rustc compiles a file as a library, and whether it crashes on it.
    fn compiles(&self, name: &str) -> (bool, bool) {
        let output = Command::new("rustc")
            .args(["--edition=2021", "--crate-type=lib", "--emit=metadata", "--crate-name=a", name])
            .current_dir(self.folder.path())
            .envs([("RUSTC_ICE", "0"), ("RUST_BACKTRACE", "0")])
            .output()
            .expect("there is a rustc");
        (output.status.success(), output.status.code() == Some(101))
    }

    #[track_caller]
    fn tool(&self, words: &[&str]) {
        let output = Command::new(words[0]).args(&words[1..]).current_dir(self.folder.path()).output();
        let output = output.expect("the tool is there");
        assert!(output.status.success(), "{words:?}: {}{}", text(&output.stdout), text(&output.stderr));
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn of_a_real_crash_one_version_compiles_and_the_other_does_not() {
    let place = Place::with_case("ice-const-eval-cycle");
    let output = place.run(&["isolate", "a.rs", "-o", "out", "-j1"], Exit::Done);
    let told = text(&output.stdout);
    let first = "this is what makes it crash: the expression `mirror(RIM)` in the static `RIM`, line 179\n";
    assert!(told.starts_with(first), "{told}");
    assert!(!told.contains('\u{1b}'), "there are colours on a terminal only");
    assert_eq!(place.compiles("out/pass.rs"), (true, false));
    assert_eq!(place.compiles("out/fail.rs"), (false, true));
    assert!(told.ends_with(&place.read("out/difference.patch")));
    std::fs::copy(place.path("out/pass.rs"), place.path("out/again.rs")).expect("it can be copied");
    place.tool(&["patch", "-s", "out/again.rs", "out/difference.patch"]);
    assert_eq!(place.read("out/again.rs"), place.read("out/fail.rs"));
    place.tool(&["git", "init", "-q", "out"]);
    place.tool(&["git", "-C", "out", "apply", "difference.patch"]);
    assert_eq!(place.read("out/pass.rs"), place.read("out/fail.rs"));
}

#[test]
fn of_a_real_crash_the_rest_of_the_program_is_kept_and_compiles() {
    let place = Place::with_case("ice-const-eval-cycle");
    let output = place.run(&["repair", "a.rs", "-o", "b.rs", "-j1"], Exit::Done);
    assert_eq!(place.read("b.rs"), place.read("a.rs").replace("| mirror(RIM)", "| 0"));
    assert_eq!(place.compiles("b.rs"), (true, false));
    place.write("fix.patch", &text(&output.stdout));
    std::fs::copy(place.path("a.rs"), place.path("c.rs")).expect("it can be copied");
    place.tool(&["patch", "-s", "c.rs", "fix.patch"]);
    assert_eq!(place.read("c.rs"), place.read("b.rs"));
    let whole = place.run(&["repair", "a.rs", "-o", "-", "-q"], Exit::Done);
    assert_eq!(text(&whole.stdout), place.read("b.rs"), "the result does not depend on the number of workers");
    assert!(whole.stderr.is_empty());
}

#[test]
fn a_version_that_passes_a_script_compiles_as_well() {
    let place = Place::with(INPUT);
    place.run(&["isolate", "a.rs", "-o", "out", "--test", TEST], Exit::Done);
    let (pass, fail) = (place.read("out/pass.rs"), place.read("out/fail.rs"));
    assert!(fail.contains("needle(1)") && !pass.contains("needle(1)"), "{pass}");
    assert!(place.compiles("out/pass.rs").0, "{pass}");
    let output = place.run(&["repair", "a.rs", "-o", "b.rs", "--test", TEST], Exit::Done);
    assert!(text(&output.stdout).starts_with("it does not fail without:"), "{}", text(&output.stdout));
    assert!(place.compiles("b.rs").0 && place.read("b.rs").contains("fn needle"), "{}", place.read("b.rs"));
}

#[test]
fn a_difference_is_an_event_as_well() {
    let place = Place::with(INPUT);
    let output = place.run(&["isolate", "a.rs", "--message-format", "json", "--test", TEST], Exit::Done);
    let lines = text(&output.stdout);
    let events = lines.lines().map(|line| serde_json::from_str(line).expect("it is JSON"));
    let events: Vec<serde_json::Value> = events.collect();
    let last = events.last().expect("there are events");
    assert_eq!((&last["event"], &last["one_minimal"]), (&"contrasted".into(), &true.into()));
    assert!(last["fail"].as_str().is_some_and(|text| text.contains("needle(1)")));
    assert!(events.iter().any(|event| event["event"] == "narrowed"));
}

#[test]
fn a_program_of_which_nothing_passes_is_told() {
    let place = Place::with(INPUT);
    for command in ["isolate", "repair"] {
        let empty = text(&place.run(&[command, "a.rs", "--test", "true"], Exit::NothingPasses).stderr);
        assert!(empty.contains("an empty program shows the failure as well"), "{empty}");
        let test = "grep -q 'needle(1)' $1 || exit 125";
        let nothing = text(&place.run(&[command, "a.rs", "--test", test], Exit::NothingPasses).stderr);
        assert!(nothing.contains("no version of a.rs was found that passes"), "{nothing}");
        let fine = text(&place.run(&[command, "a.rs", "--test", "false"], Exit::NotFailing).stderr);
        assert!(fine.contains("does not show the failure"), "{fine}");
        place.run(&[command, "a.rs"], Exit::NotFailing);
        place.write("state", "");
        let test = format!("printf x >> {0}; [ $(wc -c < {0}) -ne 2 ]", place.path("state").display());
        place.run(&[command, "a.rs", "--test", &test, "--writable", "state", "--jobs", "1"], Exit::Flaky);
    }
    assert!(!place.path("out").exists());
}

#[test]
fn the_input_is_no_place_for_a_result() {
    let place = Place::with(INPUT);
    place.run(&["repair", "a.rs", "-o", "a.rs", "--test", TEST], Exit::Usage);
    place.run(&["repair", "a.rs", "-o", "tmp", "--test", TEST], Exit::Output);
    place.run(&["repair", "a.rs", "-o", "no/b.rs", "--test", TEST], Exit::Output);
    place.run(&["isolate", "a.rs", "-o", "a.rs", "--test", TEST], Exit::Output);
    place.run(&["isolate", "a.rs", "-o", "no/out", "--test", TEST], Exit::Output);
    place.write("fail.rs", INPUT);
    place.run(&["isolate", "fail.rs", "-o", ".", "--test", TEST], Exit::Usage);
    assert_eq!(place.read("fail.rs"), INPUT);
    place.run(&["isolate", "missing.rs", "--test", TEST], Exit::Input);
}

#[test]
fn an_interrupt_leaves_the_difference_that_was_found() {
    let place = Place::with(INPUT);
    // The fourth check is that of the program without bodies, which passes. From the sixth on they hang.
    let state = place.path("state");
    let hangs = format!("printf x >> {0}; [ $(wc -c < {0}) -gt 5 ] && exec tail -f /dev/null; {TEST}", state.display());
    let args = ["isolate", "a.rs", "-j1", "--runs", "3", "-o", "out", "--message-format", "json", "--test", &hangs];
    // Whoever started this process may have ignored the signal that is sent.
    reset_signals();
    let mut child = place.command(&args).stdout(Stdio::piped()).spawn().expect("the binary runs");
    let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut checked = lines.filter(|line| line.as_ref().is_ok_and(|line| line.contains("\"checked\"")));
    checked.nth(6).expect("there are as many checks").expect("it is text");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it runs");
    assert_eq!(child.wait().expect("it ends").code(), Some(Exit::Interrupted.code().into()));
    assert!(place.read("out/fail.rs").contains("needle(1)") && !place.read("out/pass.rs").contains("needle(1)"));
    place.nothing_left();
}

#[test]
fn a_budget_that_is_spent_before_anything_passes_is_told() {
    let place = Place::with(INPUT);
    let output = place.run(&["isolate", "a.rs", "-o", "out", "--budget", "0.001", "--test", TEST], Exit::NotFailing);
    assert!(text(&output.stderr).contains("budget"), "{}", text(&output.stderr));
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
    let place = Place::with(INPUT);
    std::os::unix::fs::symlink(root.join("corpus"), place.path("corpus")).expect("it can be made");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_mcve"), place.path("mcve")).expect("it can be made");
    let path = std::env::var("PATH").expect("there is one");
    let path = format!("{}:{path}", place.folder.path().display());
    let time = Regex::new(r"(?m)^  time     .*$").expect("it is well-formed");
    let runs = runs(&document);
    assert!(runs.len() > 5, "the runs are found");
    for (command, expected) in runs {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(place.folder.path()).env("PATH", &path);
        let output = shell.env("TMPDIR", place.path("tmp")).stdin(Stdio::null()).output().expect("there is a shell");
        let told = text(&output.stdout);
        assert_eq!(time.replace_all(&told, "  time"), time.replace_all(&expected, "  time"), "{command}");
    }
    place.nothing_left();
}
