//! The command line, through the real binary: what is written where, what is said, how it exits.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use mcve::cli::exit::Exit;
use mcve::exec::inherited::reset_signals;
use tempfile::TempDir;

const INPUT: &str = "mod m {\n    pub fn needle(x: u8) -> u8 {\n        x + 1\n    }\n}\n\nfn main() {\n    println!(\"{}\", m::needle(1));\n}\n";

/// A folder with files, in which the command runs; its temporary files go to a folder inside, so that leftovers show.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        // Some tests send signals, which whoever started this process may have ignored.
        reset_signals();
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::create_dir(folder.path().join("tmp")).expect("a folder can be made");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), bytes).expect("it can be written");
        self.path(name)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("it is there")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcve"));
        command.args(args).current_dir(self.folder.path()).env("TMPDIR", self.path("tmp")).stdin(Stdio::null());
        command
    }

    #[track_caller]
    fn run(&self, args: &[&str], exit: Exit) -> Output {
        let output = self.command(args).output().expect("the binary runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(exit.code().into()), "{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        self.nothing_left();
        output
    }

    /// Runs with an option that takes a time, which doubles until it is enough for the check of the input on this machine.
    #[track_caller]
    fn run_in_time(&self, option: &str, args: &[&str]) -> Output {
        let mut times = (0..12).map(|power| (0.3 * f64::from(1 << power)).to_string());
        let run = |time: String| self.command(args).args([option, &time]).output().expect("the binary runs");
        let output = times.find_map(|time| Some(run(time)).filter(|output| output.status.success()));
        let output = output.expect("some time is enough");
        assert!(!text(&output.stderr).contains("panicked"), "{}", text(&output.stderr));
        self.nothing_left();
        output
    }

    #[track_caller]
    fn nothing_left(&self) {
        let left: Vec<_> = std::fs::read_dir(self.path("tmp")).expect("it is there").collect();
        assert!(left.is_empty(), "left in the temporary folder: {left:?}");
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_result_stands_beside_the_input_which_is_untouched() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    let output = place.run(&["a.rs", "--test", "grep -q needle $1"], Exit::Done);
    assert_eq!(place.read("a.rs"), INPUT);
    let result = place.read("a_mcve.rs");
    assert!(result.contains("needle") && result.len() < 20, "{result}");
    let summary = text(&output.stderr);
    for word in ["tokens", "checks", "1-minimal", "a_mcve.rs", "grep -q needle"] {
        assert!(summary.contains(word), "no {word} in: {summary}");
    }
    assert!(output.stdout.is_empty());
}

#[test]
fn reduce_is_the_same_as_no_command() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    place.run(&["reduce", "a.rs", "--test", "grep -q needle $1"], Exit::Done);
    let long = place.read("a_mcve.rs");
    place.run(&["a.rs", "--test", "grep -q needle $1"], Exit::Done);
    assert_eq!(place.read("a_mcve.rs"), long);
    let output = place.run(&["-qj1", "reduce", "a.rs", "--test", "grep -q needle $1"], Exit::Done);
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}

#[test]
fn in_place_keeps_the_original() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    place.run(&["a.rs", "--in-place", "--test", "grep -q needle $1"], Exit::Done);
    assert_eq!(place.read("a.rs.orig"), INPUT);
    assert!(place.read("a.rs").len() < INPUT.len());
}

#[test]
fn the_result_can_go_to_standard_output() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    let output = place.run(&["-q", "a.rs", "-o", "-", "--test", "grep -q needle $1"], Exit::Done);
    assert!(text(&output.stdout).contains("needle"));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    assert!(!place.path("a_mcve.rs").exists());
}

#[test]
fn every_event_is_a_json_object_a_line() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    let args = ["a.rs", "--message-format", "json", "--test", "grep -q needle $1"];
    let output = place.run(&args, Exit::Done);
    let events: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let last = events.last().expect("there are events");
    assert_eq!(last["event"], "finished");
    assert_eq!(last["one_minimal"], true);
    assert!(events.iter().any(|event| event["event"] == "gained"));
    let checked = events.iter().filter(|event| event["event"] == "checked").count();
    assert_eq!(last["checks"], checked);
}

#[test]
fn a_script_runs_in_a_folder_with_the_candidate_under_its_own_name() {
    let place = Place::new();
    place.write("odd name.rs", INPUT);
    let script = place.write(
        "test.sh",
        "#!/bin/sh\n[ -f 'odd name.rs' ] && [ \"$1\" = \"$PWD/odd name.rs\" ] && grep -q needle \"$1\"\n",
    );
    std::fs::set_permissions(script, PermissionsExt::from_mode(0o755)).expect("it is ours");
    place.run(&["odd name.rs", "--test", "./test.sh"], Exit::Done);
    assert!(place.read("odd_name_mcve.rs").contains("needle"));
}

#[test]
fn a_command_is_judged_by_all_its_conditions() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    let conditions = ["--exit-code", "0", "--stdout", "needle", "--not-stdout", "nowhere", "--not-stderr", "."];
    place.run(&[&["a.rs"], &conditions[..], &["--", "cat", "{}"]].concat(), Exit::Done);
    assert!(place.read("a_mcve.rs").contains("needle"));
    place.run(&["a.rs", "--exit-code", "1", "--stdout", "needle", "--", "cat", "{}"], Exit::NotFailing);
}

#[test]
fn a_file_that_cannot_be_used_is_refused() {
    let place = Place::new();
    std::fs::create_dir(place.path("folder.rs")).expect("it can be made");
    place.write("empty.rs", "");
    place.write("blank.rs", " \n\n");
    place.write("binary.rs", b"fn main() {}\0");
    place.write("latin.rs", b"// caf\xe9\nfn main() {}");
    for file in ["missing.rs", "folder.rs", "empty.rs", "blank.rs", "binary.rs", "latin.rs"] {
        let output = place.run(&[file, "--test", "true"], Exit::Input);
        let stderr = text(&output.stderr);
        assert!(stderr.starts_with("error: ") && stderr.contains(file), "{stderr}");
    }
}

#[test]
fn a_file_that_does_not_fail_is_told_with_the_command() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    let output = place.run(&["a.rs", "--test", "grep -q nowhere $1"], Exit::NotFailing);
    assert!(text(&output.stderr).contains("grep -q nowhere"), "{}", text(&output.stderr));
    assert!(!place.path("a_mcve.rs").exists(), "there is no result");
    let output = place.run(&["a.rs"], Exit::NotFailing);
    assert!(text(&output.stderr).contains("rustc"), "{}", text(&output.stderr));
}

#[test]
fn a_file_that_fails_only_sometimes_is_told() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    let state = place.write("state", "");
    let script = format!("printf x >> {0}; [ $(wc -c < {0}) -ne 2 ]", state.display());
    let args = ["a.rs", "--test", &script, "--writable", "state", "--jobs", "1", "--runs", "3"];
    let output = place.run(&args, Exit::Flaky);
    assert!(text(&output.stderr).contains("2 of 3"), "{}", text(&output.stderr));
}

#[test]
fn a_check_that_cannot_be_run_is_told() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    place.write("test.sh", "#!/bin/sh\ntrue\n");
    let checks: [&[&str]; 4] = [
        &["a.rs", "--test", "./test.sh"],
        &["a.rs", "--rustc", "/nowhere/rustc"],
        &["a.rs", "--exit-code", "0", "--", "/nowhere/command", "{}"],
        &["a.rs", "--exit-code", "0", "--", "no-such-command-anywhere", "{}"],
    ];
    for args in checks {
        let output = place.run(args, Exit::Check);
        assert!(text(&output.stderr).starts_with("error: "), "{}", text(&output.stderr));
    }
}

#[test]
fn a_wrong_command_line_is_told() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    let wrong: [&[&str]; 10] = [
        &[],
        &["a.rs", "--no-such-option"],
        &["a.rs", "--stderr", "(", "--", "cat"],
        &["a.rs", "--jobs", "0"],
        &["a.rs", "--budget", "soon"],
        &["a.rs", "--only", "no-such-transform"],
        &["a.rs", "-o", "a.rs", "--test", "true"],
        &["explain", "no-such-transform"],
        &["--in-place", "isolate", "a.rs"],
        &["a.rs", "--skip", "proof"],
    ];
    for args in wrong {
        place.run(args, Exit::Usage);
    }
    assert_eq!(place.read("a.rs"), INPUT);
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_the_work() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    place.run(&["a.rs", "-o", "no/such/folder/b.rs", "--test", "grep -q needle $1"], Exit::Output);
    place.run(&["a.rs", "-o", "tmp", "--test", "grep -q needle $1"], Exit::Output);
}

#[test]
fn what_stands_before_the_program_survives() {
    for (name, prefix) in [
        ("bom.rs", "\u{feff}"),
        ("shebang.rs", "#!/usr/bin/env run\n"),
        ("frontmatter.rs", "---\n[dependencies]\n---\n"),
        ("header.rs", "//@ edition: 2021\n"),
    ] {
        let place = Place::new();
        place.write(name, format!("{prefix}{INPUT}"));
        place.run(&[name, "--test", "grep -q needle $1"], Exit::Done);
        let result = place.read(&name.replace(".rs", "_mcve.rs"));
        assert!(result.starts_with(prefix), "{result:?}");
    }
}

#[test]
fn odd_text_is_reduced() {
    for (name, input) in [
        ("crlf.rs", INPUT.replace('\n', "\r\n")),
        ("names.rs", INPUT.replace("fn main", "fn größe() { let 変数 = \"🦀\"; }\nfn main")),
        ("unbalanced.rs", format!("{INPUT}\nfn broken( {{\n")),
        ("odd.rs", format!("{INPUT}\nfn 1broken() {{ let = ; }}\n")),
        ("prose.rs", "no Rust at all: it's a needle\nin a haystack \"\n".to_owned()),
        ("deep.rs", format!("{INPUT}\nfn deep() {{ {}0{}; }}\n", "(".repeat(5_000), ")".repeat(5_000))),
        ("deeper.rs", format!("{INPUT}\nfn deep() {{ {}0{}; }}\n", "(".repeat(50_000), ")".repeat(50_000))),
    ] {
        let place = Place::new();
        place.write(name, input);
        place.run(&[name, "--test", "grep -q needle $1"], Exit::Done);
        let result = place.read(&name.replace(".rs", "_mcve.rs"));
        assert!(result.contains("needle") && result.len() < 30, "{name}: {result}");
    }
}

#[test]
fn a_check_that_hangs_is_ended_and_nothing_is_left() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    let test = "grep -q main $1 || exec tail -f /dev/null; grep -q needle $1";
    place.run_in_time("--timeout", &["a.rs", "--only", "items", "--test", test]);
    let result = place.read("a_mcve.rs");
    assert!(result.contains("main") && result.contains("needle"), "{result}");
}

#[test]
fn a_budget_ends_with_the_best_so_far() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    let test = "grep -q main $1 || exec tail -f /dev/null; grep -q needle $1";
    let output = place.run_in_time("--budget", &["a.rs", "--test", test]);
    assert!(text(&output.stderr).contains("budget"), "{}", text(&output.stderr));
    assert!(place.read("a_mcve.rs").contains("needle"));
}

#[test]
fn an_interrupt_keeps_the_best_so_far_and_leaves_nothing() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    let test = "grep -q main $1 || exec tail -f /dev/null; grep -q needle $1";
    let args = ["a.rs", "--message-format", "json", "--test", test];
    let mut child = place.command(&args).stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    lines.find(|line| line.as_ref().is_ok_and(|line| line.contains("\"baseline\""))).expect("it begins").expect("text");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it runs");
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(Exit::Interrupted.code().into()));
    assert!(place.read("a_mcve.rs").contains("needle"));
    place.nothing_left();
}

#[test]
fn only_and_skip_choose_transforms() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    place.run(&["a.rs", "--only", "delete-item", "--test", "grep -q needle $1"], Exit::Done);
    let items = place.read("a_mcve.rs");
    assert!(items.contains("x + 1") && !items.contains("main"), "{items}");
    place.run(&["a.rs", "--skip", "items", "--test", "grep -q needle $1"], Exit::Done);
    assert!(place.read("a_mcve.rs").contains("main"));
}

#[test]
fn list_and_explain_show_every_transform() {
    let place = Place::new();
    let list = text(&place.run(&["list"], Exit::Done).stdout);
    for transform in mcve_transforms::transforms() {
        assert!(list.contains(transform.name), "{} is not listed", transform.name);
    }
    let explained = text(&place.run(&["explain", "delete-item"], Exit::Done).stdout);
    assert!(explained.contains("-fn helper() {}"), "{explained}");
}

#[test]
fn cargo_mcve_is_the_same_command() {
    let place = Place::new();
    place.write("a.rs", INPUT);
    let status = Command::new(env!("CARGO_BIN_EXE_cargo-mcve"))
        .args(["mcve", "a.rs", "-q", "--test", "grep -q needle $1"])
        .current_dir(place.folder.path())
        .status()
        .expect("the binary runs");
    assert!(status.success());
    assert!(place.read("a_mcve.rs").contains("needle"));
}

#[test]
fn the_readme_lists_the_exit_codes() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(readme).expect("there is a README");
    for exit in Exit::ALL {
        let row = format!("| {} | {} |", exit.code(), exit.meaning());
        assert!(readme.contains(&row), "the README has no row {row}");
    }
}

#[test]
fn whoever_closes_standard_output_does_not_make_it_panic() {
    let place = Place::new();
    let mut child = place.command(&["list"]).stdout(Stdio::piped()).spawn().expect("the binary runs");
    drop(child.stdout.take());
    let status = child.wait().expect("it ends");
    assert!(status.code().is_some_and(|code| code != 101), "{status}");
    let _ = std::io::stderr().flush();
}
